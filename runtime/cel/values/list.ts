import { CelError, type Value } from './value.ts';

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

export class ValueList implements CelList {
  readonly tag = 'list';
  readonly items: Value[];
  /** True while a fold builds it: `+` then appends in place. */
  readonly mutable: boolean;

  constructor(items: Value[], mutable = false) {
    this.items = items;
    this.mutable = mutable;
  }

  get size(): number {
    return this.items.length;
  }

  at(index: number): Value {
    return this.items[index];
  }
}

export function* elements(list: CelList): Generator<Value> {
  for (let i = 0; i < list.size; i++) yield list.at(i);
}

export function toArray(list: CelList): Value[] {
  if (list instanceof ValueList) return list.items;
  const items: Value[] = new Array(list.size);
  for (let i = 0; i < items.length; i++) items[i] = list.at(i);
  return items;
}

export function concatenate(a: CelList, b: CelList): CelList {
  if (a instanceof ValueList && a.mutable) {
    for (let i = 0; i < b.size; i++) a.items.push(b.at(i));
    return a;
  }
  if (a.semantics) return a.semantics.add(a, b);
  if (a.size === 0) return b;
  if (b.size === 0) return a;
  return new ValueList([...toArray(a), ...toArray(b)]);
}

export const indexOutOfRange = (index: Value): CelError => new CelError(`index out of bounds: ${index}`);
