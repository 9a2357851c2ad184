import { parseArgs } from 'node:util';
import { suggestionFor } from './suggestion.ts';

/** A command-line flag. */
export interface Flag {
  readonly name: string;
  /** `boolean` flags need no value; `list` flags can be repeated. */
  readonly type: 'string' | 'boolean' | 'list';
  /** A placeholder for the value in --help, such as `PATH` or `DURATION`. */
  readonly value?: string | undefined;
  readonly default?: string | undefined;
  /** The description in --help. */
  readonly about: string;
}

/** An invalid command line. The message is printed as one line on stderr, and the exit code is 1. */
export class UsageError extends Error {}

export function invalidFlag(name: string, value: string, why: string): UsageError {
  return new UsageError(`invalid argument ${JSON.stringify(value)} for --${name}: ${why}`);
}

export interface ParsedFlags {
  string(name: string): string | undefined;
  boolean(name: string): boolean;
  list(name: string): readonly string[];
  readonly positionals: readonly string[];
  readonly help: boolean;
  /** Whether `--help=all` was given, which describes the flags that --help leaves out, too. */
  readonly helpAll: boolean;
}

/**
 * Parses `--name=value`, `--name value`, `--boolean` and `--boolean=false`, as kube-apiserver does.
 *
 * @param positionals the maximum number of arguments that are not flags
 * @param suggests whether errors name the nearest known flag, which upstream's programs do not
 * @throws UsageError for unknown flags, invalid values and surplus arguments
 */
export function parseFlags(args: readonly string[], flags: readonly Flag[], positionals = 0, suggests = true): ParsedFlags {
  const known = new Map(flags.map((flag) => [flag.name, flag]));
  const options: Record<string, { type: 'string' | 'boolean'; multiple: true }> = {};
  for (const { name, type } of flags) {
    options[name] = { type: type === 'boolean' ? 'boolean' : 'string', multiple: true };
  }
  const { tokens } = parseArgs({
    args: [...args],
    options: { ...options, help: { type: 'boolean', short: 'h' } },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values = new Map<string, string[]>();
  const rest: string[] = [];
  let help: string | undefined;
  for (const token of tokens) {
    if (token.kind === 'positional') rest.push(token.value);
    if (token.kind !== 'option') continue;
    if (token.name === 'help') {
      help = token.value ?? '';
      continue;
    }
    const flag = known.get(token.name);
    if (!flag || !token.rawName.startsWith('--'))
      throw new UsageError(`unknown flag: ${token.rawName}${suggests ? suggested(token.name, known.keys()) : ''}`);
    if (flag.type !== 'boolean' && token.value === undefined) {
      throw new UsageError(`flag needs an argument: ${token.rawName}`);
    }
    const value = token.value ?? 'true';
    if (flag.type === 'boolean' && value !== 'true' && value !== 'false') {
      throw new UsageError(`invalid argument ${JSON.stringify(value)} for ${token.rawName}: must be true or false`);
    }
    values.set(flag.name, [...(values.get(flag.name) ?? []), value]);
  }
  if (help === undefined && rest.length > positionals) throw new UsageError(`unexpected argument: ${rest[positionals]}`);
  const last = (name: string): string | undefined => values.get(name)?.at(-1) ?? known.get(name)?.default;
  return {
    string: last,
    boolean: (name) => last(name) === 'true',
    list: (name) => values.get(name) ?? [],
    positionals: rest,
    help: help !== undefined,
    helpAll: help === 'all',
  };
}

/** Reports whether the first argument of a command with actions requests its help. */
export const isHelpFlag = (argument: string | undefined): boolean =>
  argument === '-h' || argument === '--help' || argument === '--help=all';

/** Returns `, did you mean --port?`, or "". */
function suggested(given: string, known: Iterable<string>): string {
  const meant = suggestionFor(given, known);
  return meant === undefined ? '' : `, did you mean --${meant}?`;
}

/** Formats the flags for --help. */
export function describeFlags(flags: readonly Flag[]): string {
  return flags
    .map(({ name, value, about, default: fallback }) => {
      const head = `      --${name}${value === undefined ? '' : `=${value}`}`;
      const tail = fallback === undefined ? '' : ` (default ${fallback})`;
      return `${head}\n          ${about}${tail}\n`;
    })
    .join('');
}
