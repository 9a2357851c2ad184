import { randomUUID } from 'node:crypto';
import { DecodeError } from '../errors/decode-error.ts';
import { excerpt } from '../errors/excerpt.ts';
import { messageOf } from '../errors/message-of.ts';
import { maxDepth } from '../limits.ts';
import { closingQuote } from './skip.ts';

/** JSON text inside protobuf messages: RawExtension, FieldsV1, JSON. Integers beyond 2^53 are bigint. */

// Long integers pass through JSON.parse and JSON.stringify as strings with a prefix that no client can guess.
const mark = `${randomUUID()}:`;
/** The digits of the largest double. A BigInt of more digits takes more than linear time. */
const maxDigits = 309;
const marked = new RegExp(`"${mark}(-?[0-9]+)"`, 'g');

/**
 * A value as compact JSON text. Encoding writes the text unchanged, without decoding it first. Only for objects that
 * will be encoded: all other code expects values.
 */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): unknown {
    return parseRawJson(Buffer.from(this.text));
  }
}

/**
 * @throws DecodeError if the text is not JSON, nests too deep, or has a number with more digits than the largest double
 */
export function parseRawJson(bytes: Uint8Array): unknown {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  if (text === '') return null;
  try {
    if (isTooDeep(text)) throw new Error('exceeded max depth');
    return /[0-9]{16}/.test(text) ? parseExact(text) : JSON.parse(text);
  } catch (error) {
    throw new DecodeError(excerpt(`failed to parse RawExtension bytes as JSON: ${messageOf(error)}`));
  }
}

/** JSON.parse accepts any depth, but code that walks the value does not. */
function isTooDeep(text: string): boolean {
  if (text.length <= 2 * maxDepth) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 0x22) at = closingQuote(text, at);
    else if (char === 0x7b || char === 0x5b) {
      if (++depth > maxDepth) return true;
    } else if (char === 0x7d || char === 0x5d) depth--;
  }
  return false;
}

function parseExact(text: string): unknown {
  return JSON.parse(withMarks(text), (_key, value) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  );
}

/** Replaces each integer that a double cannot represent exactly with a marked string. */
function withMarks(text: string): string {
  const interesting = /"|[0-9]{16,}/g;
  let out = '';
  let written = 0;
  for (let found = interesting.exec(text); found !== null; found = interesting.exec(text)) {
    if (found[0] === '"') interesting.lastIndex = closingQuote(text, found.index) + 1;
    else {
      const start = text[found.index - 1] === '-' ? found.index - 1 : found.index;
      const end = interesting.lastIndex;
      // part of a fraction, of an exponent, or of a number that has one
      if (/[.eE+]/.test(`${text[start - 1] ?? ''}${text[end] ?? ''}`)) continue;
      const digits = text.slice(start, end);
      if (digits.length > maxDigits) throw new Error(`number ${excerpt(digits)} is out of range`);
      if (Number.isSafeInteger(Number(digits))) continue;
      out += `${text.slice(written, start)}"${mark}${digits}"`;
      written = end;
    }
  }
  return out + text.slice(written);
}

export function stringifyRawJson(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  try {
    return JSON.stringify(value);
  } catch {
    const text = JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? `${mark}${inner}` : inner));
    return text.replace(marked, '$1');
  }
}
