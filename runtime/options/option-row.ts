import type { OptionType } from '../machinery/options/option-type.ts';
import type { FlagValue } from './flag-values.ts';
import type { ServerOptions } from './server-options.ts';

/**
 * The description of one option. `make generate` writes ServerOptions and docs/options.md from the rows, `startServer`
 * checks option values with them, and `kubeloom serve` takes its flags from them. For example:
 *
 *     {
 *       option: 'eventTTL',
 *       flag: 'event-ttl',
 *       value: duration('1h'),
 *       about: 'How long to keep an Event that is not written again.',
 *       doc: 'Milliseconds after its last write when an Event is deleted. Default: an hour.',
 *     }
 */
export type OptionRow = { [K in keyof ServerOptions]-?: Row<K> | FlagRow<K> }[keyof ServerOptions];

/** The row of an option that a flag sets. */
export type OptionFlag = { [K in keyof ServerOptions]-?: FlagRow<K> }[keyof ServerOptions];

interface Row<K extends keyof ServerOptions> {
  /** The member of ServerOptions. */
  readonly option: K;
  /** Checks values from programs. Default: the check of the flag. */
  readonly check?: OptionType<Exclude<ServerOptions[K], undefined>>;
  /** The TypeScript type of the option. Default: derived from the check. */
  readonly type?: string;
  /** The comment of the member. Default: `about`. */
  readonly doc?: string;
}

interface FlagRow<K extends keyof ServerOptions> extends Row<K> {
  /** The name of the flag without leading hyphens; kube-apiserver's name if it has the flag. */
  readonly flag: string;
  readonly value: FlagValue<ServerOptions[K]>;
  /** The description in --help. */
  readonly about: string;
}

export const isFlag = (row: OptionRow): row is OptionFlag => 'flag' in row;
