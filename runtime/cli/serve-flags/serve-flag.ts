import type { ServerOptions } from '../../options/server-options.ts';
import { type Flag, type ParsedFlags, UsageError } from '../flags.ts';

/** What a flag accepts, and how its text becomes the value of an option. */
export interface FlagValue<T> extends Pick<Flag, 'type' | 'value' | 'default'> {
  /** @throws UsageError if the text of the flag is invalid */
  read(flags: ParsedFlags, name: string): T;
}

/** A flag of `kubeloom serve`, and the option that it sets. */
export type ServeFlag = { [K in keyof ServerOptions]-?: OptionFlag<K> }[keyof ServerOptions];

interface OptionFlag<K extends keyof ServerOptions> {
  readonly name: string;
  readonly option: K;
  readonly value: FlagValue<ServerOptions[K]>;
  /** The description in --help. */
  readonly about: string;
}

/** The flag as the parser and --help take it. */
export function parsedFlag({ name, value, about }: Omit<ServeFlag, 'option'>): Flag {
  const { type, value: placeholder, default: fallback } = value;
  return { name, type, value: placeholder, default: fallback, about };
}

export function invalidFlag(name: string, value: string, why: string): UsageError {
  return new UsageError(`invalid argument ${JSON.stringify(value)} for --${name}: ${why}`);
}
