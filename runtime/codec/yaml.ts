import { parse, stringify } from 'yaml';
import type { Json } from '../machinery/object.ts';
import { DecodeError } from '../machinery/prune.ts';

export function decodeYaml(bytes: Uint8Array, _options: { duplicates?: string[] } = {}): Json {
  try {
    return parse(Buffer.from(bytes).toString('utf8'));
  } catch (error) {
    throw new DecodeError((error as Error).message);
  }
}

export function encodeYaml(value: unknown): Uint8Array {
  return Buffer.from(stringify(value, { sortMapEntries: true }));
}
