import type { RequestMatch } from '../requests/request-match.ts';
import type { ErrorCode } from '../requests/request-names.ts';

/**
 * FaultPlan of testing.kubeloom.dev/v1alpha1: which requests are hit, and by what. docs/faults.md says which real failure each
 * fault stands for. All durations are Go's, as `1m30s`, and go by the server's clock.
 */

/** Which of the matching requests are hit, in the order in which they arrive. Default: all. */
export interface FaultOccurrence {
  /** So many are passed over first. Default: 0. */
  skip?: number;
  /** No more than so many are hit. Default: no limit. */
  count?: number;
  /** Of each of the others to be hit, a decimal in 0..1 as `0.5`. Default: 1. */
  probability?: string;
  /** Of the randomness: the same seed hits the same requests. Default: 0. */
  seed?: number;
}

/** Before the request is performed, or after it has been performed and audited to its end, so that only the answer meets the fault. */
export type FaultTime = 'BeforeRequest' | 'AfterRequest';

/** An error instead of the answer; the request is not performed. */
export interface StatusFault {
  /** One of HTTP's, 400 to 511. */
  code: ErrorCode;
  /** Default: Kubernetes' for the code, as `Conflict` or `TooManyRequests`. */
  reason?: string;
  /** Default: what a client of Kubernetes makes of the code alone. */
  message?: string;
  /** Seconds, in details and as Retry-After. Default: neither. */
  retryAfterSeconds?: number;
}

export interface DelayFault {
  duration: string;
  /** Default: BeforeRequest, which still performs the request. Watches know no other. */
  when?: FaultTime;
}

/** The connection is destroyed, with everything else on it. */
export interface DropFault {
  /** Default: BeforeRequest. Watches know no other. */
  when?: FaultTime;
}

/** The body ends early, and the connection with it. */
export interface CutFault {
  /** Bytes of the body that still arrive, as sent: compressed if it is. 0 or more; default: 0. */
  afterBytes?: number;
}

/** Stall: open and silent from then on. Close: ends in good order, as with a timeout. Expire: an ERROR event 410 ends it. */
export type WatchAction = 'Stall' | 'Close' | 'Expire';

export interface WatchFault {
  action: WatchAction;
  /** So many events arrive first, bookmarks not counted. Default: 0. */
  afterEvents?: number;
  /**
   * Always: bookmarks still arrive during a stall, with the newest revision that the client was told, and one comes before the end. Never: none at all.
   * Default: as the watch would have them before the fault, and none after.
   */
  bookmarks?: 'Always' | 'Never';
}

/** Reads that accept any version (resourceVersion=0) see the state of a while ago, as those of a cache that lags. */
export interface StaleReadFault {
  /** What was before the plan is not known: the state is never older than the plan. */
  age: string;
}

/** Events of a watch arrive late, in order, bookmarks among them. */
export interface HoldEventsFault {
  duration: string;
}

/** The client that matched, by user and user agent, loses its connections and reaches nothing for a while. */
export interface PartitionFault {
  duration: string;
}

/** Exactly one member. */
export interface Fault {
  status?: StatusFault;
  delay?: DelayFault;
  drop?: DropFault;
  cut?: CutFault;
  watch?: WatchFault;
  staleRead?: StaleReadFault;
  holdEvents?: HoldEventsFault;
  /** The store forgets all revisions but the newest; then the request is performed. */
  compact?: Record<string, never>;
  /** All connections are destroyed, and the server listens again after a moment, with the same port and store. */
  restart?: Record<string, never>;
  partition?: PartitionFault;
}

export interface FaultPlanSpec {
  /** Default: every request that the fault can be about, but those for testing.kubeloom.dev. */
  match?: RequestMatch;
  occurrence?: FaultOccurrence;
  fault: Fault;
}

export interface FaultPlanCondition {
  type: 'Active';
  status: 'True' | 'False';
  reason: string;
  message: string;
  lastTransitionTime: string;
  observedGeneration?: number;
}

export interface FaultPlanStatus {
  observedGeneration?: number;
  /** Requests that matched. */
  matches?: number;
  /** Of these, the ones that met the fault. */
  hits?: number;
  conditions?: FaultPlanCondition[];
}
