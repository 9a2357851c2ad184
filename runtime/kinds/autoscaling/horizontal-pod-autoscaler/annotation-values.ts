import { DecodeError } from '../../../machinery/errors/decode-error.ts';
import { isJsonObject, setMember } from '../../../machinery/json/values.ts';
import { quantity as canonicalQuantity } from '../../../machinery/prune/special-types.ts';
import { canonicalTime } from '../../../machinery/scalars/time.ts';

/**
 * Reads JSON as encoding/json reads it into a Go type. Returns undefined for null. @throws DecodeError for a wrong type
 */
export type Decode<T> = (value: unknown) => T | undefined;

const wrong = (wanted: string): DecodeError => new DecodeError(`json: not ${wanted}`);

export const text: Decode<string> = (value) => {
  if (value === null) return undefined;
  if (typeof value !== 'string') throw wrong('a string');
  return value;
};

/** An int32. */
export const integer: Decode<number> = (value) => {
  if (value === null) return undefined;
  if (typeof value !== 'number' || value !== (value | 0)) throw wrong('an int32');
  return value;
};

export const quantity: Decode<string> = (value) => (value === null ? undefined : canonicalQuantity(value));

export const time: Decode<string> = (value) => {
  const given = text(value);
  return given === undefined ? undefined : (canonicalTime(given) ?? undefined);
};

export const textMap: Decode<Record<string, string>> = (value) => {
  if (value === null) return undefined;
  if (!isJsonObject(value)) throw wrong('an object');
  const map: Record<string, string> = {};
  for (const [key, member] of Object.entries(value)) setMember(map, key, text(member) ?? '');
  return map;
};

export const list =
  <T>(item: Decode<T>): Decode<T[]> =>
  (value) => {
    if (value === null) return undefined;
    if (!Array.isArray(value)) throw wrong('a list');
    return value.map(item).filter((one) => one !== undefined);
  };

/** Drops unknown members and members that are null. */
export const struct =
  <T extends object>(fields: { readonly [Name in keyof T]-?: Decode<T[Name]> }): Decode<T> =>
  (value) => {
    if (value === null) return undefined;
    if (!isJsonObject(value)) throw wrong('an object');
    const object: Partial<T> = {};
    for (const name in fields) {
      const member = Object.hasOwn(value, name) ? fields[name](value[name]) : undefined;
      if (member !== undefined) object[name] = member;
    }
    return object as T;
  };
