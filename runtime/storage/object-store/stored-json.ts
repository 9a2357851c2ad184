import type { KubeObject } from '../../machinery/object.ts';

/*
 * Objects are stored as JSON that begins with kind, apiVersion and metadata. It lacks the resourceVersion, which is
 * only known after the write. The served JSON is a copy with the resourceVersion inserted at the beginning of metadata:
 *
 *     {"kind":"Pod","apiVersion":"v1","metadata":{"name":"a",...
 *     {"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"7","name":"a",...
 */

const member = new TextEncoder().encode('"resourceVersion":"');
const metadataKey = Buffer.from('"metadata":{');
const skippedKeys = [Buffer.from('"kind":"'), Buffer.from('"apiVersion":"')];

const quoteByte = 0x22;
const commaByte = 0x2c;
const backslashByte = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Encodes an object for the store. The result may be a view of a larger buffer. Does not modify the object. */
export function encodeStored(object: KubeObject, encode: (value: unknown) => Uint8Array): Uint8Array {
  const { kind, apiVersion, metadata, ...rest } = object;
  const { resourceVersion: _, ...withoutRevision } = metadata;
  return encode({ kind, apiVersion, metadata: withoutRevision, ...rest });
}

/** Returns the offset of the first member of metadata; undefined if encodeStored did not write these bytes. */
export function metadataOffset(bytes: Uint8Array): number | undefined {
  if (bytes[0] !== openBrace) return undefined;
  let at = 1;
  for (;;) {
    if (startsWith(bytes, metadataKey, at)) return at + metadataKey.length;
    const skipped = skippedKeys.find((key) => startsWith(bytes, key, at));
    if (skipped === undefined) return undefined;
    const end = stringEnd(bytes, at + skipped.length);
    if (end === undefined || bytes[end + 1] !== commaByte) return undefined;
    at = end + 2;
  }
}

/**
 * Returns a foreign value in a form for an engine that vouches for its values (Engine.isVerified): an object's JSON
 * unchanged. Other text that begins like it gets a space in front, so that readers decode it and find it corrupt.
 */
export function vouchedValue(value: Uint8Array): Uint8Array {
  if (metadataOffset(value) === undefined || isJson(value)) return value;
  return Buffer.concat([Buffer.from(' '), value]);
}

function isJson(value: Uint8Array): boolean {
  try {
    JSON.parse(Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

/** Returns the offset after the object whose first member is at `offset`; undefined if the object is not closed. */
export function metadataEnd(bytes: Uint8Array, offset: number): number | undefined {
  let depth = 1;
  for (let at = offset; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quoteByte) {
      const end = stringEnd(bytes, at + 1);
      if (end === undefined) return undefined;
      at = end;
    } else if (byte === openBrace) depth += 1;
    else if (byte === closeBrace) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

const uidKey = Buffer.from('"uid":"');

/** Returns the uid in the metadata whose first member is at `offset`; undefined if it is absent or not plain ASCII. */
export function metadataUid(bytes: Uint8Array, offset: number): string | undefined {
  let depth = 1;
  for (let at = offset; at < bytes.length && depth > 0; at += 1) {
    const byte = bytes[at];
    if (byte === quoteByte) {
      const isUid = depth === 1 && startsWith(bytes, uidKey, at);
      const start = isUid ? at + uidKey.length : at + 1;
      const end = stringEnd(bytes, start);
      if (end === undefined) return undefined;
      if (isUid) return plainText(bytes, start, end);
      at = end;
    } else if (byte === openBrace) depth += 1;
    else if (byte === closeBrace) depth -= 1;
  }
  return undefined;
}

/** Returns undefined if the string has escapes or characters outside ASCII. */
function plainText(bytes: Uint8Array, start: number, end: number): string | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
  for (const byte of text) if (byte === backslashByte || byte > 0x7f) return undefined;
  return text.toString('latin1');
}

/** The members of StoredValue that serving needs. */
export interface ValueBytes {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly length: number;
  readonly modRevision: number;
}

/** Stored JSON, and the place of its resourceVersion. */
export interface StoredJson {
  readonly stored: ValueBytes;
  /** The result of metadataOffset. */
  readonly offset: number;
}

/** Returns the bytes of the served JSON. */
export function servedLength({ stored, offset }: StoredJson): number {
  const { bytes, start, length, modRevision } = stored;
  const comma = bytes[start + offset] === closeBrace ? 0 : 1;
  return length + member.length + digits(modRevision) + 1 + comma;
}

/** Returns the bytes of kind and apiVersion, the members before metadata. */
export function typeLength(offset: number): number {
  return offset - metadataKey.length - 1;
}

/**
 * Writes the served JSON to `target` at `at`, and returns the offset after it.
 *
 * @param skipped bytes to omit after the opening brace
 */
export function writeServed({ stored, offset }: StoredJson, target: Uint8Array, at: number, skipped = 0): number {
  const { bytes, start, length, modRevision } = stored;
  const split = start + offset;
  let to = at;
  target[to++] = openBrace;
  // faster than a view and set() for so few bytes
  for (let from = start + 1 + skipped; from < split; from += 1) target[to++] = bytes[from] ?? 0;
  for (let from = 0; from < member.length; from += 1) target[to++] = member[from] ?? 0;
  const size = digits(modRevision);
  let rest = modRevision;
  for (let digit = size - 1; digit >= 0; digit -= 1) {
    const next = Math.floor(rest / 10);
    target[to + digit] = 0x30 + (rest - next * 10);
    rest = next;
  }
  to += size;
  target[to++] = quoteByte;
  if (bytes[split] !== closeBrace) target[to++] = commaByte;
  target.set(bytes.subarray(split, start + length), to);
  return to + length - offset;
}

/** Returns the served JSON of an object that encodeStored has encoded. */
export function servedJson(bytes: Uint8Array, modRevision: number): Uint8Array {
  const offset = metadataOffset(bytes);
  if (offset === undefined) throw new TypeError('not the bytes of an encoded object');
  const served: StoredJson = { stored: { bytes, start: 0, length: bytes.length, modRevision }, offset };
  const json = new Uint8Array(servedLength(served));
  writeServed(served, json, 0);
  return json;
}

function digits(revision: number): number {
  let count = 1;
  for (let rest = revision; rest >= 10; rest = Math.floor(rest / 10)) count += 1;
  return count;
}

function startsWith(bytes: Uint8Array, prefix: Uint8Array, at: number): boolean {
  for (let index = 0; index < prefix.length; index += 1) {
    if (bytes[at + index] !== prefix[index]) return false;
  }
  return true;
}

/** Returns the offset of the quote that ends the string whose content begins at `at`. */
function stringEnd(bytes: Uint8Array, at: number): number | undefined {
  for (let index = at; index < bytes.length; index += 1) {
    if (bytes[index] === backslashByte) index += 1;
    else if (bytes[index] === quoteByte) return index;
  }
  return undefined;
}
