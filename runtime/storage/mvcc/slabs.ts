import type { StoredValue } from './stored-value.ts';

/** A buffer that many values share. */
interface Slab {
  readonly bytes: Buffer;
  used: number;
  /** Bytes of values that somebody can still ask for, or that are on their way to the engine. */
  live: number;
  /** No longer counted: what is live in it has moved, or belongs to whoever holds it. */
  isGivenUp: boolean;
}

const smallest = 64 * 1024;
const largest = 2 ** 20;
/** Values from this size on keep their own buffer: a few of them would fill a slab and leave much of it empty. */
const ownBuffer = 128 * 1024;

/** What may lie dead in sparse slabs before it is worth looking for the values between: this, and a share of all. */
const leastDead = 4 * 2 ** 20;
const deadShare = 0.1;

/**
 * Values packed side by side in large buffers. An array for each costs about half a kilobyte beside its bytes, in
 * the heap, outside of it and between the allocator's blocks.
 *
 * Nothing here is ever freed or used again by hand: a slab goes when the last value in it moved or went, whoever held
 * it, be it a snapshot or a socket. The counts only decide when moving what is left is worth it.
 */
export class Slabs {
  #open: Slab | undefined;
  /** By their memory: values on their way are views of it. */
  readonly #slabs = new WeakMap<ArrayBufferLike, Slab>();
  readonly #sparse = new Set<Slab>();
  #held = 0;
  #dead = 0;

  /** The bytes of all slabs that are not yet given up. */
  get held(): number {
    return this.#held;
  }

  /** Encodes a text as UTF-8 where it can stay: gives a view for `pack`, or for `discard` if it is not stored. */
  write(text: string): Uint8Array {
    const length = Buffer.byteLength(text);
    if (length >= ownBuffer) return Buffer.from(text);
    const bytes = this.take(length);
    (bytes as Buffer).write(text);
    return bytes;
  }

  /** Memory where bytes can stay that are written to it now: a view for `pack`, or for `discard`. */
  readonly take = (length: number): Uint8Array => {
    if (length >= ownBuffer) return new Uint8Array(length);
    const slab = this.#slabFor(length);
    const start = slab.used;
    slab.used += length;
    slab.live += length;
    return slab.bytes.subarray(start, slab.used);
  };

  /** What `write` gave is not stored. */
  discard(written: Uint8Array): void {
    const slab = this.#slabs.get(written.buffer);
    if (slab !== undefined) this.#leave(slab, written.length);
  }

  /** Puts the value where others are, once. */
  pack(value: StoredValue): void {
    const { bytes, length } = value;
    if (length >= ownBuffer) return;
    const slab = this.#slabs.get(bytes.buffer);
    if (slab === undefined) this.#copy(value);
    else if (slab.bytes !== bytes) value.place(slab.bytes, bytes.byteOffset);
  }

  /** Nobody will ask for this value any more. */
  release(value: StoredValue): void {
    const slab = this.#slabs.get(value.bytes.buffer);
    if (slab !== undefined) this.#leave(slab, value.length);
  }

  /** True when so much is dead in slabs that are mostly dead that `moveFrom` should see every value that is live. */
  get isSparse(): boolean {
    return this.#dead > leastDead + this.#held * deadShare;
  }

  /** The slabs that are mostly dead now. */
  sparse(): ReadonlySet<Slab> {
    return new Set(this.#sparse);
  }

  /** Moves the value where it lies in one of these slabs. */
  moveFrom(slabs: ReadonlySet<Slab>, value: StoredValue): void {
    const slab = this.#slabs.get(value.bytes.buffer);
    if (slab === undefined || !slabs.has(slab)) return;
    this.#copy(value);
    this.#leave(slab, value.length);
  }

  /** Every live value was seen: what is still in these slabs belongs to whoever holds it. */
  giveUp(slabs: ReadonlySet<Slab>): void {
    for (const slab of slabs) this.#giveUp(slab);
  }

  #giveUp(slab: Slab): void {
    if (slab.isGivenUp) return;
    slab.isGivenUp = true;
    if (this.#sparse.delete(slab)) this.#dead -= slab.used - slab.live;
    this.#held -= slab.bytes.length;
  }

  #leave(slab: Slab, length: number): void {
    slab.live -= length;
    if (this.#sparse.has(slab)) this.#dead += length;
    if (slab !== this.#open) this.#consider(slab);
  }

  #copy(value: StoredValue): void {
    const { bytes, start, length } = value;
    const slab = this.#slabFor(length);
    slab.bytes.set(start === 0 && length === bytes.length ? bytes : bytes.subarray(start, start + length), slab.used);
    value.place(slab.bytes, slab.used);
    slab.used += length;
    slab.live += length;
  }

  #slabFor(length: number): Slab {
    const open = this.#open;
    if (open !== undefined && open.used + length <= open.bytes.length) return open;
    const size = Math.max(length, open === undefined ? smallest : Math.min(largest, open.bytes.length * 2));
    const slab: Slab = { bytes: Buffer.allocUnsafeSlow(size), used: 0, live: 0, isGivenUp: false };
    this.#slabs.set(slab.bytes.buffer, slab);
    this.#held += size;
    this.#open = slab;
    if (open !== undefined) this.#consider(open);
    return slab;
  }

  /** A full slab of which less than half is live is sparse; one with nothing live is of no more interest. */
  #consider(slab: Slab): void {
    const { used, live } = slab;
    if (slab.isGivenUp) return;
    if (live <= 0) {
      this.#giveUp(slab);
    } else if (live * 2 < used && !this.#sparse.has(slab)) {
      this.#sparse.add(slab);
      this.#dead += used - live;
    }
  }
}
