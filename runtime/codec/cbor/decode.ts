import { isUtf8 } from 'node:buffer';
import { DecodeError } from '../../machinery/errors/decode-error.ts';
import { excerpt } from '../../machinery/errors/excerpt.ts';
import { quote } from '../../machinery/go/quote.ts';
import { Float64 } from '../../machinery/json/float64.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import { maxInt64 } from '../../machinery/scalars/integers.ts';
import { decodeGoUtf8 } from '../json/utf8.ts';
import { CborCursor, type Head, indefinite, majorNames } from './cursor.ts';

/** (apimachinery pkg/runtime/serializer/cbor/internal/modes/decode.go) */
const maxNestedLevels = 64;
const maxElements = 1024;

/**
 * Decodes one CBOR item in Kubernetes' profile. Text and byte strings both become strings, keys must be strings and
 * must not repeat, unknown tags are ignored, integers must fit int64, NaN and infinities are rejected.
 */
export class CborReader {
  readonly #cursor: CborCursor;
  readonly #isLax: boolean;
  #depth = 0;
  #openMaps = 0;

  /** @param isLax accepts all well-formed items, except for repeated and invalid keys of the outermost map */
  constructor(bytes: Uint8Array, isLax = false) {
    this.#cursor = new CborCursor(bytes);
    this.#isLax = isLax;
  }

  /** Throws DecodeError. */
  readAll(): Json {
    const { length } = this.#cursor;
    if (length === 0) throw new DecodeError('EOF');
    const value = this.#value();
    const rest = length - this.#cursor.at;
    if (rest > 0) throw new DecodeError(`cbor: ${rest} bytes of extraneous data starting at index ${this.#cursor.at}`);
    return value;
  }

  /** Rejects a document that is well-formed but invalid. */
  #reject(message: string, isOutermost = false): void {
    if (!this.#isLax || isOutermost) throw new DecodeError(`cbor: ${message}`);
  }

  #value(): Json {
    return this.#item(this.#cursor.head());
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
        return this.#nested(() => {
          this.#openMaps++;
          const map = this.#map(head);
          this.#openMaps--;
          return map;
        });
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
      this.#reject(`cannot unmarshal ${type} into Go value of type int64 (${value} overflows Go's int64)`);
    }
    if (typeof argument === 'number') {
      const value = negative ? -1 - argument : argument;
      if (Number.isSafeInteger(value)) return value;
    }
    return negative ? -1n - BigInt(argument) : BigInt(argument);
  }

  /** Returns the bytes of a string, or of all its chunks if its length is indefinite. */
  #string({ major, info, argument }: Head): Buffer {
    if (info !== indefinite) return this.#cursor.take(argument);
    const chunks: Buffer[] = [];
    while (!this.#cursor.atBreak()) {
      const chunk = this.#cursor.head();
      if (chunk.major !== major) {
        throw new DecodeError(`cbor: wrong element type ${majorNames[chunk.major]} for indefinite-length ${majorNames[major]}`);
      }
      if (chunk.info === indefinite) {
        throw new DecodeError(`cbor: indefinite-length ${majorNames[major]} chunk is not definite-length`);
      }
      chunks.push(this.#checkedText(major, this.#cursor.take(chunk.argument)));
    }
    return Buffer.concat(chunks);
  }

  #text(head: Head): string {
    return this.#checkedText(head.major, this.#string(head)).toString('utf8');
  }

  #checkedText(major: number, bytes: Buffer): Buffer {
    if (major === 3 && !isUtf8(bytes)) this.#reject('invalid UTF-8 string');
    return bytes;
  }

  #array({ info, argument }: Head): Json[] {
    const array: Json[] = [];
    if (info !== indefinite) {
      if (argument > maxElements) throw tooMany('elements', 'array');
      for (let i = 0; i < Number(argument); i++) array.push(this.#value());
      return array;
    }
    while (!this.#cursor.atBreak()) {
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
    for (let i = 0; !this.#cursor.atBreak(); i++) {
      if (i === maxElements) throw tooMany('key-value pairs', 'map');
      this.#pair(object, i);
    }
    return object;
  }

  #pair(object: JsonObject, index: number): void {
    const head = this.#cursor.head();
    if (head.major !== 2 && head.major !== 3 && !isNull(head)) {
      this.#reject(`cannot unmarshal ${majorNames[head.major]} into Go value of type string`);
      this.#item(head);
      this.#value();
      return;
    }
    const bytes = isNull(head) ? Buffer.alloc(0) : this.#string(head);
    const isOutermost = this.#openMaps === 1;
    if (head.major === 3 && !isUtf8(bytes)) this.#reject('invalid UTF-8 string', isOutermost);
    const key = decodeGoUtf8(bytes);
    const value = this.#value();
    if (Object.hasOwn(object, key)) {
      this.#reject(`found duplicate map key ${quote(excerpt(key))} at map element index ${index}`, isOutermost);
    }
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
        throw notAccepted('tag', 'bignum');
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

  /** Encodes a byte string. Returns other values unchanged. */
  #laterEncoded(encoding: 'base64url' | 'base64' | 'hex'): Json {
    const head = this.#cursor.head();
    return head.major === 2 ? this.#string(head).toString(encoding) : this.#item(head);
  }

  #dateText(): Json {
    const head = this.#cursor.head();
    const value = this.#item(head);
    if (head.major !== 3) {
      this.#reject(`tag number 0 must be followed by text string, got ${majorNames[head.major]}`);
    } else if (!isRfc3339(String(value))) {
      this.#reject(`cannot set ${excerpt(String(value))} for time.Time: parsing time ${quote(excerpt(String(value)))}`);
    }
    return value;
  }

  /** Returns seconds since the epoch as RFC 3339 text. */
  #epoch(): Json {
    const head = this.#cursor.head();
    const value = this.#item(head);
    const date = typeof value === 'number' || typeof value === 'bigint' ? new Date(Number(value) * 1000) : undefined;
    if (date !== undefined && !Number.isNaN(date.getTime())) return date.toISOString().replace(/\.?0*Z$/, 'Z');
    this.#reject(`tag number 1 must be followed by integer or floating-point number, got ${majorNames[head.major]}`);
    return value;
  }

  #primitive(head: Head): Json {
    switch (head.info) {
      case 20:
        return false;
      case 21:
        return true;
      case 22:
        return null;
    }
    const value = this.#cursor.float(head);
    if (value === undefined) throw notAccepted('primitives', `simple value ${head.argument} is not recognized`);
    if (Number.isSafeInteger(value)) return new Float64(`${value}.0`);
    if (Number.isFinite(value)) return value;
    throw notAccepted('primitives', `floating-point ${Number.isNaN(value) ? 'NaN' : 'infinity'}`);
  }
}

const isNull = ({ major, info }: Head): boolean => major === 7 && info === 22;

const isRfc3339 = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[-+]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text));

const notAccepted = (type: string, what: string): DecodeError =>
  new DecodeError(`cbor: data item of cbor type ${type} is not accepted by protocol: ${what}`);

const tooMany = (what: string, container: string): DecodeError =>
  new DecodeError(`cbor: exceeded max number of ${what} ${maxElements} for CBOR ${container}`);
