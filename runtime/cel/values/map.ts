import { type CelMap, intValue, isInt, type Value } from './value.ts';

/** A key of a JavaScript Map. Equal CEL keys give the same one. */
export type MapKey = string | number | bigint | boolean;

export function mapKey(value: Value): MapKey | undefined {
  if (typeof value === 'string' || typeof value === 'boolean' || isInt(value)) return value;
  if (value === null) return undefined;
  if (value.tag === 'uint') return intValue(value.value);
  if (value.tag !== 'double') return undefined;
  const number = value.value;
  if (!Number.isInteger(number) || Number.isSafeInteger(number)) return number === 0 ? 0 : number;
  return intValue(BigInt(number));
}

export class ValueMap implements CelMap {
  readonly tag = 'map';
  readonly entries: Map<MapKey, readonly [Value, Value]>;
  readonly mutable: boolean;

  constructor(entries: Map<MapKey, readonly [Value, Value]>, mutable = false) {
    this.entries = entries;
    this.mutable = mutable;
  }

  static of(pairs: Iterable<readonly [Value, Value]>): ValueMap {
    const entries = new Map<MapKey, readonly [Value, Value]>();
    for (const pair of pairs) {
      const key = mapKey(pair[0]);
      if (key !== undefined) entries.set(key, pair);
    }
    return new ValueMap(entries);
  }

  get size(): number {
    return this.entries.size;
  }

  find(key: Value): Value | undefined {
    const javaScriptKey = mapKey(key);
    return javaScriptKey === undefined ? undefined : this.entries.get(javaScriptKey)?.[1];
  }

  *keys(): Generator<Value> {
    for (const [key] of this.entries.values()) yield key;
  }
}
