import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { quoteBytes } from '../../machinery/go/quote.ts';
import { isStorageError, StorageError } from '../errors.ts';
import type { SnapshotRecord, StoreSnapshot } from '../kv/snapshot.ts';
import {
  type BackupHeader,
  backupFormat,
  backupKind,
  blockDigest,
  chunkBytes,
  encodeRecords,
  maxChunkBytes,
  noDigest,
  recordBytes,
} from './format.ts';
import type { CopyProgress } from './progress.ts';

/**
 * Writes a backup of the snapshot, in constant memory. Other users cannot read the file. The complete and durable file
 * gets its name at the end, and replaces an older one.
 *
 * @param created when the snapshot was taken
 * @throws StorageError `unavailable` if it cannot be written, and errors of reading the snapshot
 */
export async function writeBackup(path: string, snapshot: StoreSnapshot, created: Date, progress: CopyProgress): Promise<void> {
  const temporary = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await writeAll(new BlockWriter(file), snapshot, created, progress);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(temporary, { force: true });
    if (isStorageError(error)) throw error;
    throw new StorageError('unavailable', `cannot write the backup ${path}: ${messageOf(error)}`);
  }
}

async function writeAll(file: BlockWriter, snapshot: StoreSnapshot, created: Date, progress: CopyProgress): Promise<void> {
  const { engine, root, revision, compactedRevision } = snapshot;
  const header: BackupHeader = {
    kind: backupKind,
    format: backupFormat,
    engine,
    root,
    revision,
    compactedRevision,
    created: created.toISOString(),
  };
  await file.write(Buffer.from(`${JSON.stringify(header)}\n`));
  let total = 0;
  let chunk: SnapshotRecord[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    if (chunk.length > 0) await file.write(uint(4, size), encodeRecords(chunk));
    total += chunk.length;
    chunk = [];
    size = 0;
  };
  for await (const page of snapshot.pages()) {
    for (const record of page) {
      const bytes = recordBytes(record);
      if (record.rawKey !== undefined) {
        throw new StorageError('corrupt', `${quoteBytes(record.rawKey)}: the key is not UTF-8`);
      }
      if (bytes > maxChunkBytes) throw new StorageError('unavailable', `${record.key} is too large for a backup`);
      if (size > 0 && size + bytes > chunkBytes) await flush();
      chunk.push(record);
      size += bytes;
    }
    progress.add(page);
  }
  await flush();
  await file.write(uint(4, 0), uint(8, total));
}

/** Writes blocks, each with its digest. */
class BlockWriter {
  readonly #file: FileHandle;
  #digest: Buffer = noDigest;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async write(...parts: readonly Buffer[]): Promise<void> {
    this.#digest = blockDigest(this.#digest, ...parts);
    for (const part of [...parts, this.#digest]) await this.#file.writeFile(part);
  }
}

function uint(size: 4 | 8, value: number): Buffer {
  const bytes = Buffer.alloc(size);
  if (size === 4) bytes.writeUInt32BE(value);
  else bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

/** Makes a rename in the folder durable. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
