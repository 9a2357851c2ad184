import { TimeSlice } from '../../machinery/event-loop/yield.ts';
import type { CachedObject } from './cached-object.ts';
import { ObjectChange } from './history.ts';

/**
 * Returns the changes between two states of a collection, at one revision. An object that was deleted and created again
 * makes two changes. Yields to the event loop. (client-go DeltaFIFO Replace)
 *
 * @param before in key order, like `after`
 */
export async function difference(
  before: Iterable<CachedObject>,
  after: Iterable<CachedObject>,
  revision: number,
): Promise<readonly ObjectChange[]> {
  const changes: ObjectChange[] = [];
  const slice = new TimeSlice();
  for (const { previous, current } of paired(before, after)) {
    if (slice.isOver) await slice.next();
    if (previous?.revision === current?.revision) continue;
    if (previous !== undefined && current !== undefined && previous.createRevision === current.createRevision) {
      changes.push(new ObjectChange(revision, current, previous));
      continue;
    }
    if (previous !== undefined) changes.push(new ObjectChange(revision, undefined, previous));
    if (current !== undefined) changes.push(new ObjectChange(revision, current, undefined));
  }
  return changes;
}

interface Pair {
  readonly previous: CachedObject | undefined;
  readonly current: CachedObject | undefined;
}

/** Yields the objects of both states, in pairs if they have the same key. */
function* paired(before: Iterable<CachedObject>, after: Iterable<CachedObject>): Generator<Pair, void, undefined> {
  const [olds, news] = [before[Symbol.iterator](), after[Symbol.iterator]()];
  let [old, now] = [olds.next(), news.next()];
  while (!old.done || !now.done) {
    const previous = old.done || (!now.done && now.value.orderKey < old.value.orderKey) ? undefined : old.value;
    const current = now.done || (!old.done && old.value.orderKey < now.value.orderKey) ? undefined : now.value;
    yield { previous, current };
    if (previous !== undefined) old = olds.next();
    if (current !== undefined) now = news.next();
  }
}
