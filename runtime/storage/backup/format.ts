import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { quoteExcerpt } from '../../machinery/go/quote.ts';
import { StorageError } from '../errors.ts';
import type { SnapshotEngine, SnapshotRecord } from '../kv/snapshot.ts';
import { registryPrefix } from '../object-store/keys.ts';

/*
 * A backup, format 1. Integers are big-endian.
 *
 *     header   a line of JSON (BackupHeader) that ends with a line feed; digest
 *     chunk    size of the payload (4 bytes, not 0); payload: records; digest
 *     ...
 *     end      0 (4 bytes); number of all records (8); digest
 *
 *     record   create revision (8), mod revision (8), expires (8, milliseconds since 1970, 0 for never),
 *              size of the key (4), size of the value (4), key (UTF-8), value
 *     digest   SHA-256 of the digest before it (none in the header) and of the bytes since then (32)
 *
 * Each digest covers everything before it; the last one covers the whole file. Keys are in ascending order.
 */

export const backupKind = 'KubeloomBackup';
export const backupFormat = 1;

export interface BackupHeader {
  readonly kind: typeof backupKind;
  readonly format: number;
  readonly engine: SnapshotEngine;
  readonly root: string;
  /** The revision of the store that was backed up. */
  readonly revision: number;
  readonly compactedRevision: number;
  /** The time when the backup was started, in RFC 3339. */
  readonly created: string;
}

export const digestBytes = 32;
/** The most bytes of a header. */
export const maxHeaderBytes = 4096;
/** The approximate size of a chunk. */
export const chunkBytes = 2 ** 20;
/** The largest chunk. A chunk has at least one record, and so may exceed chunkBytes. */
export const maxChunkBytes = 256 * 2 ** 20;
const recordHead = 8 + 8 + 8 + 4 + 4;

/** Returns the digest of a block of the file. */
export function blockDigest(previous: Uint8Array, ...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256').update(previous);
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** The digest before the header's. */
export const noDigest = Buffer.alloc(0);

export function recordBytes({ key, value }: SnapshotRecord): number {
  return recordHead + Buffer.byteLength(key) + value.length;
}

/** Encodes records as the payload of a chunk. */
export function encodeRecords(records: readonly SnapshotRecord[]): Buffer {
  const bytes = Buffer.allocUnsafe(records.reduce((size, record) => size + recordBytes(record), 0));
  let at = 0;
  for (const { key, value, createRevision, modRevision, expires = 0 } of records) {
    bytes.writeBigUInt64BE(BigInt(createRevision), at);
    bytes.writeBigUInt64BE(BigInt(modRevision), at + 8);
    bytes.writeBigUInt64BE(BigInt(expires), at + 16);
    bytes.writeUInt32BE(Buffer.byteLength(key), at + 24);
    bytes.writeUInt32BE(value.length, at + 28);
    at += recordHead;
    at += bytes.write(key, at);
    bytes.set(value, at);
    at += value.length;
  }
  return bytes;
}

/**
 * Decodes a payload. Values are views of it.
 *
 * @throws StorageError `corrupt` for an invalid payload
 */
export function decodeRecords(payload: Buffer): SnapshotRecord[] {
  const records: SnapshotRecord[] = [];
  for (let at = 0; at < payload.length; ) {
    if (at + recordHead > payload.length) throw notRecords();
    const keyAt = at + recordHead;
    const valueAt = keyAt + payload.readUInt32BE(at + 24);
    const end = valueAt + payload.readUInt32BE(at + 28);
    if (end > payload.length || valueAt === keyAt) throw notRecords();
    const expires = revisionAt(payload, at + 16);
    const key = payload.subarray(keyAt, valueAt);
    records.push({
      key: key.toString('utf8'),
      rawKey: isUtf8(key) ? undefined : key,
      value: payload.subarray(valueAt, end),
      createRevision: revisionAt(payload, at),
      modRevision: revisionAt(payload, at + 8),
      expires: expires === 0 ? undefined : expires,
    });
    at = end;
  }
  return records;
}

/** Reads eight bytes as a number. */
export function revisionAt(bytes: Buffer, at: number): number {
  const value = Number(bytes.readBigUInt64BE(at));
  if (!Number.isSafeInteger(value)) throw notRecords();
  return value;
}

/**
 * Decodes a header from a line without its line feed.
 *
 * @throws StorageError `corrupt` unless it is the header of a backup that this version reads
 */
export function decodeHeader(line: Buffer): BackupHeader {
  const { kind, format, engine, root, revision, compactedRevision, created } = parseHeader(line);
  if (kind !== backupKind || typeof format !== 'number' || !Number.isInteger(format) || format < 1) {
    throw new StorageError('corrupt', 'it is not a backup of a store');
  }
  if (format > backupFormat) {
    throw new StorageError('corrupt', `it has format ${format}, but this version reads only formats up to ${backupFormat}`);
  }
  if (engine !== 'lmdb' && engine !== 'etcd') throw new StorageError('corrupt', 'its header does not name an engine');
  if (typeof root !== 'string' || typeof created !== 'string') {
    throw new StorageError('corrupt', 'its header is not complete');
  }
  if (!isRevision(revision) || !isRevision(compactedRevision)) {
    throw new StorageError('corrupt', 'its header lacks a revision');
  }
  const isRoot = engine === 'lmdb' ? root === registryPrefix : /^(\/.*[^/])?$/.test(root);
  if (!isRoot) throw new StorageError('corrupt', `its header names the root ${quoteExcerpt(root)}`);
  return { kind, format, engine, root, revision, compactedRevision, created };
}

function parseHeader(line: Buffer): Record<string, unknown> {
  try {
    const header: unknown = JSON.parse(line.toString('utf8'));
    return typeof header === 'object' && header !== null ? { ...header } : {};
  } catch {
    return {};
  }
}

function isRevision(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function notRecords(): StorageError {
  return new StorageError('corrupt', 'a chunk of it does not hold records');
}
