import type { Clock } from '../../machinery/clock.ts';
import type { Engine, KeyValue } from '../kv/engine.ts';
import type { EngineState, EngineStates } from '../kv/engine-states.ts';
import type { ObjectStore, RestoredWatches, StoreState, StoreStates } from './contract.ts';
import type { SharedObjects } from './shared-objects.ts';
import { metadataOffset, metadataUid } from './stored-json.ts';

/** The parts of a store that keeping states needs. */
export interface StoreParts {
  /** Opens a store with these objects, and otherwise the same options. */
  open(engine: Engine, shared: SharedObjects, clock: Clock | undefined): ObjectStore;
  /** Returns the current objects. */
  shared(revision: number): SharedObjects;
  /** Ends the watches at a revision, before they get its changes. */
  expireWatchesAt(revision: number): void;
}

/** The state of a store: its engine's state, and the objects in memory. */
class KeptState implements StoreState {
  readonly revision: number;
  readonly objects: number;
  readonly engine: EngineState;
  readonly shared: SharedObjects;

  constructor(engine: EngineState, shared: SharedObjects) {
    this.revision = engine.revision;
    this.objects = engine.size;
    this.engine = engine;
    this.shared = shared;
  }
}

/** The states of a store whose engine has untransformed values. */
export class EngineStoreStates implements StoreStates {
  readonly #engine: EngineStates;
  readonly #parts: StoreParts;

  constructor(engine: EngineStates, parts: StoreParts) {
    this.#engine = engine;
    this.#parts = parts;
  }

  state(): StoreState {
    const engine = this.#engine.state();
    return new KeptState(engine, this.#parts.shared(engine.revision));
  }

  async restore(state: StoreState, watches: RestoredWatches): Promise<void> {
    const { revision, committed } = this.#engine.restore(keptState(state).engine, isSameObject);
    if (watches === 'Expire') this.#parts.expireWatchesAt(revision);
    await committed;
  }

  fork(state: StoreState, clock?: Clock): ObjectStore {
    const { engine, shared } = keptState(state);
    return this.#parts.open(this.#engine.fork(engine, clock), shared.copy(), clock);
  }
}

function keptState(state: StoreState): KeptState {
  if (state instanceof KeptState) return state;
  throw new TypeError('a state of another store');
}

/** Reports whether an object was changed rather than deleted and created again. */
function isSameObject(before: KeyValue, after: KeyValue): boolean {
  return uidOf(before) === uidOf(after);
}

function uidOf({ value }: KeyValue): string | undefined {
  const offset = metadataOffset(value);
  return offset === undefined ? undefined : metadataUid(value, offset);
}
