import type { Type } from '../types/type.ts';

/**
 * A value as expressions compute with it.
 *
 * - null, bool, string: the JavaScript value;
 * - int: a number while it is safe, a bigint beyond 2^53 (never the other way round, so `===` compares ints);
 * - everything else: an object with a `tag`; double is one of them, since ints are far more common.
 */
export type Value = null | boolean | string | number | bigint | Tagged;

export type Tagged =
  | Double
  | Uint
  | Bytes
  | Timestamp
  | Duration
  | Optional
  | TypeValue
  | CelList
  | CelMap
  | Opaque
  | CelError;

export class Double {
  readonly tag = 'double';
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

export class Uint {
  readonly tag = 'uint';
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

export class Bytes {
  readonly tag = 'bytes';
  readonly value: Uint8Array;

  constructor(value: Uint8Array) {
    this.value = value;
  }
}

/** An instant, to the nanosecond. */
export class Timestamp {
  readonly tag = 'timestamp';
  /** Nanoseconds since 1970. */
  readonly value: bigint;
  /** Seconds east of UTC of the text it was read from; only string() shows it. */
  readonly offset: number;

  constructor(value: bigint, offset = 0) {
    this.value = value;
    this.offset = offset;
  }
}

export class Duration {
  readonly tag = 'duration';
  /** Nanoseconds. */
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** A value or none. */
export class Optional {
  readonly tag = 'optional';
  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    this.value = value;
  }
}

export const none = new Optional(undefined);

export class TypeValue {
  readonly tag = 'type';
  readonly type: Type;

  constructor(type: Type) {
    this.type = type;
  }
}

/** A list as expressions see it. Elements are made when they are asked for. */
export interface CelList {
  readonly tag: 'list';
  readonly size: number;
  /** The index is in range. */
  at(index: number): Value;
  /** Set lists and map lists add and compare in their own way. */
  readonly semantics?: ListSemantics;
  readonly mutable?: boolean;
}

export interface ListSemantics {
  /** `list + other`. */
  add(list: CelList, other: CelList): CelList;
  equal(list: CelList, other: CelList): Value;
}

/** A map, message or object as expressions see it. */
export interface CelMap {
  readonly tag: 'map';
  readonly size: number;
  /** Undefined: no such key. May be a CelError: the key is of a kind no key has. */
  find(key: Value): Value | undefined;
  keys(): Iterable<Value>;
  /** JSON objects compare with each other in their own way. */
  equal?(other: CelMap): Value;
}

/** A value of a library's own type: quantity, url, ip, cidr, format, semver. */
export interface Opaque {
  readonly tag: 'opaque';
  readonly type: Type;
  /** Undefined: not comparable with it. */
  equals(other: Value): boolean | undefined;
  /** What costs are counted by; absent where it is 1. */
  size?(): number;
}

/** What went wrong; passed on as a value, since `||` and `&&` may absorb it. */
export class CelError {
  readonly tag = 'error';
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export const noSuchOverload = new CelError('no such overload');

export function isError(value: Value): value is CelError {
  return typeof value === 'object' && value !== null && value.tag === 'error';
}

const maxSafe = BigInt(Number.MAX_SAFE_INTEGER);

/** The one form of an int: a number where that is exact. */
export function intValue(value: bigint): number | bigint {
  return value <= maxSafe && value >= -maxSafe ? Number(value) : value;
}

export const isInt = (value: Value): value is number | bigint => typeof value === 'number' || typeof value === 'bigint';

export function isTagged<Tag extends Tagged['tag']>(value: Value, tag: Tag): value is Extract<Tagged, { tag: Tag }> {
  return typeof value === 'object' && value !== null && value.tag === tag;
}
