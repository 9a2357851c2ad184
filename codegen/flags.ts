import { parseArgs } from 'node:util';

/** A flag of a codegen command: boolean where it has no value name. */
export interface Flag {
  readonly value?: string;
  readonly about: string;
}

/** A command line that cannot be taken: shown as one line, exit code 1. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
}

/**
 * Reads `--name value` and `--name=value`.
 * @returns values by flag name, true for booleans
 * @throws FlagError for flags it does not know, missing values, and arguments that are no flags
 */
export function readFlags<Name extends string>(
  argv: readonly string[],
  flags: Readonly<Record<Name, Flag>>,
): Partial<Record<Name | 'help', string | boolean>> {
  const options = Object.fromEntries(
    Object.entries<Flag>(flags).map(([name, { value }]) => [name, { type: value ? 'string' : 'boolean' } as const]),
  );
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      strict: true,
      allowPositionals: false,
    });
    return values as Partial<Record<Name | 'help', string | boolean>>;
  } catch (error) {
    throw new FlagError((error as Error).message.split('\n')[0].replace(/\. To specify.*$/, ''));
  }
}

export function helpText(usage: string, about: string, flags: Readonly<Record<string, Flag>>): string {
  const rows = Object.entries(flags).map(([name, { value, about: text }]): [string, string] => [
    `--${name}${value ? ` ${value}` : ''}`,
    text,
  ]);
  const width = Math.max(...rows.map(([left]) => left.length));
  return `${about}

Usage:
  ${usage}

Flags:
${rows.map(([left, right]) => `  ${left.padEnd(width + 2)}${right}`).join('\n')}
`;
}
