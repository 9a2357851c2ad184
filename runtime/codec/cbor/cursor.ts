import { DecodeError } from '../../machinery/errors/decode-error.ts';

/** The additional information of items with indefinite length, and of the break that ends them. */
export const indefinite = 31;
const breakByte = 0xff;

export const majorNames = [
  'positive integer',
  'negative integer',
  'byte string',
  'UTF-8 text string',
  'array',
  'map',
  'tag',
  'primitives',
] as const;

/** The first part of an item: its type and argument. */
export interface Head {
  readonly major: number;
  readonly info: number;
  readonly argument: number | bigint;
}

/** Reads the parts of CBOR items, one after the other. All methods throw DecodeError if bytes are missing. */
export class CborCursor {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The index of the next byte. */
  get at(): number {
    return this.#at;
  }

  get length(): number {
    return this.#bytes.length;
  }

  head(): Head {
    const first = this.#byte();
    const major = first >> 5;
    const info = first & 0x1f;
    if (info < 24) return { major, info, argument: info };
    switch (info) {
      case 24:
        return { major, info, argument: this.#byte() };
      case 25:
        return { major, info, argument: this.take(2).readUInt16BE() };
      case 26:
        return { major, info, argument: this.take(4).readUInt32BE() };
      case 27: {
        const argument = this.take(8).readBigUInt64BE();
        return { major, info, argument: argument <= Number.MAX_SAFE_INTEGER ? Number(argument) : argument };
      }
      case indefinite:
        if (major >= 2 && major <= 5) return { major, info, argument: 0 };
        if (first === breakByte) throw new DecodeError('cbor: unexpected "break" code');
    }
    throw new DecodeError(`cbor: invalid additional information ${info} for type ${majorNames[major]}`);
  }

  take(count: number | bigint): Buffer {
    if (count > this.#bytes.length - this.#at) throw new DecodeError('unexpected EOF');
    const start = this.#at;
    this.#at += Number(count);
    return this.#bytes.subarray(start, this.#at);
  }

  /** Skips the break that ends an item of indefinite length. Returns false if there is no break. */
  atBreak(): boolean {
    if (this.#at >= this.#bytes.length) throw new DecodeError('unexpected EOF');
    if (this.#bytes[this.#at] !== breakByte) return false;
    this.#at++;
    return true;
  }

  /** Returns the number of a head of major type 7 with 2, 4 or 8 bytes; undefined for other heads. */
  float({ info, argument }: Head): number | undefined {
    if (info === 25) return fromHalf(Number(argument));
    if (info === 26) return this.#bytes.readFloatBE(this.#at - 4);
    return info === 27 ? this.#bytes.readDoubleBE(this.#at - 8) : undefined;
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new DecodeError('unexpected EOF');
    this.#at++;
    return byte;
  }
}

function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const mantissa = bits & 0x3ff;
  if (exponent === 0) return sign * mantissa * 2 ** -24;
  if (exponent === 31) return mantissa === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (mantissa + 1024) * 2 ** (exponent - 25);
}
