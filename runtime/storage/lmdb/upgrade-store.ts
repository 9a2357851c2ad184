import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RootDatabase } from 'lmdb';
import type { Logger } from '../../observe/logger.ts';
import { StorageError } from '../errors.ts';
import { vouchedValue } from '../object-store/stored-json.ts';
import { type Bucket, openBucket, openLog, openRoot } from './buckets.ts';
import { checkDataFile } from './data-file/check.ts';
import { requireSpace } from './disk-space.ts';
import { upgradedKey, upgradedValue } from './former-keys.ts';
import { replaceDataFile, type StoredState, writeDataFile } from './new-data-file.ts';
import { decodeRevision, decodeStateRef, encodeRevision, storeFormat } from './records.ts';
import { damagedError, dataName, type Marker, storeBytes, writeMarker } from './store-directory.ts';

/** Where the new data file is made. While it is there, the old one is in its place. */
const upgradingName = 'upgrading';

/**
 * Replaces a data file of format 1 or 2, which are the same, by one of the newest format. Revisions stay; the history before now
 * is dropped, so clients list again. It can be interrupted at any time, and is done again by the next open. Throws StorageError
 * `corrupt` if the file is damaged, `unavailable` if a server of the old version has it open.
 */
export async function upgradeStore(dir: string, marker: Marker, logger: Logger): Promise<void> {
  const folder = join(dir, upgradingName);
  const isReplaced = marker.upgradingFrom !== undefined && storeBytes(folder) === 0;
  if (!isReplaced && storeBytes(dir) > 0) {
    const [problem] = checkDataFile(join(dir, dataName), () => undefined);
    if (problem !== undefined) throw damagedError(dir, problem);
    await requireSpace(dir, storeBytes(dir));
    const old = openRoot(dir, false);
    try {
      const objects = await copy(old, dir, folder);
      logger.info({ dir, objects, format: storeFormat }, 'the store was upgraded: older revisions cannot be read');
    } finally {
      await old.close();
    }
    await writeMarker(dir, { format: storeFormat, upgradingFrom: marker.upgradingFrom ?? marker.format });
    await replaceDataFile(dir, folder);
  }
  rmSync(folder, { recursive: true, force: true });
  await writeMarker(dir, { format: storeFormat });
}

async function copy(root: RootDatabase<Buffer, Buffer>, dir: string, folder: string): Promise<number> {
  const meta = openBucket(root, 'meta');
  refuseRunning(meta, dir);
  const keys = openBucket(root, 'keys');
  const log = openLog(root);
  const compacted = meta.get(Buffer.from('compacted'));
  let revision = compacted === undefined ? 1 : decodeRevision(compacted) + 1;
  const last = { start: Buffer.alloc(8, 0xff), end: Buffer.alloc(8), reverse: true, limit: 1 };
  for (const key of log.getKeys(last)) revision = Math.max(revision, decodeRevision(key));
  let objects = 0;
  function* states(): Generator<StoredState, void, undefined> {
    for (const { key, value } of keys.getRange({})) {
      const { createRevision, modRevision } = decodeStateRef(value);
      const stored = decodeValue(log.get(encodeRevision(modRevision)), key);
      const former = key.toString('utf8');
      if (stored === undefined) throw damagedError(dir, `the value of ${former} is missing`);
      objects += 1;
      const upgraded = upgradedKey(former);
      yield { key: upgraded, createRevision, modRevision, value: upgradedValue(upgraded, vouchedValue(stored)) };
    }
  }
  await writeDataFile(folder, revision, states());
  return objects;
}

/** The value of a record, which had type, two revisions, the sizes of key and value, and these. */
function decodeValue(bytes: Buffer | undefined, key: Buffer): Uint8Array | undefined {
  if (bytes === undefined || bytes.length < 25 || bytes[0] !== 1) return undefined;
  const start = 25 + bytes.readUInt32BE(17);
  const end = start + bytes.readUInt32BE(21);
  return end <= bytes.length && key.equals(bytes.subarray(25, start)) ? bytes.subarray(start, end) : undefined;
}

/** Servers of these formats wrote their process into the store, and lock nothing that others see. */
function refuseRunning(meta: Bucket, dir: string): void {
  const bytes = meta.get(Buffer.from('owner'));
  if (bytes === undefined) return;
  const { pid, started } = JSON.parse(bytes.toString('utf8'));
  if (!Number.isSafeInteger(pid) || startTime(pid) !== started || started === '') return;
  throw new StorageError(
    'unavailable',
    `the store in ${dir} is in use by process ${pid}, a server of an older version: stop it first`,
  );
}

/** Field 22 of /proc/PID/stat, counted from the end of the command name, which may contain spaces. */
function startTime(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
