import type { RequestMatch } from '../requests/request-match.ts';
import type { ErrorCode } from '../requests/request-names.ts';

/**
 * FaultPlan of testing.kubeloom.dev/v1alpha1: a fault, and the requests that it hits. docs/faults.md lists the real
 * failure behind each fault. All durations have Go's notation, `1m30s`, and follow the server's clock.
 */

/** Selects among the matching requests, in the order of their arrival. Default: all. */
export interface FaultOccurrence {
  /** The number of requests to skip first. Default: 0. */
  skip?: number;
  /** The maximum number of hits. Default: no limit. */
  count?: number;
  /** The probability of a hit after `skip`, a decimal in 0..1: `0.5`. Default: 1. */
  probability?: string;
  /** The seed of `probability`: the same seed hits the same requests. Default: 0. */
  seed?: number;
}

/** Before the request runs, or after it has run and was audited, so that the fault affects only the response. */
export type FaultTime = 'BeforeRequest' | 'AfterRequest';

/** An error in place of the request. */
export interface StatusFault {
  /** An HTTP status, 400 to 511. */
  code: ErrorCode;
  /** Default: Kubernetes' reason for the code, such as `Conflict` or `TooManyRequests`. */
  reason?: string;
  /** Default: the message that a Kubernetes client derives from the code alone. */
  message?: string;
  /** Seconds, in details and as Retry-After. Default: absent from both. */
  retryAfterSeconds?: number;
}

export interface DelayFault {
  duration: string;
  /** Default: BeforeRequest, which still runs the request. Watches allow only this. */
  when?: FaultTime;
}

/** Destroys the connection, with all other requests on it. */
export interface DropFault {
  /** Default: BeforeRequest. Watches allow only this. */
  when?: FaultTime;
}

/** Ends the body early, and its connection. */
export interface CutFault {
  /** Bytes of the body that arrive, compressed if the response is. At least 0; default: 0. */
  afterBytes?: number;
}

/** Stall: stays open and sends nothing. Close: ends cleanly, like a timeout. Expire: ends with an ERROR event 410. */
export type WatchAction = 'Stall' | 'Close' | 'Expire';

export interface WatchFault {
  action: WatchAction;
  /** The number of events that arrive first, without bookmarks. Default: 0. */
  afterEvents?: number;
  /**
   * Always: bookmarks still arrive during a stall, with the newest revision that the client received, and one arrives
   * before the end. Never: no bookmarks. Default: bookmarks as requested before the fault, and none after.
   */
  bookmarks?: 'Always' | 'Never';
}

/** Serves an older state to reads that accept any version (resourceVersion=0), like a cache that lags. */
export interface StaleReadFault {
  /** The age of the state. The state is never older than the plan, because earlier revisions' times are unknown. */
  age: string;
}

/** Delays the events and bookmarks of a watch, in order. */
export interface HoldEventsFault {
  duration: string;
}

/**
 * Cuts off the client of a matching request, by user and user agent: its connections end, and it reaches nothing for a
 * while.
 */
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
  /** Compacts the store to its newest revision, then runs the request. */
  compact?: Record<string, never>;
  /** Destroys all connections. The server listens again after a moment, with the same port and store. */
  restart?: Record<string, never>;
  partition?: PartitionFault;
}

export interface FaultPlanSpec {
  /** Default: every request that the fault applies to, except those for testing.kubeloom.dev. */
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
  /** The number of matching requests. */
  matches?: number;
  /** The number of matching requests that were hit. */
  hits?: number;
  conditions?: FaultPlanCondition[];
}
