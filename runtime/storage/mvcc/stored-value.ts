import type { Change, ChangeSummary, KeyValue } from '../kv/engine.ts';
import { orderKey, plainKey } from './keys.ts';

/**
 * One state of one key. It alone refers to its bytes, and engine, cache and history share it, so that slabs can move
 * the bytes.
 */
export class StoredValue implements KeyValue {
  readonly orderKey: string;
  readonly createRevision: number;
  readonly modRevision: number;
  /** The bytes with the value at `start`. `place` changes both: read them together, and do not keep them. */
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

  /** The value. Until it is packed, this is the written array. */
  get value(): Uint8Array {
    const { bytes, start, length } = this;
    return length === bytes.length ? bytes : bytes.subarray(start, start + length);
  }

  /** Returns the same content with another revision. */
  at(modRevision: number): StoredValue {
    const { key, createRevision } = this;
    const copy = new StoredValue(key, this.value, createRevision, modRevision);
    copy.place(this.bytes, this.start);
    return copy;
  }

  /** Sets the new place of the bytes after they were copied there. */
  place(bytes: Uint8Array, start: number): void {
    this.bytes = bytes;
    this.start = start;
  }
}

/** Returns the size of a value, without computing a lazy value if its size is known. */
export function valueLength(stored: KeyValue & { readonly length?: number }): number {
  return stored.length ?? stored.value.length;
}

export function summaryOf({ type, key, revision, current, previous }: Change): ChangeSummary {
  const size = valueLength(current) + (previous === undefined ? 0 : valueLength(previous));
  return { type, key, revision, hasPrevious: previous !== undefined, size };
}
