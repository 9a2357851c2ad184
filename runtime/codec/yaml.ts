import { isDecodeError } from '../machinery/decode-error.ts';
import type { Json } from '../machinery/object.ts';
import { type DecodeOptions, decodeJson } from './json.ts';
import { readYaml } from './yaml/read.ts';
import { writeYaml } from './yaml/write.ts';

/**
 * Reads YAML as sigs.k8s.io/yaml does: YAML 1.1 as go-yaml v2 understands it, of several documents the first,
 * null where there is none. Keys given twice are told to `duplicates` in one message, go-yaml's. Throws
 * DecodeError.
 *
 * JSON is YAML too and seventy times quicker to read as JSON, so what begins with a brace is tried as that first.
 */
export function decodeYaml(bytes: Uint8Array, options: DecodeOptions = {}): Json {
  if (beginsWithBrace(bytes)) {
    try {
      return decodeJson(bytes, options);
    } catch (error) {
      if (!isDecodeError(error)) throw error;
      options.duplicates?.splice(0);
    }
  }
  return readYaml(bytes, options.duplicates);
}

function beginsWithBrace(bytes: Uint8Array): boolean {
  for (const byte of bytes) {
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) return byte === 0x7b;
  }
  return false;
}

/** Writes YAML as sigs.k8s.io/yaml does: keys sorted, go-yaml v2's quoting and folding. undefined members are left out. */
export function encodeYaml(value: unknown): Uint8Array {
  return Buffer.from(writeYaml(value), 'utf8');
}
