import { describeFlags, type Flag, isHelpFlag, parseFlags, UsageError } from '../../machinery/options/flags.ts';
import { kubeconfigFlags } from '../kubeconfig-flags.ts';
import type { SnapshotAction } from './action.ts';
import { load } from './load.ts';
import { save } from './save.ts';

const actions: readonly SnapshotAction[] = [save, load];

/** Runs an action on a snapshot. Loads only its code. */
export async function snapshot([name, ...args]: readonly string[]): Promise<void> {
  if (isHelpFlag(name)) {
    process.stdout.write(snapshotHelp());
    return;
  }
  const action = actions.find((known) => known.name === name);
  if (!action) throw new UsageError(`snapshot needs one of: ${actions.map((known) => known.name).join(', ')}`);
  const known = [...action.flags, ...kubeconfigFlags];
  const flags = parseFlags(args, known, 1);
  if (flags.help) {
    process.stdout.write(actionHelp(action, known));
    return;
  }
  const [path] = flags.positionals;
  if (path === undefined) throw new UsageError(`snapshot ${action.name} needs FILE`);
  await action.run(path, flags);
}

function snapshotHelp(): string {
  const lines = actions.map(({ name, about }) => `  ${name} FILE  ${about}\n`);
  return `Keep the objects of a server in a file.

Usage:
  kubeloom snapshot ACTION FILE [flags]

Actions:
${lines.join('')}
kubeloom snapshot ACTION --help describes the flags of an action.
`;
}

const actionHelp = ({ name, about, details }: SnapshotAction, flags: readonly Flag[]): string =>
  `${about.charAt(0).toUpperCase()}${about.slice(1)}.

${details}
Usage:
  kubeloom snapshot ${name} FILE [flags]

Flags:
${describeFlags(flags)}`;
