import type { Change } from '../kv/engine.ts';

/** What following needs of an engine. */
export interface ChangeSource {
  revision(): number;
  /** Set while the engine cannot read. */
  readonly pause?: Promise<void> | undefined;
  /** At most `limit` durable changes after `revision`, in order. Throws `compacted`. */
  readChanges(revision: number, limit: number): readonly Change[];
  onCommit(listener: (changes: readonly Change[]) => void): () => void;
  /** Aborts when the engine closes. */
  readonly closing: AbortSignal;
}

/** As many changes as are read in one go: some milliseconds, with objects of a few KiB. */
const chunk = 256;

/**
 * Engine.changes: reads the log from a place onwards and waits at its end for the next commit. Live changes come
 * from the log too, so there is no seam between history and now, and a slow reader holds nothing back.
 */
export async function* followChanges(
  source: ChangeSource,
  revision: number,
  signal: AbortSignal,
): AsyncGenerator<readonly Change[], void, undefined> {
  let position = revision;
  let wake: (() => void) | undefined;
  const notify = () => wake?.();
  const stopListening = source.onCommit(notify);
  signal.addEventListener('abort', notify);
  source.closing.addEventListener('abort', notify);
  try {
    while (!signal.aborted && !source.closing.aborted) {
      if (source.pause !== undefined) await source.pause;
      const changes = source.readChanges(position, chunk);
      if (changes.length > 0) {
        position = changes[changes.length - 1].revision;
        yield changes;
        continue;
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      wake = undefined;
    }
  } finally {
    stopListening();
    signal.removeEventListener('abort', notify);
    source.closing.removeEventListener('abort', notify);
  }
}
