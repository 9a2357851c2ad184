import { type FileHandle, open } from 'node:fs/promises';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { quoteBytes } from '../../machinery/go/quote.ts';
import { isStorageError, StorageError } from '../errors.ts';
import type { SnapshotEngine, SnapshotRecord, StoreSnapshot } from '../kv/snapshot.ts';
import {
  type BackupHeader,
  blockDigest,
  decodeHeader,
  decodeRecords,
  digestBytes,
  maxChunkBytes,
  maxHeaderBytes,
  noDigest,
  revisionAt,
} from './format.ts';

const lineFeed = 0x0a;

/**
 * Opens a backup as a snapshot. Its pages throw `corrupt` at the first damage, so a reader that must not use a part of
 * a damaged file reads all pages first.
 *
 * @throws StorageError `corrupt` if the file is not a backup, `unavailable` if it cannot be read
 */
export async function openBackup(path: string): Promise<StoreSnapshot> {
  const file = await open(path, 'r').catch((error: Error) => {
    throw new StorageError('unavailable', `cannot read the backup ${path}: ${error.message}`);
  });
  try {
    const reader = new BlockReader(file);
    const { header, size } = await named(path, () => readHeader(reader));
    return new BackupSnapshot(path, file, header, size);
  } catch (error) {
    await file.close();
    throw error;
  }
}

class BackupSnapshot implements StoreSnapshot {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #headerSize: number;
  readonly engine: SnapshotEngine;
  readonly root: string;
  readonly revision: number;
  readonly compactedRevision: number;

  constructor(path: string, file: FileHandle, header: BackupHeader, headerSize: number) {
    this.#path = path;
    this.#file = file;
    this.#headerSize = headerSize;
    this.engine = header.engine;
    this.root = header.root;
    this.revision = header.revision;
    this.compactedRevision = header.compactedRevision;
  }

  async *pages(prefix = ''): AsyncGenerator<readonly SnapshotRecord[], void, undefined> {
    const reader = new BlockReader(this.#file);
    await reader.block(this.#headerSize);
    let total = 0;
    let last = Buffer.alloc(0);
    for (;;) {
      const records = await named(this.#path, () => readChunk(reader, total));
      if (records === undefined) return;
      total += records.length;
      for (const { key, rawKey } of records) {
        const bytes = Buffer.from(rawKey ?? key);
        if (Buffer.compare(last, bytes) >= 0) {
          throw corrupt(this.#path, `${quoteBytes(bytes)} is not after the key before it`);
        }
        last = bytes;
      }
      yield prefix === '' ? records : records.filter(({ key }) => key.startsWith(prefix));
    }
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

/** Reads the header. The size includes the line feed. */
async function readHeader(reader: BlockReader): Promise<{ header: BackupHeader; size: number }> {
  const start = await reader.peek(maxHeaderBytes);
  const end = start.indexOf(lineFeed);
  const header = decodeHeader(start.subarray(0, Math.max(0, end)));
  await reader.block(end + 1);
  return { header, size: end + 1 };
}

/** Returns undefined at the end of the file. */
async function readChunk(reader: BlockReader, total: number): Promise<SnapshotRecord[] | undefined> {
  const size = (await reader.peek(4, true)).readUInt32BE(0);
  if (size > maxChunkBytes) throw new StorageError('corrupt', `a chunk of it has ${size} bytes`);
  if (size > 0) return decodeRecords((await reader.block(4 + size)).subarray(4));
  const end = await reader.block(4 + 8);
  const counted = revisionAt(end, 4);
  if (counted !== total) throw new StorageError('corrupt', `it has ${total} records of ${counted}`);
  if ((await reader.peek(1)).length > 0) throw new StorageError('corrupt', 'it goes on after its end');
  return undefined;
}

/** Reads blocks, and checks the digest of each. */
class BlockReader {
  readonly #file: FileHandle;
  #at = 0;
  #digest: Buffer = noDigest;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /**
   * Returns the next bytes, at most `size`.
   *
   * @param all throws `corrupt` if there are fewer
   */
  async peek(size: number, all = false): Promise<Buffer> {
    // sizes in the file are not verified yet: allocate no more than the file has
    const { size: fileSize } = await this.#file.stat();
    const bytes = Buffer.allocUnsafe(Math.min(size, Math.max(0, fileSize - this.#at)));
    const { bytesRead } = await this.#file.read(bytes, 0, bytes.length, this.#at);
    if (all && bytesRead < size) throw new StorageError('corrupt', `it is truncated or damaged at byte ${this.#at}`);
    return bytes.subarray(0, bytesRead);
  }

  /**
   * Returns the next block.
   *
   * @throws StorageError `corrupt` if the block is missing or damaged
   */
  async block(size: number): Promise<Buffer> {
    const bytes = await this.peek(size + digestBytes, true);
    const block = bytes.subarray(0, size);
    this.#digest = blockDigest(this.#digest, block);
    if (!this.#digest.equals(bytes.subarray(size))) {
      throw new StorageError('corrupt', `its checksum at byte ${this.#at + size} does not match`);
    }
    this.#at += bytes.length;
    return block;
  }
}

/** Adds the file's name to errors. */
async function named<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isStorageError(error)) throw corrupt(path, error.message);
    throw new StorageError('unavailable', `cannot read the backup ${path}: ${messageOf(error)}`);
  }
}

function corrupt(path: string, why: string): StorageError {
  return new StorageError('corrupt', `the backup ${path} cannot be used: ${why}`);
}
