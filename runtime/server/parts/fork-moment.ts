import type { ObjectStore } from '../../storage/object-store/contract.ts';

/** The moment at which a fork begins. */
export interface ForkMoment {
  /** The fork's own store, which begins with the objects of a snapshot. */
  readonly store: ObjectStore;
  /** The controllers that had something left to do at that snapshot. */
  readonly busy: ReadonlySet<string>;
  /** Whether the snapshot has the objects of now, so that caches of the origin are right for the fork. */
  readonly isCurrent: boolean;
}
