import type { Type } from '../types/type.ts';

/**
 * A value of an expression.
 *
 * - null, bool and string are the JavaScript values;
 * - an int is a number if that is safe, and a bigint only beyond 2^53, so `===` compares ints;
 * - all others, including double, are objects with a `tag`, because ints are far more common.
 */
export type Value = null | boolean | string | number | bigint | Tagged;

export type Tagged = Double | Uint | Bytes | Timestamp | Duration | Optional | TypeValue | CelList | CelMap | Opaque | CelError;

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

/** A point in time. */
export class Timestamp {
  readonly tag = 'timestamp';
  /** Nanoseconds since 1970. */
  readonly value: bigint;
  /** The zone of the parsed text, in seconds east of UTC. Only string() shows it. */
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

/** An optional value. */
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

/** A list. Its elements may be created on demand. (cel-go traits.Lister) */
export interface CelList {
  readonly tag: 'list';
  readonly size: number;
  /** @param index must be in range */
  at(index: number): Value;
  /** How to add and compare; set for sets and map lists. */
  readonly semantics?: ListSemantics;
  readonly mutable?: boolean;
}

export interface ListSemantics {
  /** Implements `list + other`. */
  add(list: CelList, other: CelList): CelList;
  equal(list: CelList, other: CelList): Value;
}

/** A map, message or object. (cel-go traits.Mapper) */
export interface CelMap {
  readonly tag: 'map';
  readonly size: number;
  /** Returns undefined if the key is missing, or a CelError if keys cannot have its type. */
  find(key: Value): Value | undefined;
  keys(): Iterable<Value>;
  /** Compares two maps; set for JSON objects. */
  equal?(other: CelMap): Value;
}

/** A value of a library type: quantity, url, ip, cidr, format, semver. */
export interface Opaque {
  readonly tag: 'opaque';
  readonly type: Type;
  /** Returns undefined if the values are not comparable. */
  equals(other: Value): boolean | undefined;
  /** The size for the cost. Default: 1. */
  size?(): number;
  /** Reports whether optional.ofNonZeroValue treats the value as absent. Default: false. */
  isZero?(): boolean;
}

/** An error. It is a value because `||` and `&&` may absorb it. */
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

/** Converts to the representation of ints: a number if that is exact. */
export function intValue(value: bigint): number | bigint {
  return value <= maxSafe && value >= -maxSafe ? Number(value) : value;
}

export const isInt = (value: Value): value is number | bigint => typeof value === 'number' || typeof value === 'bigint';

export function isTagged<Tag extends Tagged['tag']>(value: Value, tag: Tag): value is Extract<Tagged, { tag: Tag }> {
  return typeof value === 'object' && value !== null && value.tag === tag;
}
