import type { Collection } from '../storage/object-store/contract.ts';
import type { WorkQueue } from './work-queue.ts';

/**
 * Adds the names of all objects that exist, and then of each one that is created or changed. For cluster-scoped resources.
 *
 * @returns what ends it
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
