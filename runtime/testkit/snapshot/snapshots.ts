import type { Clock } from '../../machinery/clock.ts';
import type { ObjectStore, RestoredWatches, StoreState, StoreStates } from '../../storage/object-store/contract.ts';

/** All objects of a server at one revision. It stays as it is, and costs memory only for what has changed since. */
export interface Snapshot {
  readonly revision: number;
  /** How many objects there are. */
  readonly objects: number;
}

export interface RestoreOptions {
  /**
   * `Continue`: open watches see each deletion, change and addition. `Expire`: they end with 410 Expired, and clients list again.
   * Default: `Continue`.
   */
  readonly watches?: RestoredWatches;
}

/** What a server keeps of its objects, and how they come back. Only a server in memory without encryption does. */
export interface Snapshots {
  /** Costs the same however many objects there are. @throws UnavailableControlError if the store keeps no snapshots */
  snapshot(): Snapshot;
  /**
   * Makes all objects what they were, by changes with new resourceVersions: first what is too much is deleted, then the rest is
   * written. What is equal is not touched, so that it costs as much as has changed. Resolves when watchers inside the server know.
   *
   * @param snapshot of this server, or of one that it is a fork of
   */
  restore(snapshot: Snapshot, options?: RestoreOptions): Promise<void>;
  /** Restores the state in which the server became ready. */
  reset(options?: RestoreOptions): Promise<void>;
}

/** The controllers that had something left to do when a snapshot was taken. */
const busyAt = new WeakMap<Snapshot, ReadonlySet<string>>();

export interface SnapshotSources {
  /** Throws if there are none. */
  states(): StoreStates;
  /** What `reset` restores; absent if the store keeps no states. */
  readonly fresh: StoreState | undefined;
  /** The controllers that have something left to do. */
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

  /** What a fork begins with: a store with a snapshot, and the controllers that have something left to do there. */
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
