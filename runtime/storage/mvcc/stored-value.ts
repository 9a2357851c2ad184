import type { Change, ChangeNote, KeyValue } from '../kv/engine.ts';
import { orderKey, plainKey } from './keys.ts';

/**
 * What is kept of one state of one key, and the only place that knows where its bytes are: engine, cache and history
 * share it, so that the bytes can be packed with others, and moved, under all of them.
 */
export class StoredValue implements KeyValue {
  readonly orderKey: string;
  readonly createRevision: number;
  readonly modRevision: number;
  /** The bytes are `length` of these, from `start` on. Changed by `place` alone: read them together, every time. */
  bytes: Uint8Array;
  start = 0;
  readonly length: number;

  constructor(key: string, value: Uint8Array, createRevision: number, modRevision: number) {
    this.orderKey = orderKey(key);
    this.createRevision = createRevision;
    this.modRevision = modRevision;
    this.bytes = value;
    this.length = value.length;
  }

  static of(stored: KeyValue): StoredValue {
    if (stored instanceof StoredValue) return stored;
    return new StoredValue(stored.key, stored.value, stored.createRevision, stored.modRevision);
  }

  get key(): string {
    return plainKey(this.orderKey);
  }

  /** Until it is packed, the very array that was written. */
  get value(): Uint8Array {
    const { bytes, start, length } = this;
    return length === bytes.length ? bytes : bytes.subarray(start, start + length);
  }

  /** The same content at another revision. */
  at(modRevision: number): StoredValue {
    const { key, createRevision } = this;
    const copy = new StoredValue(key, this.value, createRevision, modRevision);
    copy.place(this.bytes, this.start);
    return copy;
  }

  /** From now on the bytes are read from here, where they have been copied. */
  place(bytes: Uint8Array, start: number): void {
    this.bytes = bytes;
    this.start = start;
  }
}

/** The size of a value, without making a view of it. */
export function valueLength(stored: KeyValue): number {
  return stored instanceof StoredValue ? stored.length : stored.value.length;
}

export function noteOf({ type, key, revision, current, previous }: Change): ChangeNote {
  const size = valueLength(current) + (previous === undefined ? 0 : valueLength(previous));
  return { type, key, revision, hasPrevious: previous !== undefined, size };
}
