import { isIP } from 'node:net';
import { type DurationError, parseMilliseconds } from '../machinery/go/duration.ts';
import { type Flag, invalidFlag, type ParsedFlags } from '../machinery/options/flags.ts';
import * as types from '../machinery/options/option-type.ts';

/** The accepted values of a flag, and their conversion to the value of an option. */
export interface FlagValue<T> extends Pick<Flag, 'type' | 'value' | 'default'> {
  /** What programs may give as the option. */
  readonly check: types.OptionType<Exclude<T, undefined>>;
  /** @throws UsageError if the text of the flag is invalid */
  read(flags: ParsedFlags, name: string): T;
}

/** The maximum delay of setTimeout, in milliseconds. */
const maxTimerMs = 2 ** 31 - 1;

/** A text; undefined if there is no default and the flag is not set. */
export function text(placeholder: string, fallback?: string): FlagValue<string | undefined> {
  return {
    type: 'string',
    value: placeholder,
    default: fallback,
    check: types.text,
    read: (flags, name) => flags.string(name),
  };
}

/** A path. */
export const file = (): FlagValue<string | undefined> => text('FILE');

/** All values of a repeated flag; undefined if it is not set. */
export function list(placeholder: string): FlagValue<readonly string[] | undefined> {
  return {
    type: 'list',
    value: placeholder,
    check: types.listOf(types.text),
    read(flags, name) {
      const values = flags.list(name);
      return values.length === 0 ? undefined : values;
    },
  };
}

/**
 * All values of a repeated flag, whose values may also be separated by commas. "" for none; undefined if it is not set.
 * (pflag StringSlice)
 */
export function commaSeparated(placeholder: string): FlagValue<readonly string[] | undefined> {
  const each = list(placeholder);
  return {
    ...each,
    read: (flags, name) => each.read(flags, name)?.flatMap((value) => (value === '' ? [] : value.split(','))),
  };
}

export function boolean(fallback: boolean): FlagValue<boolean> {
  return { type: 'boolean', default: String(fallback), check: types.boolean, read: (flags, name) => flags.boolean(name) };
}

/** A flag that turns an option off. */
export function negated(): FlagValue<boolean> {
  return { type: 'boolean', default: 'false', check: types.boolean, read: (flags, name) => !flags.boolean(name) };
}

export function oneOf<const T extends string>(values: readonly T[], fallback: NoInfer<T>): FlagValue<T> {
  return parsed(types.oneOf(...values), values.join('|'), fallback, (given, name) => {
    const known = values.find((value) => value === given);
    if (known === undefined) throw invalidFlag(name, given, `must be one of ${values.join(', ')}`);
    return known;
  });
}

export function ipAddress(fallback: string): FlagValue<string> {
  return parsed(types.text, 'IP', fallback, (given, name) => {
    if (isIP(given) === 0) throw invalidFlag(name, given, 'must be an IP address');
    return given;
  });
}

export function port(fallback: number): FlagValue<number> {
  return parsed(types.whole(0, 65_535), 'PORT', String(fallback), (given, name) => {
    const number = Number(given);
    if (!/^\d+$/.test(given) || number > 65535) throw invalidFlag(name, given, 'must be between 0 and 65535');
    return number;
  });
}

/** Like `port`, with a default that is set elsewhere. Undefined if the flag is not set. */
export function portIfSet(): FlagValue<number | undefined> {
  const ifSet = port(0);
  return {
    type: ifSet.type,
    value: ifSet.value,
    check: ifSet.check,
    read: (flags, name) => (flags.string(name) === undefined ? undefined : ifSet.read(flags, name)),
  };
}

/** A whole number, 0 or more. */
export function count(fallback: number, max = 999_999_999): FlagValue<number> {
  return parsed(types.count(), 'NUMBER', String(fallback), (given, name) => {
    if (!/^\d{1,9}$/.test(given)) throw invalidFlag(name, given, 'must be a non-negative number');
    if (Number(given) > max) throw invalidFlag(name, given, `must be at most ${max}`);
    return Number(given);
  });
}

/** A decimal number, 0 or more. */
export function float(fallback: number): FlagValue<number> {
  return parsed(types.number(0), 'NUMBER', String(fallback), (given, name) => {
    if (!/^\d{1,9}(\.\d{1,9})?$/.test(given)) throw invalidFlag(name, given, 'must be a non-negative number');
    return Number(given);
  });
}

/** A number of seconds. Twice the number must fit into the maximum delay of a timer. */
export function seconds(fallback: number): FlagValue<number> {
  return parsed(types.whole(1, 1_073_741), 'SECONDS', String(fallback), (given, name) => {
    const number = Number(given);
    if (!/^\d+$/.test(given) || number === 0 || number * 2000 > maxTimerMs) {
      throw invalidFlag(name, given, 'must be a number of seconds between 1 and 1073741');
    }
    return number;
  });
}

/** A duration such as `1m30s`, in milliseconds, from `min` to `max`. Default of `max`: the maximum delay of a timer. */
export function duration(fallback: string, min = 0, max = maxTimerMs): FlagValue<number> {
  return parsed(types.milliseconds(min, max), 'DURATION', fallback, (given, name) => {
    const milliseconds = readDuration(given, name);
    if (milliseconds < min) {
      throw invalidFlag(name, given, min === 0 ? 'must not be negative' : `must be at least ${min}ms`);
    }
    if (milliseconds > max) throw invalidFlag(name, given, 'must be at most 596h');
    return milliseconds;
  });
}

/** Like `duration`, with a default that depends on other flags. Undefined if the flag is not set. */
export function durationIfSet(): FlagValue<number | undefined> {
  const ifSet = duration('0s');
  return {
    type: ifSet.type,
    value: ifSet.value,
    check: ifSet.check,
    read: (flags, name) => (flags.string(name) === undefined ? undefined : ifSet.read(flags, name)),
  };
}

function readDuration(given: string, name: string): number {
  try {
    return parseMilliseconds(given);
  } catch (error) {
    throw invalidFlag(name, given, (error as DurationError).message);
  }
}

/** A flag with a default, whose text is parsed. */
function parsed<T>(
  check: types.OptionType<Exclude<T, undefined>>,
  placeholder: string,
  fallback: string,
  parse: (given: string, name: string) => T,
): FlagValue<T> {
  return {
    type: 'string',
    value: placeholder,
    default: fallback,
    check,
    read: (flags, name) => parse(flags.string(name) ?? '', name),
  };
}
