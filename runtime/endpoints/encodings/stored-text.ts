import { isAscii } from 'node:buffer';
import { RawJson } from '../../machinery/json/raw-json.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { isStorageVersion } from '../../resources/views.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import { metadataEnd, metadataOffset } from '../../storage/object-store/stored-json.ts';

/*
 * The parts of stored objects that encodings need. The stored bytes are our own compact JSON, so parts of them can be copied
 * into responses.
 */

/** A part of an object's JSON: [start, end). */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Returns the span of the metadata, with its braces. Returns undefined if the bytes do not have the stored layout. */
export function metadataSpan(json: Uint8Array): Span | undefined {
  const offset = metadataOffset(json);
  const end = offset === undefined ? undefined : metadataEnd(json, offset);
  return offset === undefined || end === undefined ? undefined : { start: offset - 1, end };
}

/** Bytes of JSON up to which objects share memory. */
const borrowedBytes = 1024 * 1024;
let shared: Buffer = Buffer.alloc(0);

/** Returns the JSON of a stored object in memory that the next call reuses. */
export function borrowJson(stored: StoredObject): Uint8Array {
  const { jsonLength } = stored;
  if (jsonLength > borrowedBytes) return stored.json;
  if (shared.length < jsonLength) shared = Buffer.allocUnsafeSlow(2 * jsonLength);
  return shared.subarray(0, stored.writeJson(shared, 0));
}

/**
 * Decodes a stored object to the version of a definition, for encoding or printing only: the `fieldsV1` of its managed
 * fields, which are half of many objects and most of the work of decoding, become RawJson.
 */
export function objectToEncode(definition: ResourceDefinition, stored: StoredObject): KubeObject {
  if (definition.decoder !== undefined) return stored.decode();
  const object = decodeFast(stored.json) ?? stored.decode();
  return isStorageVersion(definition) ? object : definition.conversion.fromStorage(object);
}

const fieldsKey = '"fieldsV1":{';
const fieldsPlaceholder = '0';
/**
 * Numbers that JSON.parse may round, and escaped halves of surrogate pairs. A match within a string is wrong, but only costs
 * time.
 */
const inexact = /[:,[]-?\d(?:\d{14}|[\d.]*[eE])|\\u[dD][89a-fA-F]/;

/** Returns undefined if only the exact decoder can decode the object. */
function decodeFast(json: Uint8Array): KubeObject | undefined {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  const ascii = isAscii(bytes);
  const text = ascii ? bytes.toString('latin1') : bytes.toString('utf8');
  if (!ascii && text.includes('\ufffd')) return undefined;
  const { rest, cut } = cutFields(text);
  if (inexact.test(rest)) return undefined;
  try {
    const object = JSON.parse(rest) as KubeObject;
    return cut.length === 0 || fillFields(object, cut) ? object : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the value of every `fieldsV1` with a placeholder. Within a string, the quotes of the key would be escaped. */
function cutFields(text: string): { rest: string; cut: string[] } {
  const cut: string[] = [];
  let rest = '';
  let from = 0;
  for (let at = text.indexOf(fieldsKey); at >= 0; at = text.indexOf(fieldsKey, from)) {
    const start = at + fieldsKey.length - 1;
    const end = objectEnd(text, start);
    rest += text.slice(from, start) + fieldsPlaceholder;
    cut.push(text.slice(start, end));
    from = end;
  }
  return { rest: from === 0 ? text : rest + text.slice(from), cut };
}

/** Returns the position after the brace that closes the object at `start`. */
function objectEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x7b) depth += 1;
    else if (code === 0x7d) {
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (code === 0x22) at = stringEnd(text, at + 1);
  }
  return text.length;
}

/** Returns the position of the quote that ends the string whose content begins at `start`. */
function stringEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at += 1;
    else if (code === 0x22) return at;
  }
  return text.length;
}

/**
 * Restores the values that were cut. Returns false if one of them is not in the managed fields, or would be encoded
 * differently.
 */
function fillFields(object: KubeObject, cut: readonly string[]): boolean {
  const entries: unknown = object.metadata?.managedFields;
  if (!Array.isArray(entries)) return false;
  let filled = 0;
  for (const entry of entries as Record<string, unknown>[]) {
    if (entry?.fieldsV1 !== 0) continue;
    const text = cut[filled];
    // Stored text has <, > and & escaped; the text in protobuf messages has not.
    if (text === undefined || text.includes('\\u')) return false;
    entry.fieldsV1 = new RawJson(text);
    filled += 1;
  }
  return filled === cut.length;
}
