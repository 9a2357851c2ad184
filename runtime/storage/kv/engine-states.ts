import type { Clock } from '../../machinery/clock.ts';
import type { Engine, KeyValue } from './engine.ts';

/** All keys of an engine at one revision. Later writes and compactions do not change it. */
export interface EngineState {
  readonly revision: number;
  /** The number of keys. */
  readonly size: number;
}

/** An engine whose states can be kept and restored. Except for `restore`, costs do not depend on the number of keys. */
export interface EngineStates extends Engine {
  state(): EngineState;
  /**
   * Restores the keys of a state by ordinary changes with new revisions: deletes the other keys, then writes changed
   * ones. Equal values are not written. Costs about as much as there are changes.
   *
   * @param continues whether a value can be a later state of the same thing; if not, its key is deleted and written
   *   again
   * @returns the last revision, which is known at once
   */
  restore(
    state: EngineState,
    continues: (before: KeyValue, after: KeyValue) => boolean,
  ): { readonly revision: number; readonly committed: Promise<void> };
  /**
   * Returns another engine that starts with a state. Its history starts there, too.
   *
   * @param clock Default: that of this engine
   */
  fork(state: EngineState, clock?: Clock): EngineStates;
}

export function hasStates(engine: Engine): engine is EngineStates {
  return 'state' in engine;
}
