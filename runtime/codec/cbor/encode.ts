import { BoundedMap } from '../../machinery/collections/bounded-map.ts';
import { Float64 } from '../../machinery/json/float64.ts';
import { maxInt64, minInt64 } from '../../machinery/scalars/integers.ts';

const initialSize = 1024;
/** Encoded map keys. Field names repeat from object to object. */
const keyCache = new BoundedMap<string, Uint8Array>(8192);
const maxCachedLength = 64;

/** Writes CBOR items into one growing buffer. */
export class CborWriter {
  #bytes = Buffer.allocUnsafe(initialSize);
  #length = 0;

  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Starts over in the same buffer. */
  clear(): void {
    this.#length = 0;
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Writes the major type and the argument in as few bytes as possible. */
  head(major: number, argument: number | bigint): void {
    this.#reserve(9);
    const type = major << 5;
    const at = this.#length;
    if (argument < 24) {
      this.#bytes[at] = type | Number(argument);
      this.#length += 1;
    } else if (argument <= 0xff) {
      this.#bytes[at] = type | 24;
      this.#bytes[at + 1] = Number(argument);
      this.#length += 2;
    } else if (argument <= 0xffff) {
      this.#bytes[at] = type | 25;
      this.#bytes.writeUInt16BE(Number(argument), at + 1);
      this.#length += 3;
    } else if (argument <= 0xffff_ffff) {
      this.#bytes[at] = type | 26;
      this.#bytes.writeUInt32BE(Number(argument), at + 1);
      this.#length += 5;
    } else {
      this.#bytes[at] = type | 27;
      this.#bytes.writeBigUInt64BE(BigInt(argument), at + 1);
      this.#length += 9;
    }
  }

  /**
   * Writes a JSON value. Strings become byte strings, maps are sorted. Throws TypeError for values that CBOR cannot
   * represent.
   */
  value(value: unknown): void {
    if (typeof value === 'string') this.string(value);
    else if (typeof value === 'number') this.#number(value);
    else if (typeof value === 'bigint') this.#bigint(value);
    else if (typeof value === 'boolean') this.head(7, value ? 21 : 20);
    else if (value === null || value === undefined) this.head(7, 22);
    else if (Array.isArray(value)) this.#array(value);
    else if (value instanceof Float64) this.#float(value.value);
    else if (typeof value === 'object') this.#map(value);
    else throw new TypeError(`a ${typeof value} has no CBOR form`);
  }

  string(text: string): void {
    const length = Buffer.byteLength(text);
    this.head(2, length);
    this.#reserve(length);
    this.#bytes.write(text, this.#length, 'utf8');
    this.#length += length;
  }

  #number(value: number): void {
    if (Number.isSafeInteger(value)) {
      if (value >= 0) this.head(0, value);
      else this.head(1, -1 - value);
      return;
    }
    this.#float(value);
  }

  #float(value: number): void {
    if (!Number.isFinite(value)) throw new TypeError('cbor: NaN and infinities have no CBOR form');
    this.#reserve(9);
    const at = this.#length;
    if (Math.fround(value) !== value) {
      this.#bytes[at] = 0xfb;
      this.#bytes.writeDoubleBE(value, at + 1);
      this.#length += 9;
      return;
    }
    const half = toHalf(value);
    if (half === undefined) {
      this.#bytes[at] = 0xfa;
      this.#bytes.writeFloatBE(value, at + 1);
      this.#length += 5;
    } else {
      this.#bytes[at] = 0xf9;
      this.#bytes.writeUInt16BE(half, at + 1);
      this.#length += 3;
    }
  }

  #bigint(value: bigint): void {
    if (value > maxInt64 || value < minInt64) throw new TypeError('cbor: integers beyond 64 bits have no CBOR form');
    if (value >= 0n) this.head(0, value);
    else this.head(1, -1n - value);
  }

  #array(items: readonly unknown[]): void {
    this.head(4, items.length);
    for (const item of items) this.value(item);
  }

  #map(object: object): void {
    const keyed: { key: Uint8Array; member: unknown }[] = [];
    for (const [key, member] of Object.entries(object)) {
      if (member !== undefined) keyed.push({ key: encodedKey(key), member });
    }
    keyed.sort((a, b) => Buffer.compare(a.key, b.key));
    this.head(5, keyed.length);
    for (const { key, member } of keyed) {
      this.raw(key);
      this.value(member);
    }
  }

  #reserve(size: number): void {
    if (this.#length + size <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + size));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

/** A writer only for keys: a map may have a hundred thousand, and each new writer would allocate a KiB. */
const keyWriter = new CborWriter();

function encodedKey(key: string): Uint8Array {
  const known = keyCache.get(key);
  if (known !== undefined) return known;
  keyWriter.clear();
  keyWriter.string(key);
  const bytes = Uint8Array.from(keyWriter.finish());
  if (key.length <= maxCachedLength) keyCache.set(key, bytes);
  return bytes;
}

const floatView = new DataView(new ArrayBuffer(4));

/** Returns the bits of the half-precision float equal to this single-precision value; undefined if there is none. */
function toHalf(value: number): number | undefined {
  floatView.setFloat32(0, value);
  const bits = floatView.getUint32(0);
  const sign = (bits >>> 16) & 0x8000;
  const exponent = ((bits >>> 23) & 0xff) - 127;
  const mantissa = bits & 0x7f_ffff;
  if ((bits & 0x7fff_ffff) === 0) return sign;
  if (exponent >= -14 && exponent <= 15) {
    return (mantissa & 0x1fff) === 0 ? sign | ((exponent + 15) << 10) | (mantissa >>> 13) : undefined;
  }
  if (exponent < -24 || exponent > 15) return undefined;
  // Subnormal: the leading one becomes part of the mantissa.
  const whole = mantissa | 0x80_0000;
  const shift = -1 - exponent;
  return whole % 2 ** shift === 0 ? sign | (whole / 2 ** shift) : undefined;
}
