import type { Clock } from '../../machinery/clock.ts';
import type { ObjectStore, RestoredWatches, StoreState, StoreStates } from '../../storage/object-store/contract.ts';

/**
 * All objects of a server at one revision. It never changes, and its memory grows only with later changes of the store.
 */
export interface Snapshot {
  readonly revision: number;
  /** The number of objects. */
  readonly objects: number;
}

export interface RestoreOptions {
  /**
   * `Continue`: open watches see each deletion, change and addition. `Expire`: they end with 410 Expired, and clients
   * list again. Default: `Continue`.
   */
  readonly watches?: RestoredWatches;
}

/** Saves and restores the objects of a server. Only a server in memory without encryption supports it. */
export interface Snapshots {
  /** Takes a snapshot in constant time. @throws UnavailableControlError if the store keeps no snapshots */
  snapshot(): Snapshot;
  /**
   * Restores all objects by changes with new resourceVersions: first deletions of surplus objects, then writes. Equal
   * objects are not written, so the cost depends on the differences. Resolves when watchers inside the server have the
   * changes.
   *
   * @param snapshot a snapshot of this server, or of one that it was forked from
   */
  restore(snapshot: Snapshot, options?: RestoreOptions): Promise<void>;
  /** Restores the state in which the server became ready. */
  reset(options?: RestoreOptions): Promise<void>;
}

/** The busy controllers at the time of each snapshot. */
const busyAt = new WeakMap<Snapshot, ReadonlySet<string>>();

export interface SnapshotSources {
  /** Throws if the store keeps no states. */
  states(): StoreStates;
  /** The state that `reset` restores; absent if the store keeps no states. */
  readonly fresh: StoreState | undefined;
  /** The controllers with unfinished work. */
  busy(): ReadonlySet<string>;
}

export class ServerSnapshots implements Snapshots {
  readonly #sources: SnapshotSources;

  constructor(sources: SnapshotSources) {
    this.#sources = sources;
    if (sources.fresh !== undefined) busyAt.set(sources.fresh, sources.busy());
  }

  snapshot(): Snapshot {
    const snapshot = this.#sources.states().state();
    busyAt.set(snapshot, this.#sources.busy());
    return snapshot;
  }

  restore(snapshot: Snapshot, { watches = 'Continue' }: RestoreOptions = {}): Promise<void> {
    return this.#sources.states().restore(snapshot as StoreState, watches);
  }

  /** Returns a fork's start: a store with the snapshot, and the controllers with unfinished work in it. */
  fork(snapshot: Snapshot, clock: Clock): { readonly store: ObjectStore; readonly busy: ReadonlySet<string> } {
    return { store: this.#sources.states().fork(snapshot, clock), busy: busyAt.get(snapshot) ?? new Set() };
  }

  async reset(options: RestoreOptions = {}): Promise<void> {
    const { watches = 'Continue' } = options;
    const { states, fresh } = this.#sources;
    const kept = states();
    if (fresh !== undefined) await kept.restore(fresh, watches);
  }
}
