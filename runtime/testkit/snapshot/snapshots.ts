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

/** @param states called when they are needed; throws if there are none */
export class ServerSnapshots implements Snapshots {
  readonly #states: () => StoreStates;
  readonly #fresh: StoreState | undefined;

  /** @param fresh what `reset` restores; absent if the store keeps no states */
  constructor(states: () => StoreStates, fresh: StoreState | undefined) {
    this.#states = states;
    this.#fresh = fresh;
  }

  snapshot(): Snapshot {
    return this.#states().state();
  }

  restore(snapshot: Snapshot, { watches = 'Continue' }: RestoreOptions = {}): Promise<void> {
    return this.#states().restore(snapshot as StoreState, watches);
  }

  /** A store that begins with a snapshot. */
  fork(snapshot: Snapshot, clock: Clock): ObjectStore {
    return this.#states().fork(snapshot, clock);
  }

  async reset(options: RestoreOptions = {}): Promise<void> {
    const { watches = 'Continue' } = options;
    const states = this.#states();
    if (this.#fresh !== undefined) await states.restore(this.#fresh, watches);
  }
}
