import type { StoredValue } from './stored-value.ts';

/** A buffer that contains many values. */
interface Slab {
  readonly bytes: Buffer;
  used: number;
  /** The bytes of values that are reachable or being written. */
  live: number;
  /** Whether the slab is no longer counted: its live values have moved, or only their holders keep it alive. */
  isAbandoned: boolean;
}

const minSlabBytes = 64 * 1024;
const maxSlabBytes = 2 ** 20;
/** Values of this size and larger get their own buffers: in slabs, they would waste much space. */
const minOwnBuffer = 128 * 1024;

/** The least dead bytes in sparse slabs, besides a share of all slabs, for which live values are moved. */
const minDeadBytes = 4 * 2 ** 20;
const minDeadShare = 0.1;

/**
 * Packs values into large buffers. A buffer for each value would cost about half a kilobyte besides its bytes: on the
 * heap, outside of it, and in fragmentation.
 *
 * Slabs are never freed or reused explicitly. The garbage collector frees a slab when no snapshot, socket or other
 * reference keeps it. The counts only decide when to move live values.
 */
export class SlabAllocator {
  #open: Slab | undefined;
  /** Slabs by their buffers. Values being written are views of these buffers. */
  readonly #slabs = new WeakMap<ArrayBufferLike, Slab>();
  readonly #sparse = new Set<Slab>();
  #held = 0;
  #dead = 0;
  readonly #firstBytes: number;

  /** @param firstBytes the size of the first slab; each is twice as large as the previous one, up to a MiB */
  constructor(firstBytes = minSlabBytes) {
    this.#firstBytes = firstBytes;
  }

  /** The bytes of all slabs that are not abandoned. */
  get held(): number {
    return this.#held;
  }

  /** Encodes a text as UTF-8 in a slab. If the result is not stored, pass it to `discard`. */
  write(text: string): Uint8Array {
    const length = Buffer.byteLength(text);
    if (length >= minOwnBuffer) return Buffer.from(text);
    const bytes = this.allocate(length);
    (bytes as Buffer).write(text);
    return bytes;
  }

  /** Allocates memory in a slab. If it is not stored, pass it to `discard`. */
  readonly allocate = (length: number): Uint8Array => {
    if (length >= minOwnBuffer) return new Uint8Array(length);
    const slab = this.#slabFor(length);
    const start = slab.used;
    slab.used += length;
    slab.live += length;
    return slab.bytes.subarray(start, slab.used);
  };

  /** Frees memory from `write` or `allocate` that is not stored. */
  discard(written: Uint8Array): void {
    const slab = this.#slabs.get(written.buffer);
    if (slab !== undefined) this.#subtractLive(slab, written.length);
  }

  /** Moves the value into a slab, unless it is in one. */
  pack(value: StoredValue): void {
    const { bytes, length } = value;
    if (length >= minOwnBuffer) return;
    const slab = this.#slabs.get(bytes.buffer);
    if (slab === undefined) this.#copy(value);
    else if (slab.bytes !== bytes) value.place(slab.bytes, bytes.byteOffset);
  }

  /** Frees a value. */
  release(value: StoredValue): void {
    const slab = this.#slabs.get(value.bytes.buffer);
    if (slab !== undefined) this.#subtractLive(slab, value.length);
  }

  /** Reports whether enough memory is dead to move the live values out of sparse slabs. */
  get isSparse(): boolean {
    return this.#dead > minDeadBytes + this.#held * minDeadShare;
  }

  /** Returns the slabs that are more than half dead. */
  sparse(): ReadonlySet<Slab> {
    return new Set(this.#sparse);
  }

  /** Moves the value if it is in one of these slabs. */
  moveFrom(slabs: ReadonlySet<Slab>, value: StoredValue): void {
    const slab = this.#slabs.get(value.bytes.buffer);
    if (slab === undefined || !slabs.has(slab)) return;
    this.#copy(value);
    this.#subtractLive(slab, value.length);
  }

  /** Stops counting slabs after `moveFrom` was called with every live value. */
  abandon(slabs: ReadonlySet<Slab>): void {
    for (const slab of slabs) this.#abandon(slab);
  }

  #abandon(slab: Slab): void {
    if (slab.isAbandoned) return;
    slab.isAbandoned = true;
    if (this.#sparse.delete(slab)) this.#dead -= slab.used - slab.live;
    this.#held -= slab.bytes.length;
  }

  #subtractLive(slab: Slab, length: number): void {
    slab.live -= length;
    if (this.#sparse.has(slab)) this.#dead += length;
    if (slab !== this.#open) this.#updateSparse(slab);
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
    const size = Math.max(length, open === undefined ? this.#firstBytes : Math.min(maxSlabBytes, open.bytes.length * 2));
    const slab: Slab = { bytes: Buffer.allocUnsafeSlow(size), used: 0, live: 0, isAbandoned: false };
    this.#slabs.set(slab.bytes.buffer, slab);
    this.#held += size;
    this.#open = slab;
    if (open !== undefined) this.#updateSparse(open);
    return slab;
  }

  /** Updates a full slab: it is sparse if less than half of it is live, and abandoned if nothing is. */
  #updateSparse(slab: Slab): void {
    const { used, live } = slab;
    if (slab.isAbandoned) return;
    if (live <= 0) {
      this.#abandon(slab);
    } else if (live * 2 < used && !this.#sparse.has(slab)) {
      this.#sparse.add(slab);
      this.#dead += used - live;
    }
  }
}
