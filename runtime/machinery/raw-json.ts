import { randomUUID } from 'node:crypto';
import { DecodeError } from './decode-error.ts';

/** JSON text inside protobuf messages: RawExtension, FieldsV1, JSON. Integers beyond 2^53 are bigint. */

// Long integers pass through JSON.parse and JSON.stringify as strings that nobody else can have written.
const mark = `${randomUUID()}:`;
const token = /"(?:[^"\\]|\\.)*"|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/g;
const marked = new RegExp(`"${mark}(-?[0-9]+)"`, 'g');

/**
 * Stands in an object for a value that is known as compact JSON text: it goes into messages as it is, without being
 * decoded first. For objects that are only encoded; everything else expects values.
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

/** Throws DecodeError for what is no JSON. */
export function parseRawJson(bytes: Uint8Array): unknown {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  if (text === '') return null;
  try {
    return /[0-9]{16}/.test(text) ? parseExact(text) : JSON.parse(text);
  } catch (error) {
    throw new DecodeError(`failed to parse RawExtension bytes as JSON: ${(error as Error).message}`);
  }
}

function parseExact(text: string): unknown {
  const safe = text.replace(token, (found) =>
    /^-?[0-9]{16,}$/.test(found) && !Number.isSafeInteger(Number(found)) ? `"${mark}${found}"` : found,
  );
  return JSON.parse(safe, (_key, value) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  );
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
