import { describeFlags, parseFlags } from '../../machinery/options/flags.ts';
import { isJsonOutput, outputFlag } from '../output-flag.ts';
import { serveFlags, serverOptions } from '../serve-flags.ts';
import type { Finding } from './finding.ts';

const describedFlags = ['bind-address', 'secure-port', 'data-dir', 'cert-dir', outputFlag.name];

const doctorHelp =
  (): string => `Check whether this machine has all that a server with these flags needs. The exit code is 1 if it would not start.

Usage:
  kubeloom doctor [flags]

Flags:
${describeFlags(serveFlags.filter(({ name }) => describedFlags.includes(name)))}
All flags of kubeloom serve are flags of this command, too.
`;

/** Reports the versions, ports, files, clock, disk and certificates that a server would meet. */
export async function doctor(args: readonly string[]): Promise<void> {
  const flags = parseFlags(args, serveFlags);
  if (flags.help) {
    process.stdout.write(doctorHelp());
    return;
  }
  const asJson = isJsonOutput(flags);
  const { bindAddress = '', port = 0, dataDir = '', certDir = '' } = serverOptions(flags);
  const { checks } = await import('./checks.ts');
  const findings: Finding[] = [];
  for (const check of checks) {
    const finding = await check({ bindAddress, port, dataDir, certDir });
    if (finding !== undefined) findings.push(finding);
  }
  process.stdout.write(asJson ? `${JSON.stringify(findings, null, 2)}\n` : findings.map(line).join(''));
  if (findings.some(({ level }) => level === 'error')) process.exitCode = 1;
}

const line = ({ name, level, text }: Finding): string => `${level.padEnd(8)}${name.padEnd(14)}${text}\n`;
