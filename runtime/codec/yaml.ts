import { isDecodeError } from '../machinery/errors/decode-error.ts';
import type { Json } from '../machinery/object.ts';
import { type DecodeOptions, decodeJson } from './json.ts';
import { readsLikeJson } from './yaml/json-alike.ts';
import { readYaml } from './yaml/read.ts';
import { writeYaml } from './yaml/write.ts';

/**
 * Decodes YAML like sigs.k8s.io/yaml: YAML 1.1 as go-yaml v2 reads it. Returns the first of several documents, null if
 * there is none. `duplicates` receives one message of go-yaml with all repeated keys. Throws DecodeError.
 *
 * JSON is valid YAML and much faster to decode as JSON, and most server-side apply requests send JSON.
 */
export function decodeYaml(bytes: Uint8Array, { duplicates }: DecodeOptions = {}): Json {
  return decodeLikeJson(bytes, duplicates !== undefined) ?? readYaml(bytes, duplicates);
}

/** Returns undefined if YAML would give another value or another error. */
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

/**
 * Encodes YAML like sigs.k8s.io/yaml: sorted keys, with go-yaml v2's quoting and folding. Undefined members are
 * omitted.
 */
export function encodeYaml(value: unknown): Uint8Array {
  return Buffer.from(writeYaml(value), 'utf8');
}
