/** One cached encoding. Only EncodingCache creates and reads these. */
export interface CachedEncoding {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly owner: EncodingOwner;
  /** Whether the encoding was used since eviction last examined it. */
  hot: boolean;
  /** The next encoding of the same object. */
  next: CachedEncoding | undefined;
}

/** A cached object with a linked list of its encodings. Most objects have one or none. */
export interface EncodingOwner {
  encodings: CachedEncoding | undefined;
}

/** The most hot encodings that an eviction skips. */
const maxSkipped = 8;

/** The approximate memory of a cached encoding besides its bytes. */
const encodingOverhead = 400;

/**
 * A cache of encodings of objects with one budget for all. Eviction picks at random among the encodings that were not
 * used since they were last examined. A part of a list larger than the budget thus stays cached when it is read
 * repeatedly. With LRU or FIFO, each encoding would be evicted just before its next use.
 */
export class EncodingCache {
  readonly #budget: () => number;
  readonly #cached: CachedEncoding[] = [];
  #bytes = 0;

  /** @param budget returns bytes; called for every new encoding, since it can grow with the store */
  constructor(budget: () => number) {
    this.#budget = budget;
  }

  /** The bytes of all cached encodings, including overhead. */
  get bytes(): number {
    return this.#bytes;
  }

  get(owner: EncodingOwner, key: string, encode: () => Uint8Array): Uint8Array {
    for (let encoding = owner.encodings; encoding !== undefined; encoding = encoding.next) {
      if (encoding.key !== key) continue;
      encoding.hot = true;
      return encoding.bytes;
    }
    const bytes = ownMemory(encode());
    const size = bytes.length + encodingOverhead;
    const budget = this.#budget();
    // a large encoding would evict too many others
    if (size > budget / 8) return bytes;
    while (this.#bytes + size > budget) this.#evict();
    const encoding: CachedEncoding = { key, bytes, owner, hot: false, next: owner.encodings };
    owner.encodings = encoding;
    this.#cached.push(encoding);
    this.#bytes += size;
    return bytes;
  }

  /** Drops the encodings that were not used since the last call. */
  cool(): void {
    for (let at = this.#cached.length - 1; at >= 0; at -= 1) {
      const encoding = this.#cached[at];
      if (encoding?.hot) encoding.hot = false;
      else this.#drop(at);
    }
  }

  #evict(): void {
    const cached = this.#cached;
    let at = Math.floor(Math.random() * cached.length);
    for (let skipped = 0; skipped < maxSkipped; skipped += 1) {
      const encoding = cached[at];
      if (encoding === undefined || !encoding.hot) break;
      encoding.hot = false;
      at = (at + 1) % cached.length;
    }
    this.#drop(at);
  }

  #drop(at: number): void {
    const encoding = this.#cached[at];
    const last = this.#cached.pop();
    if (encoding === undefined || last === undefined) return;
    if (last !== encoding) this.#cached[at] = last;
    this.#bytes -= encoding.bytes.length + encodingOverhead;
    const { owner } = encoding;
    if (owner.encodings === encoding) {
      owner.encodings = encoding.next;
      return;
    }
    let before = owner.encodings;
    while (before !== undefined && before.next !== encoding) before = before.next;
    if (before !== undefined) before.next = encoding.next;
  }
}

/** Copies views of larger buffers, which would keep the whole buffer alive. */
function ownMemory(bytes: Uint8Array): Uint8Array {
  return bytes.length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}
