import type { FaultPlanSpec } from './fault-plan.ts';

/** A plan in force until its removal. */
export interface FaultPlanHandle {
  /** The number of matching requests so far. */
  readonly matches: number;
  /** The number of matching requests that were hit. */
  readonly hits: number;
  /** Resolves after a number of hits. Rejects if the plan is removed before. */
  waitForHits(count: number): Promise<void>;
  /** Calls the listener after each change of `matches` or `hits`. The returned function removes the listener. */
  onChange(listener: () => void): () => void;
  /** Removes the plan. Its effects remain, but stalls, held events and partitions end. */
  remove(): void;
}

/** `server.faults`: makes chosen requests fail like those of a real control plane. */
export interface Faults {
  /**
   * Resolves when the plan is in force. Several plans that hit one request act in the order of their addition, up to
   * the first that ends it.
   *
   * @throws StatusError 422 for an invalid spec
   */
  add(spec: FaultPlanSpec): Promise<FaultPlanHandle>;
}
