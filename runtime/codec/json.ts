import { isAscii } from 'node:buffer';
import { DecodeError } from '../machinery/errors/decode-error.ts';
import type { Json } from '../machinery/object.ts';

import { parseExactJson } from './json/exact.ts';
import { scanJson } from './json/scan.ts';
import { stringifyExact } from './json/write.ts';

export interface DecodeOptions {
  /** Receives `duplicate field "spec.foo"` for each path given more than once, in document order, at most 100. */
  duplicates?: string[];
}

/**
 * Reads one JSON document as Kubernetes reads it: integers beyond 2^53 are bigint, of repeated keys the last
 * wins, `__proto__` is a key like any other, a byte that is not UTF-8 becomes U+FFFD. Throws DecodeError with
 * encoding/json's text.
 *
 * JSON.parse does the work when a quick scan of the bytes shows that it would lose nothing; otherwise the
 * exact parser does. (sigs.k8s.io/json)
 */
export function decodeJson(bytes: Uint8Array, options: DecodeOptions = {}): Json {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const latin1 = buffer.toString('latin1');
  const reader = scanJson(bytes, latin1, options.duplicates !== undefined);
  if (reader === 'exact') return parseExactJson(bytes, options.duplicates);
  if (reader === 'nobody') throw new DecodeError('exceeded max depth');
  const ascii = isAscii(buffer);
  const text = ascii ? latin1 : buffer.toString('utf8');
  if (!ascii && text.includes('\ufffd')) return parseExactJson(bytes, options.duplicates);
  try {
    return JSON.parse(text);
  } catch {
    // The exact parser fails too, and in Go's words.
    return parseExactJson(bytes, options.duplicates);
  }
}

const escaped: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/**
 * Compact JSON, members in their own order, bigint as its digits; undefined members are left out. `<`, `>`,
 * `&`, U+2028 and U+2029 are escaped as Go escapes them: it costs a scan of the text, and lets answers be
 * compared byte by byte.
 */
export function stringifyJson(value: unknown): string {
  let text: string;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    // JSON.stringify refuses bigint; looking for one beforehand would cost more than this rare second try.
    if (!(typeof error === 'object' && error !== null && (error as Error).name === 'TypeError')) throw error;
    text = stringifyExact(value) as string;
  }
  return /[<>&\u2028\u2029]/.test(text) ? text.replace(/[<>&\u2028\u2029]/g, (char) => escaped[char]) : text;
}

/** stringifyJson in UTF-8, without the newline that ends responses. */
export function encodeJson(value: unknown): Uint8Array {
  return Buffer.from(stringifyJson(value), 'utf8');
}

/** encodeJson with a newline at the end, for responses. The text is written once: a second buffer would be as large. */
export function encodeJsonLine(value: unknown): Uint8Array {
  const text = stringifyJson(value);
  const length = Buffer.byteLength(text);
  const line = Buffer.allocUnsafe(length + 1);
  line.write(text);
  line[length] = 0x0a;
  return line;
}
