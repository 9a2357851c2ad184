import type { Environment } from './environment.ts';
import { decodeLogRecord, decodeRevision, encodeHistoryKey, encodeRevision } from './records.ts';

/** The key of the revision up to which garbage was removed, in the bucket `meta`. */
export const sweptKey = Buffer.from('swept');

/** How many changes one transaction handles: about a millisecond of the event loop. */
const chunk = 200;

/**
 * Removes what only revisions before `oldest`, the oldest readable one, need.
 *
 * Each change up to `oldest` makes the state before it unreadable, so the record and the history entry of that state can be
 * removed. A delete also has a record that no state needs. The work is one step for each change. The progress is stored, and
 * an interrupted sweep continues from there.
 */
export async function sweep(environment: Environment, oldest: number, stop: AbortSignal): Promise<void> {
  const { root, meta, history, log } = environment;
  const bytes = meta.get(sweptKey);
  let swept = bytes === undefined ? 1 : decodeRevision(bytes);
  while (swept < oldest && !stop.aborted) {
    const to = Math.min(oldest, swept + chunk);
    const removals: { logs: number[]; ends: { key: string; revision: number }[] } = { logs: [], ends: [] };
    for (const { key, value } of log.getRange({ start: encodeRevision(swept + 1), end: encodeRevision(to + 1) })) {
      const record = decodeLogRecord(value);
      if (record === undefined) continue;
      const revision = decodeRevision(key);
      if (record.type === 'delete') removals.logs.push(revision);
      if (record.previousRevision > 0) {
        removals.logs.push(record.previousRevision);
        removals.ends.push({ key: record.key, revision });
      }
    }
    await root.batch(() => {
      for (const revision of removals.logs) log.remove(encodeRevision(revision));
      for (const { key, revision } of removals.ends) history.remove(encodeHistoryKey(key, revision));
      meta.put(sweptKey, encodeRevision(to));
    });
    swept = to;
  }
}
