import type { Clock } from '../../machinery/clock.ts';
import type { Engine, KeyValue } from './engine.ts';

/** All keys of an engine at one revision. It stays as it is, whatever is written or compacted later. */
export interface EngineState {
  readonly revision: number;
  /** How many keys there are. */
  readonly size: number;
}

/** An engine whose states can be kept and come back. All of it costs the same however many keys there are, but for `restore`. */
export interface EngineStates extends Engine {
  state(): EngineState;
  /**
   * Makes the keys what they are in a state, by ordinary changes with new revisions: those that the state lacks are deleted,
   * then the others are written. Values that are equal stay as they are. Costs about as much as there are changes.
   *
   * @param continues whether a value can be a later state of the same thing; if not, its key is deleted and written again
   * @returns the last revision, which is known at once
   */
  restore(
    state: EngineState,
    continues: (before: KeyValue, after: KeyValue) => boolean,
  ): { readonly revision: number; readonly committed: Promise<void> };
  /**
   * Another engine, which begins with a state. Its history begins there, too.
   *
   * @param clock Default: that of this engine
   */
  fork(state: EngineState, clock?: Clock): EngineStates;
}

export function hasStates(engine: Engine): engine is EngineStates {
  return 'state' in engine;
}
