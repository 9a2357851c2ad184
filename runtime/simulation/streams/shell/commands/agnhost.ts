import { once } from 'node:events';
import { parseMilliseconds } from '../../../../machinery/go/duration.ts';
import type { Protocol } from '../../../network/endpoint.ts';
import { flagsOf } from '../../../programs/servers/flags.ts';
import { FileError, resolvePath } from '../../container-files.ts';
import type { FileNode } from '../../file-node.ts';
import type { Command, Process } from '../process.ts';
import { addressOf, faultWords, isFault, LateError, NoAddressError, open, waitFor } from './connections.ts';
import { pause } from './text.ts';

/* agnhost, the image of Kubernetes' own tests. (test/images/agnhost) */

/** Formats a mode as Go does: `dtrwxrwxrwx`. */
function goMode({ kind, mode }: FileNode): string {
  const letters = [
    kind === 'folder' ? 'd' : '',
    kind === 'link' ? 'L' : '',
    mode & 0o4000 ? 'u' : '',
    mode & 0o2000 ? 'g' : '',
    mode & 0o1000 ? 't' : '',
  ].join('');
  return (letters || '-') + permissions(mode);
}

const permissions = (mode: number): string => [...'rwxrwxrwx'].map((letter, index) => (mode & (1 << (8 - index)) ? letter : '-')).join('');

const fileText = 'mount-tester new file\n';

/** The type of ext4. (statfs) */
const otherType = 61_267;

type Check = (process: Process, path: string, flags: ReadonlyMap<string, string>) => Promise<void>;

function found({ files, folder }: Process, path: string): FileNode {
  const node = files.stat(resolvePath(folder, path));
  if (node === undefined) throw new FileError(`no such file or directory`);
  return node;
}

async function printContent({ files, folder, out }: Process, path: string): Promise<string> {
  const content = files.read(resolvePath(folder, path)).toString();
  await out(`content of file "${path}": ${content}\n`);
  return content;
}

const newFileWith =
  (mode: number): Check =>
  async (process, path) => {
    const full = resolvePath(process.folder, path);
    process.files.write(full, Buffer.from(fileText));
    process.files.change(full, { mode });
    await printContent(process, path);
  };

const printOnce: Check = async (process, path) => {
  await printContent(process, path);
};

/** The checks of mounttest, in its order. */
const checks: readonly (readonly [flag: string, Check])[] = [
  [
    'fs_type',
    async ({ files, folder, out }, path) => {
      const type = files.mountOf(resolvePath(folder, path));
      await out(`mount type of "${path}": ${type === 'tmpfs' ? type : otherType}\n`);
    },
  ],
  ['new_file_0644', newFileWith(0o644)],
  ['new_file_0666', newFileWith(0o666)],
  ['new_file_0660', newFileWith(0o660)],
  ['new_file_0777', newFileWith(0o777)],
  ['file_mode', async (process, path) => process.out(`mode of file "${path}": ${goMode(found(process, path))}\n`)],
  ['file_perm', async (process, path) => process.out(`perms of file "${path}": -${permissions(found(process, path).mode)}\n`)],
  [
    'file_owner',
    async (process, path) => {
      const { uid, gid } = found(process, path);
      await process.out(`owner UID of "${path}": ${uid}\nowner GID of "${path}": ${gid}\n`);
    },
  ],
  ['file_content', printOnce],
  [
    'file_content_in_loop',
    async (process, path, flags) => {
      const breaks = flags.get('break_on_expected_content') !== 'false';
      const end = process.clock.now() + 1000 * (Number(flags.get('retry_time') ?? 180) || 0);
      while (process.clock.now() < end) {
        try {
          if ((await printContent(process, path)) === fileText && breaks) return;
        } catch (error) {
          if (!(error instanceof FileError)) throw error;
          await process.out(`Error reading file ${path}: open ${path}: ${lowered(error)}, retrying\n`);
        }
        await pause(process, 2000);
      }
    },
  ],
];

const lowered = ({ message }: FileError): string => message.charAt(0).toLowerCase() + message.slice(1);

async function mounttest(process: Process, args: readonly string[]): Promise<number> {
  const flags = new Map(args.map((arg) => [arg.replace(/^--?/, '').replace(/=.*$/s, ''), arg.slice(arg.indexOf('=') + 1)]));
  let code = 0;
  for (const [flag, check] of checks) {
    const path = flags.get(flag);
    if (!path) continue;
    try {
      await check(process, path, flags);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      const about = flag.startsWith('new_file')
        ? 'error writing new file'
        : flag === 'file_content'
          ? 'error reading file content for'
          : 'error from Stat of';
      await process.out(`${about} "${path}": open ${path}: ${lowered(error)}\n`);
      code = 1;
    }
  }
  return code;
}

/** Returns the values of a line of /etc/resolv.conf. */
function resolver({ files }: Process, keyword: string): string[] {
  const lines = files.isFile('/etc/resolv.conf') ? files.read('/etc/resolv.conf').toString().split('\n') : [];
  return lines.filter((line) => line.startsWith(`${keyword} `)).flatMap((line) => line.split(/\s+/).slice(1));
}

/** agnhost connect: says whether a connection can be opened. (test/images/agnhost/connect) */
async function connect(process: Process, args: readonly string[]): Promise<number> {
  const flags = flagsOf(args);
  const place = args.find((arg, index) => !arg.startsWith('-') && !/^--?\w+$/.test(args[index - 1] ?? '')) ?? '';
  const fail = async (message: string): Promise<number> => {
    await process.err(`${message}\n`);
    return 1;
  };
  const [, host = '', port = ''] = /^\[?([^\]]*)\]?:(\d+)$/.exec(place) ?? [];
  if (port === '') return fail(`UNKNOWN: address ${place}: missing port in address`);
  const protocol = (flags.get('protocol') || 'tcp').toUpperCase();
  const timeout = parseMilliseconds(flags.get('timeout') ?? '0s') || undefined;
  try {
    const address = await addressOf(process, host);
    const connection = await open(process, address, Number(port), { protocol: protocol as Protocol, timeout });
    if (protocol === 'UDP') {
      connection.write(Buffer.from(`${flags.get('udp-data') ?? ''}\n`));
      await waitFor(process, once(connection, 'data'), timeout);
    }
    connection.destroy();
    return 0;
  } catch (error) {
    process.time.check();
    if (error instanceof NoAddressError) return fail(`DNS: lookup ${host}: no such host`);
    if (error instanceof LateError || (isFault(error) && error.code === 'ETIMEDOUT')) return fail('TIMEOUT');
    if (isFault(error) && error.code === 'ECONNREFUSED') return fail('REFUSED');
    return fail(
      `OTHER: dial ${protocol.toLowerCase()} ${place}: connect: ${isFault(error) ? faultWords[error.code]?.toLowerCase() : String(error)}`,
    );
  }
}

const agnhost =
  (name: string): Command =>
  async (process) => {
    const [command, ...args] = process.args;
    switch (command) {
      case 'mounttest':
        return mounttest(process, args);
      case 'entrypoint-tester':
        await process.out(`[${[name, ...process.args].join(' ')}]\n`);
        return 0;
      case 'etc-hosts':
        await process.out(process.files.read('/etc/hosts'));
        return 0;
      case 'dns-suffix':
        await process.out(`${resolver(process, 'search').join()}\n`);
        return 0;
      case 'dns-server-list':
        await process.out(`${resolver(process, 'nameserver').join()}\n`);
        return 0;
      case 'connect':
        return connect(process, args);
      case 'help':
        return 0;
      default:
        // servers
        for (;;) await pause(process, Number.POSITIVE_INFINITY);
    }
  };

export const agnhostCommands: Readonly<Record<string, Command>> = {
  agnhost: agnhost('agnhost'),
  '/agnhost': agnhost('/agnhost'),
  '/agnhost-2': agnhost('/agnhost-2'),
};
