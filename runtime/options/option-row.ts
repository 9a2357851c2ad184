import type { OptionType } from '../machinery/options/option-type.ts';
import type { FlagValue } from './flag-values.ts';
import type { ServerOptions } from './server-options.ts';

/**
 * An option of a server, and all that is known of it. `make generate` writes ServerOptions and docs/options.md from the rows; the
 * server checks the values that programs give by them, and `kubeloom serve` has its flags from them. For example:
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
  /** The values that it takes from programs. Default: those of the flag. */
  readonly check?: OptionType<Exclude<ServerOptions[K], undefined>>;
  /** Their TypeScript type. Default: that of the check. */
  readonly type?: string;
  /** The comment of the member. Default: `about`. */
  readonly doc?: string;
}

interface FlagRow<K extends keyof ServerOptions> extends Row<K> {
  /** Its name without hyphens in front. kube-apiserver's, if it has that flag. */
  readonly flag: string;
  readonly value: FlagValue<ServerOptions[K]>;
  /** The description in --help. */
  readonly about: string;
}

export const isFlag = (row: OptionRow): row is OptionFlag => 'flag' in row;
