/** What one client asked of one object, and what it was answered. Times are ticks of one counter; all differ. */
export interface Operation<Input, Output> {
  readonly client: string;
  readonly input: Input;
  /** Absent if the client never learned the outcome: the operation may take effect at any time after its call, or never. */
  readonly output?: Output;
  readonly call: number;
  /** Infinity without an output. */
  readonly return: number;
}

/** An object that serves one operation at a time. States are immutable. */
export interface Model<State, Input, Output> {
  readonly initial: State;
  /**
   * The state after an operation; undefined if it cannot have this output in this state. Without an output: the state after
   * the operation took effect, undefined if it has none in this state.
   */
  step(state: State, input: Input, output: Output | undefined): State | undefined;
  /** Equal for equal states only. */
  key(state: State): string;
}
