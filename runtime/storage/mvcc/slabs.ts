import type { StoredValue } from './stored-value.ts';

/** A buffer that many values share. */
interface Slab {
  readonly bytes: Buffer;
  used: number;
  /** Bytes of values that somebody can still ask for. */
  live: number;
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
  readonly #slabs = new WeakMap<Uint8Array, Slab>();
  readonly #sparse = new Set<Uint8Array>();
  #held = 0;
  #dead = 0;

  /** The bytes of all slabs that are not yet given up. */
  get held(): number {
    return this.#held;
  }

  /** Copies the value to where others are, once. */
  pack(value: StoredValue): void {
    if (value.length >= ownBuffer || this.#slabs.has(value.bytes)) return;
    this.#copy(value);
  }

  /** Nobody will ask for this value any more. */
  release(value: StoredValue): void {
    const slab = this.#slabs.get(value.bytes);
    if (slab !== undefined) this.#leave(slab, value.length);
  }

  /** True when so much is dead in slabs that are mostly dead that `moveFrom` should see every value that is live. */
  get isSparse(): boolean {
    return this.#dead > leastDead + this.#held * deadShare;
  }

  /** The slabs that are mostly dead now. */
  sparse(): ReadonlySet<Uint8Array> {
    return new Set(this.#sparse);
  }

  /** Moves the value where it lies in one of these slabs. */
  moveFrom(slabs: ReadonlySet<Uint8Array>, value: StoredValue): void {
    if (!slabs.has(value.bytes)) return;
    const slab = this.#slabs.get(value.bytes);
    this.#copy(value);
    if (slab !== undefined) this.#leave(slab, value.length);
  }

  /** Every live value was seen: what is still in these slabs belongs to whoever holds it. */
  giveUp(slabs: ReadonlySet<Uint8Array>): void {
    for (const bytes of slabs) this.#giveUp(bytes);
  }

  #giveUp(bytes: Uint8Array): void {
    const slab = this.#slabs.get(bytes);
    if (slab === undefined) return;
    if (this.#sparse.delete(bytes)) this.#dead -= slab.used - slab.live;
    this.#slabs.delete(bytes);
    this.#held -= bytes.length;
  }

  #leave(slab: Slab, length: number): void {
    slab.live -= length;
    if (this.#sparse.has(slab.bytes)) this.#dead += length;
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
    const bytes = Buffer.allocUnsafeSlow(size);
    const slab: Slab = { bytes, used: 0, live: 0 };
    this.#slabs.set(bytes, slab);
    this.#held += size;
    this.#open = slab;
    if (open !== undefined) this.#consider(open);
    return slab;
  }

  /** A full slab of which less than half is live is sparse; one with nothing live is of no more interest. */
  #consider(slab: Slab): void {
    const { bytes, used, live } = slab;
    if (live <= 0) {
      this.#giveUp(bytes);
    } else if (live * 2 < used && !this.#sparse.has(bytes)) {
      this.#sparse.add(bytes);
      this.#dead += used - live;
    }
  }
}
