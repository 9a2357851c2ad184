import { isAscii } from 'node:buffer';
import { htmlSafe } from '../machinery/json/html-safe.ts';
import type { Json } from '../machinery/object.ts';

import { type JsonOptions, parseExactJson } from './json/exact.ts';
import { scanJson } from './json/scan.ts';
import { stringifyExact } from './json/write.ts';

export type DecodeOptions = JsonOptions;

/**
 * Decodes a JSON document as Kubernetes does: integers beyond 2^53 become bigint, the last of repeated keys wins,
 * `__proto__` is an ordinary key, and a byte that is not UTF-8 becomes U+FFFD. Throws DecodeError with encoding/json's
 * message.
 *
 * A quick scan of the bytes decides whether JSON.parse would lose anything. If so, the exact parser runs.
 * (sigs.k8s.io/json)
 */
export function decodeJson(bytes: Uint8Array, options: DecodeOptions = {}): Json {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const latin1 = buffer.toString('latin1');
  const reader = scanJson(bytes, latin1, options);
  if (reader === 'exact') return parseExactJson(bytes, options);
  const ascii = isAscii(buffer);
  const text = ascii ? latin1 : buffer.toString('utf8');
  if (!ascii && text.includes('\ufffd')) return parseExactJson(bytes, options);
  try {
    return JSON.parse(text);
  } catch {
    // The exact parser fails too, with Go's message.
    return parseExactJson(bytes, options);
  }
}

/**
 * Returns compact JSON. Members keep their order, undefined members are omitted, bigints are written as digits. Escapes
 * as Go does, so that responses are equal byte by byte.
 */
export function stringifyJson(value: unknown): string {
  let text: string;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    // JSON.stringify rejects bigints. Looking for them first would cost more than this rare second attempt.
    if (!(typeof error === 'object' && error !== null && (error as Error).name === 'TypeError')) throw error;
    text = stringifyExact(value) as string;
  }
  return htmlSafe(text);
}

/** Returns stringifyJson as UTF-8, without the newline that ends responses. */
export function encodeJson(value: unknown): Uint8Array {
  return Buffer.from(stringifyJson(value), 'utf8');
}

/** Returns encodeJson with a final newline, for responses. Avoids a second buffer of the same size. */
export function encodeJsonLine(value: unknown): Uint8Array {
  const text = stringifyJson(value);
  const length = Buffer.byteLength(text);
  const line = Buffer.allocUnsafe(length + 1);
  line.write(text);
  line[length] = 0x0a;
  return line;
}
