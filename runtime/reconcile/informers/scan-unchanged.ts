import { TimeSlice } from '../../machinery/event-loop/yield.ts';
import type { Collection, CollectionSnapshot, StoredObject } from '../../storage/object-store/contract.ts';

/**
 * Reports the objects of a snapshot that have not changed since, in slices that let other work run. A watch from the
 * snapshot reports the changed ones.
 *
 * @param tell receives each object; returns false to stop
 */
export async function scanUnchanged(
  collection: Pick<Collection, 'latest'>,
  snapshot: Pick<CollectionSnapshot, 'scan'>,
  tell: (object: StoredObject) => boolean,
): Promise<void> {
  const slice = new TimeSlice();
  let latest = collection.latest();
  for (const object of snapshot.scan()) {
    if (slice.isOver) {
      await slice.next();
      latest = collection.latest();
    }
    const now = latest.get(object.namespace, object.name);
    if (now?.revision === object.revision && !tell(object)) return;
  }
}
