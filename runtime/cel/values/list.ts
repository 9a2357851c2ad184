import { CelError, type CelList, type Value } from './value.ts';

export class ValueList implements CelList {
  readonly tag = 'list';
  readonly items: Value[];
  /** Whether a fold is building the list: `+` then appends in place. */
  readonly mutable: boolean;

  constructor(items: Value[], mutable = false) {
    this.items = items;
    this.mutable = mutable;
  }

  get size(): number {
    return this.items.length;
  }

  at(index: number): Value {
    const item = this.items[index];
    return item === undefined ? indexOutOfRange(index) : item;
  }
}

/** A concatenation. It copies no elements, because its cost does not depend on their number. */
class JoinedList implements CelList {
  readonly tag = 'list';
  readonly size: number;
  readonly #first: CelList;
  readonly #second: CelList;

  constructor(first: CelList, second: CelList) {
    this.#first = first;
    this.#second = second;
    this.size = first.size + second.size;
  }

  at(index: number): Value {
    let list: CelList = this;
    let remaining = index;
    while (list instanceof JoinedList) {
      if (remaining < list.#first.size) list = list.#first;
      else {
        remaining -= list.#first.size;
        list = list.#second;
      }
    }
    return list.at(remaining);
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
  return a.semantics ? a.semantics.add(a, b) : join(a, b);
}

/** Returns the elements of both lists, in order. */
export function join(a: CelList, b: CelList): CelList {
  if (a.size === 0) return b;
  return b.size === 0 ? a : new JoinedList(a, b);
}

export const indexOutOfRange = (index: Value): CelError => new CelError(`index out of bounds: ${index}`);
