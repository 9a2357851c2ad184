import type { ObjectStore } from '../../storage/object-store/contract.ts';

/** The moment at which a fork begins. */
export interface ForkMoment {
  /** The fork's own store, with the objects of a snapshot. */
  readonly store: ObjectStore;
  /** The controllers that had work left at the snapshot. */
  readonly busy: ReadonlySet<string>;
  /** Whether the snapshot has the current objects, so that the origin's caches are right for the fork. */
  readonly isCurrent: boolean;
}
