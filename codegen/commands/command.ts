import { parseArgs } from 'node:util';
import { ImportError } from '../import/source.ts';
import { isSchemaErrors, problemLine } from '../load/schema-errors.ts';
import { OutputError } from '../output/output-error.ts';

/** A flag of a command. A flag without a value name is boolean. */
export interface Flag {
  readonly value?: string;
  /** Whether the flag may be given several times. */
  readonly repeated?: boolean;
  readonly about: string;
}

/** The values of flags by name: true for booleans, a list for repeated flags. */
export type FlagValues = Partial<Record<string, string | boolean | readonly string[]>>;

export interface Command {
  readonly name: string;
  readonly about: string;
  readonly flags: Readonly<Record<string, Flag>>;
  run(values: FlagValues): Promise<void>;
}

/** An invalid command line: shown as one line, exit code 1. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
}

/** Finds the known name that a person meant by an unknown one. */
export type Suggest = (given: string, known: Iterable<string>) => string | undefined;

/**
 * Runs a command, or shows its help. Resolves to the exit code; errors go to stderr.
 *
 * @param suggest finds the known flag nearest to an unknown one. Default: no suggestion
 */
export async function runCommand(command: Command, argv: readonly string[], suggest?: Suggest): Promise<number> {
  try {
    const values = readFlags(argv, command.flags, suggest);
    if (values.help) process.stdout.write(helpText(command));
    else await command.run(values);
    return 0;
  } catch (error) {
    showError(error, command.name);
    return 1;
  }
}

/** Writes to stderr why a command failed. */
export function showError(error: unknown, command: string): void {
  for (const line of errorLines(error, command)) process.stderr.write(`${line}\n`);
}

/** Errors of the input have no stack. All other errors are bugs and keep theirs. */
function errorLines(error: unknown, name: string): readonly string[] {
  if (isSchemaErrors(error)) return [...error.problems.map(problemLine), countOf(error.problems.length, 'problem')];
  const { code, message, stack } = error as NodeJS.ErrnoException;
  const isOfInput = [FlagError, ImportError, OutputError].some((type) => error instanceof type);
  const expected = isOfInput || typeof code === 'string';
  return [`kubeloom ${name}: ${expected ? message : (stack ?? message)}`];
}

export function showProgress(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** `1 file`, `2 files`. */
export const countOf = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;

/** Returns the value of a flag; undefined if it is absent or empty. */
export function textFlag(values: FlagValues, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function requiredFlag(values: FlagValues, name: string): string {
  const value = textFlag(values, name);
  if (value === undefined) throw new FlagError(`--${name} is required`);
  return value;
}

/** Returns the values of a repeated flag. */
export function requiredList(values: FlagValues, name: string): readonly string[] {
  const value = values[name];
  const given = Array.isArray(value) ? value.filter((each) => each !== '') : [];
  if (given.length === 0) throw new FlagError(`--${name} is required`);
  return given;
}

/** Reads `--name value` and `--name=value`. Throws FlagError for unknown flags, missing values and other arguments. */
function readFlags(argv: readonly string[], flags: Readonly<Record<string, Flag>>, suggest: Suggest = () => undefined): FlagValues {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { value, repeated = false }]) => [
      name,
      { type: value ? 'string' : 'boolean', multiple: repeated } as const,
    ]),
  );
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      strict: true,
      allowPositionals: false,
    });
    return values as FlagValues;
  } catch (error) {
    const message = (error as Error).message.replace(/\n.*/s, '').replace(/\. To specify.*$/, '');
    const unknown = /^Unknown option '--([^']*)'/.exec(message)?.[1];
    const meant = unknown === undefined ? undefined : suggest(unknown, Object.keys(flags));
    throw new FlagError(meant === undefined ? message : `${message}, did you mean --${meant}?`);
  }
}

function helpText({ name, about, flags }: Command): string {
  const rows = Object.entries(flags).map(([flag, { value, about: text }]): [string, string] => [
    `--${flag}${value ? ` ${value}` : ''}`,
    text,
  ]);
  const width = Math.max(...rows.map(([left]) => left.length));
  return `${about}

Usage:
  kubeloom ${name} [flags]

Flags:
${rows.map(([left, right]) => `  ${left.padEnd(width + 2)}${right}`).join('\n')}
`;
}
