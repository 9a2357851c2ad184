import type { Collection } from '../storage/object-store/contract.ts';
import type { WorkQueue } from './work-queue.ts';

/**
 * Queues the names of all existing objects, and then of each created or changed one. For cluster-scoped resources.
 *
 * @returns a function that stops it
 */
export function enqueueNames(collection: Collection, queue: WorkQueue<string>): () => void {
  const snapshot = collection.latest();
  for (const { name } of snapshot.scan()) queue.add(name);
  return collection.watch({
    after: snapshot.revision,
    onEvent: ({ type, object }) => {
      if (type !== 'DELETED') queue.add(object.name);
    },
  });
}
