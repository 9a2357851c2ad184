import { describeFlags, isHelpFlag, parseFlags, UsageError } from '../../machinery/options/flags.ts';
import type { StoreAction } from './action.ts';
import { backup } from './backup.ts';
import { check } from './check.ts';
import { compact } from './compact.ts';
import { dump } from './dump.ts';
import { migrate } from './migrate.ts';
import { restore } from './restore.ts';

const actions: readonly StoreAction[] = [backup, restore, migrate, check, dump, compact];

/** Runs an action on a store. Loads only its code. */
export async function store([name, ...args]: readonly string[]): Promise<void> {
  if (isHelpFlag(name)) {
    process.stdout.write(storeHelp());
    return;
  }
  const action = actions.find((known) => known.name === name);
  if (!action) throw new UsageError(`store needs one of: ${actions.map((known) => known.name).join(', ')}`);
  const { parameters = [] } = action;
  const flags = parseFlags(args, action.flags, parameters.length);
  if (flags.help) {
    process.stdout.write(actionHelp(action));
    return;
  }
  const missing = parameters[flags.positionals.length];
  if (missing !== undefined) throw new UsageError(`store ${action.name} needs ${missing}`);
  await action.run(flags);
}

const usage = ({ name, parameters = [] }: StoreAction): string => [name, ...parameters].join(' ');

function storeHelp(): string {
  const lines = actions.map((action) => `  ${usage(action).padEnd(14)}${action.about}\n`);
  return `Maintain a store.

Usage:
  kubeloom store ACTION [flags]

Actions:
${lines.join('')}
kubeloom store ACTION --help describes the flags of an action.
`;
}

function actionHelp(action: StoreAction): string {
  const { about, details = '', flags } = action;
  return `${about.charAt(0).toUpperCase()}${about.slice(1)}.
${details}
Usage:
  kubeloom store ${usage(action)} [flags]

Flags:
${describeFlags(flags)}`;
}
