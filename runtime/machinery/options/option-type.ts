import { parseMilliseconds } from '../go/duration.ts';

/**
 * Describes the values of an option as data. It checks values, and tests enumerate options from it. `T` is the type of
 * the values; a description never allows more than `T`.
 */
export type OptionType<T = unknown> = OptionShape & { readonly of?: T };

/** An object with options of its own. */
export interface OptionObject {
  readonly kind: 'object';
  readonly members: Readonly<Record<string, OptionType>>;
  /** The members that must be present. */
  readonly required: readonly string[];
  /** Instances of classes may have other members too: programs implement such objects. */
  readonly isImplemented: boolean;
}

export type OptionShape =
  | { readonly kind: 'text' | 'boolean' | 'function' }
  | { readonly kind: 'number'; readonly min: number; readonly max: number; readonly isWhole: boolean }
  | { readonly kind: 'oneOf'; readonly values: readonly string[] }
  | { readonly kind: 'list'; readonly item: OptionType; readonly isNeverEmpty?: boolean }
  | { readonly kind: 'map'; readonly value: OptionType }
  | { readonly kind: 'either'; readonly types: readonly OptionType[] }
  | { readonly kind: 'checked'; readonly wanted: string; readonly accepts: (value: unknown) => boolean }
  | OptionObject;

export const text: OptionType<string> = { kind: 'text' };
export const boolean: OptionType<boolean> = { kind: 'boolean' };

/** A function of the caller. */
export const callback: OptionType<never> = { kind: 'function' };

/** Any finite number between two bounds. */
export const number = (min = -Number.MAX_VALUE, max = Number.MAX_VALUE): OptionType<number> => ({
  kind: 'number',
  min,
  max,
  isWhole: false,
});

/** A whole number. */
export const whole = (min = 0, max = Number.MAX_SAFE_INTEGER): OptionType<number> => ({
  kind: 'number',
  min,
  max,
  isWhole: true,
});

/** The longest delay of a timer, in milliseconds: 2^31 - 1, almost 25 days. */
const maxTimerMs = 2 ** 31 - 1;

/** A delay that a timer can wait, in milliseconds. */
export const milliseconds = (min = 0, max = maxTimerMs): OptionType<number> => number(min, max);

/** A number of things, as flags accept it: up to nine digits. */
export const count = (min = 0, max = 999_999_999): OptionType<number> => whole(min, max);

export const oneOf = <const T extends string>(...values: readonly T[]): OptionType<T> => ({ kind: 'oneOf', values });
export const listOf = <T>(item: OptionType<T>): OptionType<readonly T[]> => ({ kind: 'list', item });
export const mapOf = <T>(value: OptionType<T>): OptionType<Readonly<Record<string, T>>> => ({ kind: 'map', value });
export const either = <T extends readonly unknown[]>(...types: { readonly [K in keyof T]: OptionType<T[K]> }): OptionType<T[number]> => ({
  kind: 'either',
  types: types as readonly OptionType[],
});

/** A list with at least one item. */
export const someOf = <T>(item: OptionType<T>): OptionType<readonly T[]> => ({
  kind: 'list',
  item,
  isNeverEmpty: true,
});

/** One value or a list of them. */
export const oneOrSome = <T>(item: OptionType<T>): OptionType<T | readonly T[]> => either(item, someOf(item));

/** Values that a function accepts. @param wanted as `an AbortSignal` */
export const checked = <T>(wanted: string, accepts: (value: unknown) => boolean): OptionType<T> => ({
  kind: 'checked',
  wanted,
  accepts,
});

/** The members of an object. Each must be described. */
export type Members<T> = { readonly [K in keyof T]-?: OptionType<Exclude<T[K], undefined>> };

type RequiredKey<T> = { [K in keyof T]-?: undefined extends T[K] ? never : K }[keyof T] & string;

/** Describes some members of an object, for objects that are described in parts. */
export const members = <T extends object>(of: Members<T>): Members<T> => of;

/** An object with exactly these members. */
export const object = <T extends object>(of: Members<T>, ...required: readonly RequiredKey<T>[]): OptionType<T> & OptionObject => ({
  kind: 'object',
  members: of,
  required,
  isImplemented: false,
});

/** An object that a program implements. A plain object has exactly these members. */
export const implemented = <T extends object>(of: Members<T>, ...required: readonly RequiredKey<T>[]): OptionType<T> & OptionObject => ({
  ...object(of, ...required),
  isImplemented: true,
});

/** A duration as Go writes it, or a number of milliseconds. */
export const duration: OptionType<string | number> = checked('a duration, as "1m30s" or in milliseconds, 0 or more', (value) => {
  if (typeof value === 'number') return value >= 0 && value < Number.POSITIVE_INFINITY;
  if (typeof value !== 'string') return false;
  try {
    return parseMilliseconds(value) >= 0;
  } catch {
    return false;
  }
});

/** Returns the accepted values of a type, for messages: `a whole number between 0 and 65535`. */
export function wantedOf(type: OptionType): string {
  switch (type.kind) {
    case 'text':
      return 'a text';
    case 'boolean':
      return 'true or false';
    case 'function':
      return 'a function';
    case 'number':
      return numberText(type.isWhole ? 'a whole number' : 'a number', type.min, type.max);
    case 'oneOf':
      return type.values.map((value) => JSON.stringify(value)).join(' or ');
    case 'list':
      return type.isNeverEmpty ? 'a list of one or more' : 'a list';
    case 'map':
    case 'object':
      return 'an object';
    case 'either':
      return [...new Set(type.types.map(wantedOf))].join(' or ');
    default:
      return type.wanted;
  }
}

function numberText(noun: string, min: number, max: number): string {
  const hasMin = min > Number.MIN_SAFE_INTEGER;
  const hasMax = max < Number.MAX_SAFE_INTEGER;
  if (hasMin && hasMax) return `${noun} between ${min} and ${max}`;
  return hasMin ? `${noun}, ${min} or more` : noun.replace('a number', 'a finite number');
}
