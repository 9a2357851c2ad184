import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { yieldToEventLoop } from '../../machinery/event-loop/yield.ts';
import { quoteBytes } from '../../machinery/go/quote.ts';
import { keyProblem } from '../backup/record-problem.ts';
import { registryPrefix } from '../object-store/keys.ts';
import { isEncrypted } from '../value/encrypt/identity.ts';
import { checkDataFile } from './data-file/check.ts';
import { entryProblem } from './entry-problem.ts';
import { type Environment, openEnvironment } from './environment.ts';
import { dataName } from './file-names.ts';
import { Ownership } from './owner.ts';
import { decodeHistoryKey, decodeStateRef } from './records.ts';
import { findRecord, readRevisions, stateAt } from './states.ts';
import { checkMarker, prepareDirectory } from './store-directory.ts';

export interface StoreReport {
  readonly revision: number;
  readonly compactedRevision: number;
  /** The number of keys, and the bytes of their values. */
  readonly keys: number;
  readonly bytes: number;
  /** The number of changes after the oldest readable revision. */
  readonly changes: number;
  /** One line for each problem; empty for a consistent store. */
  readonly problems: readonly string[];
}

const maxProblems = 1000;
/** The number of records read between yields to the event loop. */
const chunk = 2000;

/**
 * Reads a whole store and reports damage and inconsistencies: pages that LMDB could not use, wrong checksums, states
 * without a value, missing changes, values that are not JSON objects. If pages or indexes are damaged, reports only
 * these.
 *
 * @throws StorageError if the directory has no store or is in use
 */
export async function checkStore(dir: string): Promise<StoreReport> {
  const damage = await findDamage(dir);
  if (damage.length > 0) return { revision: 0, compactedRevision: 0, keys: 0, bytes: 0, changes: 0, problems: damage };
  const environment = await openEnvironment({ path: dir }, false);
  try {
    const problems: string[] = [];
    const report = (problem: string) => {
      if (problems.length < maxProblems) problems.push(problem);
    };
    const { compacted, newest } = readRevisions(environment);
    const states = await checkStates(environment, report);
    const changes = await checkLog(environment, compacted + 1, newest, report);
    await checkHistory(environment, compacted + 1, report);
    return { revision: newest, compactedRevision: compacted, ...states, changes, problems };
  } finally {
    await environment.close();
  }
}

/** Returns damage that keeps LMDB from opening the file. */
async function findDamage(path: string): Promise<readonly string[]> {
  const dir = prepareDirectory(path, false);
  const owner = await Ownership.take(dir);
  try {
    await checkMarker(dir);
    return checkDataFile(join(dir, dataName), entryProblem);
  } finally {
    owner.release();
  }
}

async function checkStates(environment: Environment, report: (problem: string) => void) {
  let keys = 0;
  let bytes = 0;
  for (const { key, value } of environment.keys.getRange({ start: Buffer.alloc(1) })) {
    const name = key.toString('utf8');
    const foreign = keyProblem({ key: name, rawKey: isUtf8(key) ? undefined : key }, registryPrefix);
    if (foreign !== undefined) report(`${quoteBytes(key)}: ${foreign}`);
    const { createRevision, modRevision } = decodeStateRef(value);
    const record = findRecord(environment, modRevision);
    keys += 1;
    if (record === undefined || record.type !== 'put' || record.key !== name) {
      report(`${name}: its value of revision ${modRevision} is missing or damaged`);
    } else {
      bytes += record.value.length;
      if (record.createRevision !== createRevision) report(`${name}: created at ${createRevision} and ${record.createRevision}`);
      const problem = objectProblem(record.value, name);
      if (problem !== undefined) report(`${name}: ${problem}`);
    }
    if (keys % chunk === 0) await yieldToEventLoop();
  }
  return { keys, bytes };
}

/** Checks that every change after the oldest readable revision exists, and the state before each. */
async function checkLog(environment: Environment, oldest: number, newest: number, report: (problem: string) => void) {
  let changes = 0;
  const newestOf = new Map<string, { revision: number; type: 'put' | 'delete' }>();
  for (let revision = oldest + 1; revision <= newest; revision += 1) {
    const record = findRecord(environment, revision);
    if (record === undefined) {
      report(`change ${revision} is missing or damaged`);
      continue;
    }
    changes += 1;
    const { previousRevision } = record;
    newestOf.set(record.key, { revision, type: record.type });
    if (previousRevision > 0) {
      const previous = findRecord(environment, previousRevision);
      if (previous === undefined || previous.type !== 'put' || previous.key !== record.key) {
        report(`${record.key}: the value of revision ${previousRevision}, before change ${revision}, is missing or damaged`);
      }
    }
    if (changes % chunk === 0) await yieldToEventLoop();
  }
  for (const [key, { revision, type }] of newestOf) {
    const ref = stateAt(environment, key, Number.MAX_SAFE_INTEGER - 1);
    const expected = type === 'put' ? revision : undefined;
    if (ref?.modRevision !== expected) report(`${key}: its last change is ${revision}, but the index does not know it`);
  }
  return changes;
}

async function checkHistory(environment: Environment, oldest: number, report: (problem: string) => void): Promise<void> {
  let entries = 0;
  for (const { key, value } of environment.history.getRange({ start: Buffer.alloc(1) })) {
    const ended = decodeHistoryKey(key);
    const { modRevision } = decodeStateRef(value);
    // older entries may still wait for a sweep
    if (ended.endRevision > oldest && findRecord(environment, modRevision)?.key !== ended.key) {
      report(`${ended.key}: the value of revision ${modRevision}, ended at ${ended.endRevision}, is missing or damaged`);
    }
    entries += 1;
    if (entries % chunk === 0) await yieldToEventLoop();
  }
}

/**
 * Returns undefined for an encrypted value, and for a JSON object whose metadata.name is the last segment of its key.
 */
function objectProblem(value: Uint8Array, key: string): string | undefined {
  if (isEncrypted(value)) return undefined;
  try {
    const object = JSON.parse(Buffer.from(value).toString('utf8'));
    const name = object?.metadata?.name;
    if (typeof name !== 'string') return 'its value is not an object with metadata.name';
    return key.endsWith(`/${name}`) ? undefined : `its value is named ${JSON.stringify(name)}`;
  } catch (error) {
    return `its value is not JSON: ${messageOf(error)}`;
  }
}
