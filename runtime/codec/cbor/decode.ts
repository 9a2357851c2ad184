import { isUtf8 } from 'node:buffer';
import { DecodeError } from '../../machinery/errors/decode-error.ts';
import { excerpt } from '../../machinery/errors/excerpt.ts';
import { quote } from '../../machinery/go/quote.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import { maxInt64 } from '../../machinery/scalars/integers.ts';
import { decodeGoUtf8 } from '../json/utf8.ts';

/** (apimachinery pkg/runtime/serializer/cbor/internal/modes/decode.go) */
const maxNestedLevels = 64;
const maxElements = 1024;

/** The additional information of items of indefinite length and of the break that ends them. */
const indefinite = 31;
const breakByte = 0xff;

const majorNames = [
  'positive integer',
  'negative integer',
  'byte string',
  'UTF-8 text string',
  'array',
  'map',
  'tag',
  'primitives',
];

interface Head {
  readonly major: number;
  readonly info: number;
  readonly argument: number | bigint;
}

/**
 * Decodes one CBOR item in Kubernetes' profile. Text and byte strings both become strings, keys must be strings and
 * must not repeat, unknown tags are ignored, integers must fit int64, NaN and infinities are rejected.
 */
export class CborReader {
  readonly #bytes: Buffer;
  #at = 0;
  #depth = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Throws DecodeError. */
  readAll(): Json {
    if (this.#bytes.length === 0) throw new DecodeError('EOF');
    const value = this.#value();
    const rest = this.#bytes.length - this.#at;
    if (rest > 0) throw new DecodeError(`cbor: ${rest} bytes of extraneous data starting at index ${this.#at}`);
    return value;
  }

  #head(): Head {
    const first = this.#byte();
    const major = first >> 5;
    const info = first & 0x1f;
    if (info < 24) return { major, info, argument: info };
    switch (info) {
      case 24:
        return { major, info, argument: this.#byte() };
      case 25:
        return { major, info, argument: this.#take(2).readUInt16BE() };
      case 26:
        return { major, info, argument: this.#take(4).readUInt32BE() };
      case 27: {
        const argument = this.#take(8).readBigUInt64BE();
        return { major, info, argument: argument <= Number.MAX_SAFE_INTEGER ? Number(argument) : argument };
      }
      case indefinite:
        if (major >= 2 && major <= 5) return { major, info, argument: 0 };
    }
    throw new DecodeError(`cbor: invalid additional information ${info} for type ${majorNames[major]}`);
  }

  #byte(): number {
    if (this.#at >= this.#bytes.length) throw new DecodeError('unexpected EOF');
    return this.#bytes[this.#at++];
  }

  #take(count: number | bigint): Buffer {
    if (count > this.#bytes.length - this.#at) throw new DecodeError('unexpected EOF');
    const start = this.#at;
    this.#at += Number(count);
    return this.#bytes.subarray(start, this.#at);
  }

  #value(): Json {
    return this.#item(this.#head());
  }

  #item(head: Head): Json {
    switch (head.major) {
      case 0:
        return this.#integer(head.argument, false);
      case 1:
        return this.#integer(head.argument, true);
      case 2:
        return decodeGoUtf8(this.#string(head));
      case 3:
        return this.#text(head);
      case 4:
        return this.#nested(() => this.#array(head));
      case 5:
        return this.#nested(() => this.#map(head));
      case 6:
        return this.#nested(() => this.#tagged(head.argument));
      default:
        return this.#primitive(head);
    }
  }

  #nested<T>(read: () => T): T {
    if (++this.#depth > maxNestedLevels) throw new DecodeError(`cbor: exceeded max nested level ${maxNestedLevels}`);
    const value = read();
    this.#depth--;
    return value;
  }

  #integer(argument: number | bigint, negative: boolean): number | bigint {
    if (argument > maxInt64) {
      const value = negative ? -1n - BigInt(argument) : argument;
      const type = negative ? 'negative integer' : 'positive integer';
      throw new DecodeError(
        `cbor: cannot unmarshal ${type} into Go value of type interface {} (${value} overflows Go's int64)`,
      );
    }
    if (typeof argument === 'number') {
      const value = negative ? -1 - argument : argument;
      if (Number.isSafeInteger(value)) return value;
    }
    return negative ? -1n - BigInt(argument) : BigInt(argument);
  }

  /** The bytes of a string, or of all its chunks if its length is indefinite. */
  #string({ major, info, argument }: Head): Buffer {
    if (info !== indefinite) return this.#take(argument);
    const chunks: Buffer[] = [];
    while (!this.#atBreak()) {
      const chunk = this.#head();
      if (chunk.major !== major) {
        throw new DecodeError(
          `cbor: wrong element type ${majorNames[chunk.major]} for indefinite-length ${majorNames[major]}`,
        );
      }
      if (chunk.info === indefinite) {
        throw new DecodeError(`cbor: indefinite-length ${majorNames[major]} chunk is not definite-length`);
      }
      chunks.push(this.#checkedText(major, this.#take(chunk.argument)));
    }
    return Buffer.concat(chunks);
  }

  #text(head: Head): string {
    return this.#checkedText(head.major, this.#string(head)).toString('utf8');
  }

  #checkedText(major: number, bytes: Buffer): Buffer {
    if (major === 3 && !isUtf8(bytes)) throw new DecodeError('cbor: invalid UTF-8 string');
    return bytes;
  }

  /** Skips the break that ends an item of indefinite length. Returns false if there is none. */
  #atBreak(): boolean {
    if (this.#at >= this.#bytes.length) throw new DecodeError('unexpected EOF');
    if (this.#bytes[this.#at] !== breakByte) return false;
    this.#at++;
    return true;
  }

  #array({ info, argument }: Head): Json[] {
    const array: Json[] = [];
    if (info !== indefinite) {
      if (argument > maxElements) throw tooMany('elements', 'array');
      for (let i = 0; i < Number(argument); i++) array.push(this.#value());
      return array;
    }
    while (!this.#atBreak()) {
      if (array.length === maxElements) throw tooMany('elements', 'array');
      array.push(this.#value());
    }
    return array;
  }

  #map({ info, argument }: Head): JsonObject {
    const object: JsonObject = {};
    if (info !== indefinite) {
      if (argument > maxElements) throw tooMany('key-value pairs', 'map');
      for (let i = 0; i < Number(argument); i++) this.#pair(object, i);
      return object;
    }
    for (let i = 0; !this.#atBreak(); i++) {
      if (i === maxElements) throw tooMany('key-value pairs', 'map');
      this.#pair(object, i);
    }
    return object;
  }

  #pair(object: JsonObject, index: number): void {
    const head = this.#head();
    if (head.major !== 2 && head.major !== 3) {
      throw new DecodeError(`cbor: cannot unmarshal ${majorNames[head.major]} into Go value of type string`);
    }
    const key = head.major === 3 ? this.#text(head) : decodeGoUtf8(this.#string(head));
    if (Object.hasOwn(object, key)) {
      throw new DecodeError(`cbor: found duplicate map key ${quote(excerpt(key))} at map element index ${index}`);
    }
    const value = this.#value();
    if (key === '__proto__') {
      Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
    } else object[key] = value;
  }

  #tagged(tag: number | bigint): Json {
    switch (tag) {
      case 0:
        return this.#dateText();
      case 1:
        return this.#epoch();
      case 2:
      case 3:
        throw new DecodeError('cbor: cannot unmarshal bignum into Go value of type interface {}');
      case 21:
        return this.#laterEncoded('base64url');
      case 22:
        return this.#laterEncoded('base64');
      case 23:
        return this.#laterEncoded('hex');
      default:
        return this.#value();
    }
  }

  /** Encodes a byte string. Other values are returned unchanged. */
  #laterEncoded(encoding: 'base64url' | 'base64' | 'hex'): Json {
    const head = this.#head();
    return head.major === 2 ? this.#string(head).toString(encoding) : this.#item(head);
  }

  #dateText(): string {
    const value = this.#value();
    if (typeof value !== 'string') throw new DecodeError('cbor: tag number 0 must be followed by text string');
    if (
      !/^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[-+]\d\d:\d\d)$/.test(value) ||
      Number.isNaN(Date.parse(value))
    ) {
      throw new DecodeError(`cbor: cannot set ${excerpt(value)} for time.Time: parsing time ${quote(excerpt(value))}`);
    }
    return value;
  }

  /** Seconds since the epoch as RFC 3339 text. */
  #epoch(): string {
    const value = this.#value();
    const date = typeof value === 'number' || typeof value === 'bigint' ? new Date(Number(value) * 1000) : undefined;
    if (date === undefined || Number.isNaN(date.getTime())) {
      throw new DecodeError('cbor: tag number 1 must be followed by integer or floating-point number');
    }
    return date.toISOString().replace(/\.?0*Z$/, 'Z');
  }

  #primitive({ info, argument }: Head): Json {
    switch (info) {
      case 20:
        return false;
      case 21:
        return true;
      case 22:
        return null;
      case 25:
        return this.#float(fromHalf(Number(argument)));
      case 26:
        return this.#float(this.#bytes.readFloatBE(this.#at - 4));
      case 27:
        return this.#float(this.#bytes.readDoubleBE(this.#at - 8));
    }
    throw new DecodeError(`cbor: simple value ${argument} is not recognized`);
  }

  #float(value: number): number {
    if (Number.isFinite(value)) return value;
    const what = Number.isNaN(value) ? 'NaN' : 'infinity';
    throw new DecodeError(
      `cbor: cannot unmarshal primitives into Go value of type interface {} (floating-point ${what})`,
    );
  }
}

const tooMany = (what: string, container: string): DecodeError =>
  new DecodeError(`cbor: exceeded max number of ${what} ${maxElements} for CBOR ${container}`);

function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const mantissa = bits & 0x3ff;
  if (exponent === 0) return sign * mantissa * 2 ** -24;
  if (exponent === 31) return mantissa === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (mantissa + 1024) * 2 ** (exponent - 25);
}
