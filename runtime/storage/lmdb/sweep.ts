import type { BatchedWrite } from './commit.ts';
import type { Environment } from './environment.ts';
import { decodeRevision, encodeHistoryKey, encodeRevision } from './records.ts';
import { metaKeys, putMeta, readHead, readMeta } from './states.ts';

export interface SweepOptions {
  /** The oldest readable revision. */
  readonly oldest: number;
  /** The number of changes per transaction: a hundred take half a millisecond of the event loop, and LMDB a few. */
  readonly chunk: number;
  readonly commit: (changes: number, write: BatchedWrite) => Promise<void>;
  readonly stop: AbortSignal;
}

/**
 * Removes the history that only revisions before `oldest` need.
 *
 * Each change up to `oldest` makes the state before it unreadable, so that state's record and history entry can be
 * removed. A delete also has a record that no state needs. There is one step for each change. The progress is stored,
 * and an interrupted sweep continues from there. A damaged record does not show which state it made unreadable: that
 * state stays.
 */
export async function sweep(environment: Environment, { oldest, chunk, commit, stop }: SweepOptions): Promise<void> {
  const { history, log } = environment;
  let swept = readMeta(environment, metaKeys.swept) ?? 1;
  while (swept < oldest && !stop.aborted) {
    const revisions: number[] = [];
    const unswept = { start: encodeRevision(swept + 1), end: encodeRevision(oldest + 1), limit: chunk };
    for (const found of log.getKeys(unswept)) revisions.push(decodeRevision(found));
    const to = revisions[chunk - 1] ?? oldest;
    const removals: { logs: number[]; ends: { key: string; revision: number }[] } = { logs: [], ends: [] };
    for (const revision of revisions) {
      const record = readHead(environment, revision);
      if (record === undefined) continue;
      if (record.type === 'delete') removals.logs.push(revision);
      if (record.previousRevision > 0) {
        removals.logs.push(record.previousRevision);
        removals.ends.push({ key: record.key, revision });
      }
    }
    await commit(2 * revisions.length, (track) => {
      for (const revision of removals.logs) track(log.remove(encodeRevision(revision)));
      for (const { key, revision } of removals.ends) track(history.remove(encodeHistoryKey(key, revision)));
      track(putMeta(environment, metaKeys.swept, to));
    });
    swept = to;
  }
}
