import type { Clock } from '../machinery/clock.ts';
import type { Logger } from '../observe/logger.ts';

/**
 * Forgets history older than a window: at every tick, what was the newest revision one tick ago becomes the oldest
 * readable one, so that a continue token or a watch is good for one to two windows. (--compaction-window; upstream
 * --etcd-compaction-interval)
 *
 * @returns stops it
 */
export function startCompaction(
  store: { revision(): number; compact(revision: number): Promise<void> },
  window: number,
  clock: Clock,
  logger: Logger,
): () => void {
  let previous = store.revision();
  let cancel = (): void => {};
  const tick = async (): Promise<void> => {
    const now = store.revision();
    try {
      if (previous < now) await store.compact(previous);
      previous = now;
    } catch (error) {
      logger.error({ err: error }, 'compaction failed');
    }
    cancel = clock.after(window, () => void tick());
  };
  cancel = clock.after(window, () => void tick());
  return () => cancel();
}
