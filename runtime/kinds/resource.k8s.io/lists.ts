import type { Field } from '../../machinery/validation/field.ts';
import { byteLength } from '../../machinery/validation/name-formats.ts';

/**
 * Lists and maps with a maximum number of items. No item of a longer one is validated, since v1.35.
 * (pkg/apis/resource/validation/validation.go)
 */

type Validate<T> = (item: T, field: Field) => void;

/** (validateSlice) */
export function eachOf<T>(items: readonly T[], max: number, field: Field, validate: Validate<T>): void {
  const isRead = items.length <= max || !field.follows('LongListIsNotRead');
  if (isRead) for (const [index, item] of items.entries()) validate(item, field.index(index));
  if (items.length > max) field.tooMany(items.length, max);
}

interface SetOf<T> {
  readonly items: readonly T[];
  readonly max: number;
  /** Returns the unique key of an item. */
  keyOf(item: T): string;
  /** The member that is the key, which names duplicates before v1.35. Default: the item is the key. */
  readonly member?: string;
  /** Returns a duplicate key as errors show it. Default: the key itself. */
  readonly shown?: (item: T) => unknown;
}

/** (validateSet) */
export function eachOfSet<T>({ items, max, keyOf, member, shown = keyOf }: SetOf<T>, field: Field, validate: Validate<T>): void {
  eachOf(items, max, field, validate);
  if (items.length > max && field.follows('LongListIsNotRead')) return;
  const named = field.follows('DuplicateIsNamedByIndex') ? undefined : member;
  const keys = new Set<string>();
  for (const [index, item] of items.entries()) {
    const key = keyOf(item);
    const at = field.index(index);
    if (keys.has(key)) (named === undefined ? at : at.child(named)).duplicate(shown(item));
    keys.add(key);
  }
}

/** Shortens a long key in its middle. (truncateIfTooLong) */
export function shortKey(key: string, max: number): string {
  if (byteLength(key) <= max) return key;
  const bytes = Buffer.from(key);
  const remaining = max - '...'.length;
  const [head, tail] = [Math.floor((remaining + 1) / 2), Math.floor(remaining / 2)];
  return `${bytes.subarray(0, head)}...${bytes.subarray(bytes.length - tail)}`;
}
