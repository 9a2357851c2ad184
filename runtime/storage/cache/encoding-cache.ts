/** One kept encoding; made and read here alone. */
export interface CachedEncoding {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly home: EncodingOwner;
  /** Asked for since the last look. */
  hot: boolean;
  /** Another encoding of the same object. */
  next: CachedEncoding | undefined;
}

/** What encodings are kept with: an object in the cache. A list, since most have one encoding, if any. */
export interface EncodingOwner {
  encodings: CachedEncoding | undefined;
}

/** How many are looked at for one that is not hot before a hot one goes. */
const looks = 8;

/** Beside its bytes, what keeping a encoding costs, about. */
const encodingOverhead = 400;

/**
 * Other encodings of objects, within one budget for all. What goes is chosen by chance from those not asked for since
 * they were looked at last: of a list larger than the budget, read again and again, a part stays. In the order of
 * making or asking, each would go just before it is asked for.
 */
export class EncodingCache {
  readonly #budget: () => number;
  readonly #kept: CachedEncoding[] = [];
  #bytes = 0;

  /** @param budget in bytes, asked whenever a encoding is made: it may grow with what is stored */
  constructor(budget: () => number) {
    this.#budget = budget;
  }

  /** The bytes held, with their overhead. */
  get bytes(): number {
    return this.#bytes;
  }

  get(home: EncodingOwner, key: string, encode: () => Uint8Array): Uint8Array {
    for (let encoding = home.encodings; encoding !== undefined; encoding = encoding.next) {
      if (encoding.key !== key) continue;
      encoding.hot = true;
      return encoding.bytes;
    }
    const bytes = ownMemory(encode());
    const size = bytes.length + encodingOverhead;
    const budget = this.#budget();
    // One that would push out a large part of the others is not worth keeping.
    if (size > budget / 8) return bytes;
    while (this.#bytes + size > budget) this.#evict();
    const encoding: CachedEncoding = { key, bytes, home, hot: false, next: home.encodings };
    home.encodings = encoding;
    this.#kept.push(encoding);
    this.#bytes += size;
    return bytes;
  }

  /** Drops what nobody has asked for since this was called last. */
  cool(): void {
    for (let at = this.#kept.length - 1; at >= 0; at -= 1) {
      if (this.#kept[at].hot) this.#kept[at].hot = false;
      else this.#drop(at);
    }
  }

  #evict(): void {
    const kept = this.#kept;
    let at = Math.floor(Math.random() * kept.length);
    for (let look = 0; look < looks && kept[at].hot; look += 1) {
      kept[at].hot = false;
      at = (at + 1) % kept.length;
    }
    this.#drop(at);
  }

  #drop(at: number): void {
    const kept = this.#kept;
    const encoding = kept[at];
    kept[at] = kept[kept.length - 1];
    kept.pop();
    this.#bytes -= encoding.bytes.length + encodingOverhead;
    const { home } = encoding;
    if (home.encodings === encoding) {
      home.encodings = encoding.next;
      return;
    }
    let before = home.encodings;
    while (before !== undefined && before.next !== encoding) before = before.next;
    if (before !== undefined) before.next = encoding.next;
  }
}

/** A piece of a larger buffer would keep all of it. */
function ownMemory(bytes: Uint8Array): Uint8Array {
  return bytes.length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}
