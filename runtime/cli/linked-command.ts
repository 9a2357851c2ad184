import { basename } from 'node:path';
import { isSea } from 'node:sea';

/** The commands that an executable runs under their own names, through a link or a copy. */
export const linkedCommands = ['etcd', 'kube-apiserver'] as const;

/**
 * Returns the arguments of this process, with the command first. The executable, started by the name of one of its linked
 * commands, as `bin/etcd --data-dir=x`, runs this command.
 */
export function commandLine(
  argv0 = process.argv0,
  args: readonly string[] = process.argv.slice(2),
  isExecutable = isSea(),
): readonly string[] {
  const name = basename(argv0).replace(/\.exe$/i, '');
  return isExecutable && linkedCommands.some((command) => command === name) ? [name, ...args] : args;
}
