import type { Json, JsonObject } from '../object.ts';
import { Float64 } from './float64.ts';

/** Reports whether a value is a JSON object, not an array or null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Float64);
}

/** Sets a member whose name comes from a client: `__proto__` becomes an ordinary member. */
export function setMember<T>(object: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else object[key] = value;
}

/** Returns an own member; undefined if the object has none of that name. */
export function memberOf<T>(object: Readonly<Record<string, T>>, key: string): T | undefined;
export function memberOf(object: object, key: string): unknown;
export function memberOf(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? (object as Readonly<Record<string, unknown>>)[key] : undefined;
}

/** Reports whether objects and arrays nest deeper than `levels`. */
export function isDeeperThan(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null || value instanceof Float64) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeperThan(item, levels - 1));
  for (const key in value) {
    const member = value[key];
    if (member !== undefined && isDeeperThan(member, levels - 1)) return true;
  }
  return false;
}

/** Returns the name of a value's JSON type in encoding/json's messages. */
export function jsonTypeOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint' || value instanceof Float64) return 'number';
  return typeof value;
}
