import { yieldToEventLoop } from '../../machinery/event-loop/yield.ts';
import { type Environment, openEnvironment } from './environment.ts';
import { decodeHistoryKey, decodeStateRef } from './records.ts';
import { readRevisions } from './revisions.ts';
import { findRecord } from './states.ts';

export interface StoreReport {
  readonly revision: number;
  readonly compactedRevision: number;
  /** Keys there are now, and the bytes of their values. */
  readonly keys: number;
  readonly bytes: number;
  /** Changes that can be watched from the oldest readable revision on. */
  readonly changes: number;
  /** What is wrong, one line each; empty for a sound store. */
  readonly problems: readonly string[];
}

/** More of the same would not help anybody. */
const maxProblems = 1000;
const pause = 2000;

/**
 * Reads a whole store and tells what does not fit together: states without their value, changes missing, values
 * that are not JSON objects. Throws StorageError where the directory holds no store or is in use.
 */
export async function checkStore(dir: string): Promise<StoreReport> {
  const environment = await openEnvironment({ path: dir }, false);
  try {
    const problems: string[] = [];
    const note = (problem: string) => {
      if (problems.length < maxProblems) problems.push(problem);
    };
    const { compacted, newest } = readRevisions(environment);
    const states = await checkStates(environment, note);
    const changes = await checkLog(environment, compacted + 1, newest, note);
    await checkHistory(environment, compacted + 1, note);
    return { revision: newest, compactedRevision: compacted, ...states, changes, problems };
  } finally {
    await environment.close();
  }
}

async function checkStates(environment: Environment, note: (problem: string) => void) {
  let keys = 0;
  let bytes = 0;
  for (const { key, value } of environment.keys.getRange({ start: Buffer.alloc(1) })) {
    const name = key.toString('utf8');
    const { createRevision, modRevision } = decodeStateRef(value);
    const record = findRecord(environment, modRevision);
    keys += 1;
    if (record === undefined || record.type !== 'put' || record.key !== name) {
      note(`${name}: its value of revision ${modRevision} is missing`);
    } else {
      bytes += record.value.length;
      if (record.createRevision !== createRevision)
        note(`${name}: created at ${createRevision} and ${record.createRevision}`);
      const problem = objectProblem(record.value, name);
      if (problem !== undefined) note(`${name}: ${problem}`);
    }
    if (keys % pause === 0) await yieldToEventLoop();
  }
  return { keys, bytes };
}

/** Every change after the oldest readable revision is there, and what was before it. */
async function checkLog(environment: Environment, oldest: number, newest: number, note: (problem: string) => void) {
  let changes = 0;
  for (let revision = oldest + 1; revision <= newest; revision += 1) {
    const record = findRecord(environment, revision);
    if (record === undefined) {
      note(`change ${revision} is missing`);
      continue;
    }
    changes += 1;
    const { previousRevision } = record;
    if (previousRevision > 0) {
      const previous = findRecord(environment, previousRevision);
      if (previous === undefined || previous.type !== 'put' || previous.key !== record.key) {
        note(`${record.key}: the value of revision ${previousRevision}, before change ${revision}, is missing`);
      }
    }
    if (changes % pause === 0) await yieldToEventLoop();
  }
  return changes;
}

async function checkHistory(environment: Environment, oldest: number, note: (problem: string) => void): Promise<void> {
  let entries = 0;
  for (const { key, value } of environment.history.getRange({ start: Buffer.alloc(1) })) {
    const ended = decodeHistoryKey(key);
    const { modRevision } = decodeStateRef(value);
    // Garbage that a sweep has yet to remove is no problem.
    if (ended.endRevision > oldest && findRecord(environment, modRevision)?.key !== ended.key) {
      note(`${ended.key}: the value of revision ${modRevision}, ended at ${ended.endRevision}, is missing`);
    }
    entries += 1;
    if (entries % pause === 0) await yieldToEventLoop();
  }
}

/** Undefined for a JSON object with metadata.name, the last part of its key. */
function objectProblem(value: Uint8Array, key: string): string | undefined {
  try {
    const object = JSON.parse(Buffer.from(value).toString('utf8'));
    const name = object?.metadata?.name;
    if (typeof name !== 'string') return 'its value is not an object with metadata.name';
    return key.endsWith(`/${name}`) ? undefined : `its value is named ${JSON.stringify(name)}`;
  } catch (error) {
    return `its value is not JSON: ${(error as Error).message}`;
  }
}
