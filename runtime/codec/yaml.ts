import { isDecodeError } from '../machinery/errors/decode-error.ts';
import type { Json } from '../machinery/object.ts';
import { type DecodeOptions, decodeJson } from './json.ts';
import { readsLikeJson } from './yaml/json-alike.ts';
import { readYaml } from './yaml/read.ts';
import { writeYaml } from './yaml/write.ts';

/**
 * Reads YAML as sigs.k8s.io/yaml does: YAML 1.1 as go-yaml v2 understands it, of several documents the first,
 * null where there is none. Keys given twice are told to `duplicates` in one message, go-yaml's. Throws
 * DecodeError.
 *
 * JSON is YAML too and many times quicker to read as JSON, which is how server-side apply mostly comes.
 */
export function decodeYaml(bytes: Uint8Array, { duplicates }: DecodeOptions = {}): Json {
  return decodeLikeJson(bytes, duplicates !== undefined) ?? readYaml(bytes, duplicates);
}

/** Undefined where YAML has another answer than JSON, or other words for it. */
function decodeLikeJson(bytes: Uint8Array, wantsDuplicates: boolean): Json | undefined {
  if (!readsLikeJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))) return undefined;
  const duplicates: string[] | undefined = wantsDuplicates ? [] : undefined;
  try {
    const value = decodeJson(bytes, { duplicates });
    return duplicates?.length ? undefined : value;
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    return undefined;
  }
}

/** Writes YAML as sigs.k8s.io/yaml does: keys sorted, go-yaml v2's quoting and folding. undefined members are left out. */
export function encodeYaml(value: unknown): Uint8Array {
  return Buffer.from(writeYaml(value), 'utf8');
}
