import { renameSync, rmSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../machinery/files/make-folder.ts';
import { type Buckets, openBuckets } from './buckets.ts';
import { commit } from './commit.ts';
import { encodeExpiry } from './expiry.ts';
import { dataName } from './file-names.ts';
import { encodeLogRecord, encodeRevision, encodeStateRef, type LogRecord } from './records.ts';
import { metaKeys, putMeta } from './states.ts';
import { syncFolder } from './store-directory.ts';

/** The newest state of a key, and the revision of its write. */
export interface StoredState extends Pick<LogRecord, 'key' | 'createRevision' | 'expires' | 'value'> {
  readonly modRevision: number;
}

/** The number of states written in one transaction. */
const chunk = 500;

/** Creates a durable data file in a new folder, with these states and no history. */
export async function writeDataFile(dir: string, revision: number, states: Iterable<StoredState>): Promise<void> {
  rmSync(dir, { recursive: true, force: true });
  makeFolder(dir);
  // synced at the end
  const buckets = openBuckets(dir, true);
  try {
    await commit(buckets.root, dir, (track) => {
      track(putMeta(buckets, metaKeys.compacted, revision - 1));
      track(putMeta(buckets, metaKeys.swept, revision));
    });
    let batch: StoredState[] = [];
    for (const state of states) {
      batch.push(state);
      if (batch.length < chunk) continue;
      await putStates(buckets, dir, batch);
      batch = [];
    }
    await putStates(buckets, dir, batch);
  } finally {
    await buckets.root.close();
  }
  await syncFile(join(dir, dataName));
}

async function putStates(buckets: Buckets, dir: string, states: readonly StoredState[]): Promise<void> {
  const { root, keys, log, expiry } = buckets;
  await commit(root, dir, (track) => {
    for (const state of states) {
      const { key, modRevision, expires } = state;
      const keyBytes = Buffer.from(key);
      const record: LogRecord = { ...state, type: 'put', previousRevision: 0 };
      track(log.put(encodeRevision(modRevision), encodeLogRecord(record, modRevision, Buffer.allocUnsafeSlow)));
      track(keys.put(keyBytes, encodeStateRef(keyBytes, state)));
      if (expires !== undefined) {
        const entry = encodeExpiry(key, expires, modRevision);
        track(expiry.put(entry.key, entry.value));
      }
    }
  });
}

async function syncFile(path: string): Promise<void> {
  const file = await openFile(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Replaces a data file by that of another folder. The rename is atomic: there is always a complete file. */
export async function replaceDataFile(dir: string, folder: string): Promise<void> {
  renameSync(join(folder, dataName), join(dir, dataName));
  await syncFolder(dir);
  rmSync(folder, { recursive: true, force: true });
}
