import { isUtf8 } from 'node:buffer';
import { linkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../machinery/files/make-folder.ts';
import { quoteBytes } from '../../machinery/go/quote.ts';
import { keyProblem } from '../backup/record-problem.ts';
import { registryPrefix } from '../object-store/keys.ts';
import { type Buckets, bucketNames, openBucket, openBuckets, openRoot } from './buckets.ts';
import { checkDataFile } from './data-file/check.ts';
import { requireSpace } from './disk-space.ts';
import { entryProblem } from './entry-problem.ts';
import { dataName } from './file-names.ts';
import { replaceDataFile, type StoredState, writeDataFile } from './new-data-file.ts';
import { Ownership } from './owner.ts';
import { decodeRevision, decodeStateRef, type LogRecordHead } from './records.ts';
import { findRecord, metaKeys, readHead, readMeta } from './states.ts';
import { checkMarker, notAStoreError, prepareDirectory, storeBytes } from './store-directory.ts';

export interface RepairReport {
  /** The new path of the damaged data file. */
  readonly damagedFile: string;
  /** The number of saved objects. */
  readonly saved: number;
  /** The newest revision. All older ones are unreadable. */
  readonly revision: number;
  /** One line for each problem, and for each object that is lost or may be outdated. */
  readonly losses: readonly string[];
}

/** The readable rest of a damaged store. */
interface Remains {
  /** The newest undamaged record of each key. */
  readonly newest: ReadonlyMap<string, LogRecordHead & { readonly revision: number }>;
  /** The mod revisions of keys in the readable part of the index. */
  readonly indexed: ReadonlyMap<string, number>;
  /** The keys that are not of objects, quoted, with their problems. */
  readonly foreign: readonly string[];
  readonly isLogWhole: boolean;
  readonly isIndexWhole: boolean;
  readonly revision: number;
}

/** The most revisions that a damaged log may have had after the last one found. None may be used twice. */
const revisionGap = 1_000_000;

/**
 * Creates a new data file from the readable part of a store, and keeps the old one beside it. Drops objects with a
 * damaged record. Rebuilds damaged indexes from the log.
 *
 * @throws StorageError `unavailable` if the directory has no store or is in use, `corrupt` if nothing can be read
 */
export async function repairStore(path: string): Promise<RepairReport> {
  const dir = prepareDirectory(path, false);
  const owner = await Ownership.take(dir);
  const folder = join(dir, 'repairing');
  try {
    await checkMarker(dir);
    rmSync(folder, { recursive: true, force: true });
    await requireSpace(dir, 2 * storeBytes(dir));
    const salvaged = join(folder, 'salvaged');
    const problems = await salvage(join(dir, dataName), salvaged);
    const buckets = openBuckets(salvaged, true);
    try {
      const { states, ...report } = restore(buckets, problems);
      if (states.length === 0 && problems.length > 0) throw notAStoreError(dir, `nothing in ${dataName} can be read`);
      await writeDataFile(join(folder, 'repaired'), report.revision, readStates(buckets, states));
      const damagedFile = join(dir, `${dataName}.damaged`);
      rmSync(damagedFile, { force: true });
      linkSync(join(dir, dataName), damagedFile);
      await replaceDataFile(dir, join(folder, 'repaired'));
      return { ...report, damagedFile, saved: states.length };
    } finally {
      await buckets.root.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
    owner.release();
  }
}

/** Copies every readable entry to a new data file, which LMDB can open. Returns the problems of the old file. */
async function salvage(path: string, dir: string): Promise<readonly string[]> {
  makeFolder(dir);
  const root = openRoot(dir, true);
  try {
    // values of the log are copied without decompressing them
    const copies = new Map<string, ReturnType<typeof openBucket>>(bucketNames.map((name) => [name, openBucket(root, name)]));
    return root.transactionSync(() =>
      checkDataFile(path, (bucket, key, value) => {
        const problem = entryProblem(bucket, key, value);
        if (problem === undefined) copies.get(bucket)?.putSync(Buffer.from(key), Buffer.from(value));
        return problem;
      }),
    );
  } finally {
    await root.close();
  }
}

/** Determines the content of the new store, and the losses. */
function restore(buckets: Buckets, problems: readonly string[]) {
  const { newest, indexed, foreign, isLogWhole, isIndexWhole, revision } = findRemains(buckets, problems);
  const losses = [...problems, ...foreign.map((problem) => `${problem}: left out`)];
  const states: { readonly key: string; readonly revision: number }[] = [];
  for (const [key, modRevision] of indexed) {
    const head = readHead(buckets, modRevision);
    if (head?.type === 'put' && head.key === key) states.push({ key, revision: modRevision });
    else losses.push(`${key}: lost with its record of revision ${modRevision}`);
  }
  if (!isIndexWhole) {
    for (const [key, record] of newest) {
      if (indexed.has(key) || record.type === 'delete' || keyProblem({ key }, registryPrefix) !== undefined) continue;
      states.push({ key, revision: record.revision });
      if (!isLogWhole) losses.push(`${key}: saved as it was at revision ${record.revision}; later changes may be lost`);
    }
  }
  states.sort((a, b) => a.revision - b.revision);
  return { states, losses, revision };
}

function findRemains(buckets: Buckets, problems: readonly string[]): Remains {
  const newest = new Map<string, LogRecordHead & { revision: number }>();
  const indexed = new Map<string, number>();
  const foreign: string[] = [];
  let isLogWhole = !problems.some((problem) => !/^(keys|history|expiry|the free pages): /.test(problem));
  let revision = (readMeta(buckets, metaKeys.compacted) ?? 0) + 1;
  for (const found of buckets.log.getKeys({})) {
    const at = decodeRevision(found);
    const head = readHead(buckets, at);
    if (head === undefined) {
      isLogWhole = false;
      continue;
    }
    revision = Math.max(revision, at);
    newest.set(head.key, { ...head, revision: at });
  }
  for (const { key, value } of buckets.keys.getRange({})) {
    const { modRevision } = decodeStateRef(value);
    revision = Math.max(revision, modRevision);
    const name = key.toString('utf8');
    const problem = keyProblem({ key: name, rawKey: isUtf8(key) ? undefined : key }, registryPrefix);
    if (problem === undefined) indexed.set(name, modRevision);
    else foreign.push(`${quoteBytes(key)}: ${problem}`);
  }
  const isIndexWhole = !problems.some((problem) => !/^(log|history|expiry|the free pages): /.test(problem));
  return { newest, indexed, foreign, isLogWhole, isIndexWhole, revision: revision + (isLogWhole ? 0 : revisionGap) };
}

function* readStates(buckets: Buckets, states: readonly { readonly revision: number }[]): Generator<StoredState, void, undefined> {
  for (const { revision } of states) {
    const record = findRecord(buckets, revision);
    if (record !== undefined) yield { ...record, modRevision: revision };
  }
}
