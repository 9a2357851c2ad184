/** A client's request for one object, and its response. Times are ticks of one counter; all differ. */
export interface Operation<Input, Output> {
  readonly client: string;
  readonly input: Input;
  /** Absent for an unknown outcome: the operation may take effect at any time after its call, or never. */
  readonly output?: Output;
  readonly call: number;
  /** Infinity without an output. */
  readonly return: number;
}

/** A sequential object. States are immutable. */
export interface Model<State, Input, Output> {
  readonly initial: State;
  /**
   * Returns the state after an operation; undefined if this output is impossible in this state. Without an output: the
   * state after the effect, undefined if it has none in this state.
   */
  step(state: State, input: Input, output: Output | undefined): State | undefined;
  /** Returns a key that is equal only for equal states. */
  key(state: State): string;
}
