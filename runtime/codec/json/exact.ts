import { DecodeError } from '../../machinery/errors/decode-error.ts';
import { excerpt } from '../../machinery/errors/excerpt.ts';
import { quote } from '../../machinery/go/quote.ts';
import { Float64 } from '../../machinery/json/float64.ts';
import { maxDepth } from '../../machinery/limits.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import { maxInt64, minInt64 } from '../../machinery/scalars/integers.ts';
import { FieldSteps, type StrictErrorOrder } from '../field-steps.ts';
import { filledTwice } from './repeated.ts';
import { decodeGoUtf8 } from './utf8.ts';

/** The length of an int64 with its sign. A BigInt of longer text would take more than linear time. */
const maxInt64Length = 20;

export interface JsonOptions {
  /** Receives `duplicate field "spec.foo"` for each repeated path, in document order, up to 100. */
  readonly duplicates?: string[] | undefined;
  /** Whether to return `5.0` and `1e3` as Float64, because Go distinguishes them from `5` and `1000`. Default: false */
  readonly floats?: boolean;
  /** Whether a repeated member fills what is there, as in a Go struct, and does not replace it. Needs `duplicates`. Default: false */
  readonly fillsTwice?: boolean;
  /** Records each field. Default: none. */
  readonly order?: StrictErrorOrder;
}

/**
 * Parses JSON as Go does, byte by byte: reports repeated keys (the last one wins, unless they fill the same struct), keeps all
 * digits of integers, and fails with encoding/json's syntax errors. It is several times slower than JSON.parse, and used only where JSON.parse
 * fails or would lose information.
 */
export function parseExactJson(bytes: Uint8Array, options: JsonOptions = {}): Json {
  return new ExactParser(bytes, options).parse();
}

class ExactParser {
  readonly #bytes: Uint8Array;
  readonly #buffer: Buffer;
  /** The bytes as characters. Short ASCII strings and numbers are slices of it. */
  readonly #latin1: string;
  readonly #steps: FieldSteps;
  readonly #floats: boolean;
  readonly #fillsTwice: boolean;
  #at = 0;
  #depth = 0;

  constructor(bytes: Uint8Array, { duplicates, floats = false, fillsTwice = false, order }: JsonOptions) {
    this.#bytes = bytes;
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#latin1 = this.#buffer.toString('latin1');
    this.#steps = new FieldSteps(duplicates, order);
    this.#floats = floats;
    this.#fillsTwice = fillsTwice;
  }

  parse(): Json {
    const value = this.#value();
    this.#space();
    if (this.#at < this.#bytes.length) this.#fail('after top-level value');
    return value;
  }

  /** Skips white space. Returns the byte at the cursor, or -1 at the end. */
  #space(): number {
    for (;;) {
      const c = this.#bytes[this.#at] ?? -1;
      if (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09) return c;
      this.#at++;
    }
  }

  /** Fails inside a token. At the end Go's scanner reads one more space. (encoding/json scanner.eof) */
  #failInside(where: string): never {
    this.#refuse(this.#bytes[this.#at] ?? 0x20, where);
  }

  #fail(where: string): never {
    const c = this.#bytes[this.#at];
    if (c === undefined) throw new DecodeError('unexpected end of JSON input');
    this.#refuse(c, where);
  }

  #refuse(c: number, where: string): never {
    const shown = c === 0x27 ? "\\'" : c === 0x22 ? '"' : quote(String.fromCharCode(c)).slice(1, -1);
    throw new DecodeError(`invalid character '${shown}' ${where}`);
  }

  #value(): Json {
    const c = this.#space();
    switch (c) {
      case 0x7b:
        return this.#object();
      case 0x5b:
        return this.#array();
      case 0x22:
        return this.#string();
      case 0x74:
        return this.#word('true', true);
      case 0x66:
        return this.#word('false', false);
      case 0x6e:
        return this.#word('null', null);
      default:
        if (c === 0x2d || isDigit(c)) return this.#number();
        return this.#fail('looking for beginning of value');
    }
  }

  #open(): void {
    if (++this.#depth > maxDepth) this.#fail('exceeded max depth');
    this.#at++;
  }

  #close<T>(container: T): T {
    this.#at++;
    this.#depth--;
    return container;
  }

  #object(): JsonObject {
    const object: JsonObject = {};
    this.#open();
    if (this.#space() === 0x7d) return this.#close(object);
    for (;;) {
      if (this.#space() !== 0x22) this.#fail('looking for beginning of object key string');
      const key = this.#string();
      if (this.#space() !== 0x3a) this.#fail('after object key');
      this.#at++;
      this.#steps.enterKey(key, Object.hasOwn(object, key));
      const read = this.#value();
      const value = this.#fillsTwice && Object.hasOwn(object, key) ? filledTwice(object[key], read) : read;
      this.#steps.leave();
      if (key === '__proto__') {
        Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
      } else object[key] = value;
      const c = this.#space();
      if (c === 0x7d) return this.#close(object);
      if (c !== 0x2c) this.#fail('after object key:value pair');
      this.#at++;
    }
  }

  #array(): Json[] {
    const array: Json[] = [];
    this.#open();
    if (this.#space() === 0x5d) return this.#close(array);
    for (;;) {
      this.#steps.enterIndex(array.length);
      array.push(this.#value());
      this.#steps.leave();
      const c = this.#space();
      if (c === 0x5d) return this.#close(array);
      if (c !== 0x2c) this.#fail('after array element');
      this.#at++;
    }
  }

  #word<T>(word: string, value: T): T {
    for (let i = 1; i < word.length; i++) {
      this.#at++;
      if (this.#bytes[this.#at] !== word.charCodeAt(i)) this.#failInside(`in literal ${word} (expecting '${word[i]}')`);
    }
    this.#at++;
    return value;
  }

  #digits(where: string): void {
    if (!isDigit(this.#bytes[this.#at])) this.#failInside(where);
    while (isDigit(this.#bytes[this.#at])) this.#at++;
  }

  #number(): number | bigint | Float64 {
    const start = this.#at;
    let integer = true;
    if (this.#bytes[this.#at] === 0x2d) this.#at++;
    if (this.#bytes[this.#at] === 0x30) this.#at++;
    else this.#digits('in numeric literal');
    if (this.#bytes[this.#at] === 0x2e) {
      this.#at++;
      this.#digits('after decimal point in numeric literal');
      integer = false;
    }
    if (((this.#bytes[this.#at] ?? 0) | 0x20) === 0x65) {
      this.#at++;
      const sign = this.#bytes[this.#at];
      if (sign === 0x2b || sign === 0x2d) this.#at++;
      this.#digits('in exponent of numeric literal');
      integer = false;
    }
    const text = this.#latin1.slice(start, this.#at);
    const value = Number(text);
    if (integer && !Number.isSafeInteger(value) && text.length <= maxInt64Length) {
      const exact = BigInt(text);
      if (exact >= minInt64 && exact <= maxInt64) return exact;
    }
    if (!integer && this.#floats && Number.isSafeInteger(value)) return new Float64(text);
    if (!Number.isFinite(value)) {
      throw new DecodeError(`json: cannot unmarshal number ${excerpt(text)} into Go value of type float64`, true);
    }
    return value;
  }

  #string(): string {
    const bytes = this.#bytes;
    let start = ++this.#at;
    let text = '';
    let bits = 0;
    for (;;) {
      const c = bytes[this.#at] ?? -1;
      if (c === 0x22) {
        text += this.#cut(start, bits);
        this.#at++;
        return text;
      }
      if (c < 0x20) this.#fail('in string literal');
      bits |= c;
      if (c === 0x5c) {
        text += this.#cut(start, bits);
        this.#at++;
        text += this.#escape();
        start = this.#at;
        bits = 0;
      } else this.#at++;
    }
  }

  #cut(start: number, bits: number): string {
    if (bits < 0x80) {
      // A slice of this length would keep the whole document alive.
      if (this.#at - start >= 13) return this.#buffer.toString('latin1', start, this.#at);
      return this.#latin1.slice(start, this.#at);
    }
    return decodeGoUtf8(this.#bytes.subarray(start, this.#at));
  }

  #escape(): string {
    const c = this.#bytes[this.#at] ?? -1;
    const plain = escapes.get(c);
    if (plain !== undefined) {
      this.#at++;
      return plain;
    }
    if (c !== 0x75) this.#failInside('in string escape code');
    const code = this.#hex4();
    if (code < 0xd800 || code > 0xdfff) return String.fromCharCode(code);
    if (code < 0xdc00 && this.#bytes[this.#at] === 0x5c && this.#bytes[this.#at + 1] === 0x75) {
      const before = this.#at++;
      const low = this.#hex4();
      if (low >= 0xdc00 && low <= 0xdfff) return String.fromCharCode(code, low);
      this.#at = before;
    }
    return '\ufffd';
  }

  /** Reads the four digits after the `u` at the cursor. */
  #hex4(): number {
    let code = 0;
    for (let i = 0; i < 4; i++) {
      this.#at++;
      const digit = hexValue(this.#bytes[this.#at]);
      if (digit < 0) this.#failInside('in \\u hexadecimal character escape');
      code = code * 16 + digit;
    }
    this.#at++;
    return code;
  }
}

const escapes: ReadonlyMap<number, string> = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(([letter, text]) => [
    letter.charCodeAt(0),
    text,
  ]),
);

function isDigit(c: number | undefined): boolean {
  return c !== undefined && c >= 0x30 && c <= 0x39;
}

function hexValue(c = -1): number {
  if (c >= 0x30 && c <= 0x39) return c - 0x30;
  const letter = c | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
