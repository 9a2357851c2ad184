import { parseArgs } from 'node:util';

/** One flag: what it is called, what it takes, what --help says of it. */
export interface Flag {
  readonly name: string;
  /** `boolean` flags may stand alone; `list` flags may be repeated. */
  readonly type: 'string' | 'boolean' | 'list';
  /** What the value is, for --help: `PATH`, `DURATION`. */
  readonly value?: string;
  readonly default?: string;
  readonly about: string;
}

/** A command line that cannot be taken. Shown as one line on stderr; the exit code is 1. */
export class UsageError extends Error {
  readonly isUsageError = true;
}

export function isUsageError(error: unknown): error is UsageError {
  return typeof error === 'object' && error !== null && (error as UsageError).isUsageError === true;
}

export interface ParsedFlags {
  string(name: string): string | undefined;
  boolean(name: string): boolean;
  list(name: string): readonly string[];
  readonly positionals: readonly string[];
  readonly help: boolean;
}

/**
 * Reads `--name=value`, `--name value`, `--boolean` and `--boolean=false`, as kube-apiserver's flags are written.
 *
 * @param positionals how many arguments that are no flags may stand there
 * @throws UsageError for anything else
 */
export function parseFlags(args: readonly string[], flags: readonly Flag[], positionals = 0): ParsedFlags {
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
  let help = false;
  for (const token of tokens) {
    if (token.kind === 'positional') rest.push(token.value);
    if (token.kind !== 'option') continue;
    if (token.name === 'help') {
      help = true;
      continue;
    }
    const flag = known.get(token.name);
    if (!flag || !token.rawName.startsWith('--')) throw new UsageError(`unknown flag: ${token.rawName}`);
    if (flag.type !== 'boolean' && token.value === undefined) {
      throw new UsageError(`flag needs an argument: ${token.rawName}`);
    }
    const value = token.value ?? 'true';
    if (flag.type === 'boolean' && value !== 'true' && value !== 'false') {
      throw new UsageError(`invalid argument ${JSON.stringify(value)} for ${token.rawName}: want true or false`);
    }
    values.set(flag.name, [...(values.get(flag.name) ?? []), value]);
  }
  if (!help && rest.length > positionals) throw new UsageError(`unexpected argument: ${rest[positionals]}`);
  const last = (name: string): string | undefined => values.get(name)?.at(-1) ?? known.get(name)?.default;
  return {
    string: last,
    boolean: (name) => last(name) === 'true',
    list: (name) => values.get(name) ?? [],
    positionals: rest,
    help,
  };
}

/** The flags as --help shows them. */
export function describeFlags(flags: readonly Flag[]): string {
  return flags
    .map(({ name, value, about, default: fallback }) => {
      const head = `      --${name}${value === undefined ? '' : `=${value}`}`;
      const tail = fallback === undefined ? '' : ` (default ${fallback})`;
      return `${head}\n          ${about}${tail}\n`;
    })
    .join('');
}
