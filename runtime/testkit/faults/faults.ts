import type { FaultPlanSpec } from './fault-plan.ts';

/** A plan that is in force until it is removed. */
export interface FaultPlanHandle {
  /** Requests that matched so far. */
  readonly matches: number;
  /** Of these, the ones that met the fault. */
  readonly hits: number;
  /** Resolves once there are so many hits. Rejects if the plan is removed before. */
  waitForHits(count: number): Promise<void>;
  /** Calls back whenever `matches` or `hits` have changed, until the returned function is called. */
  onChange(listener: () => void): () => void;
  /** Takes the plan out of force. What it did is not undone; stalls, held events and partitions end. */
  remove(): void;
}

/** `server.faults`: makes chosen requests fail, as those of a real control plane do. */
export interface Faults {
  /**
   * Resolves when the plan is in force. If several plans hit a request, they act in the order in which they were added, up to the first that
   * ends it.
   *
   * @throws StatusError 422 for an invalid spec
   */
  add(spec: FaultPlanSpec): Promise<FaultPlanHandle>;
}
