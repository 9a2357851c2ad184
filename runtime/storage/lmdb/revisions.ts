import type { Environment } from './environment.ts';
import { decodeRevision } from './records.ts';

/** Where the newest unreadable revision is noted, in the table `meta`. */
export const compactedKey = Buffer.from('compacted');

/** The newest unreadable revision and that of the last change, as they are on disk. */
export function readRevisions({ meta, log }: Environment): { compacted: number; newest: number } {
  const bytes = meta.get(compactedKey);
  const compacted = bytes === undefined ? 0 : decodeRevision(bytes);
  // Compaction sweeps records away, but never above the oldest readable revision.
  let newest = compacted + 1;
  for (const key of log.getKeys({ start: Buffer.alloc(8, 0xff), end: Buffer.alloc(8), reverse: true, limit: 1 })) {
    newest = Math.max(newest, decodeRevision(key));
  }
  return { compacted, newest };
}
