import type { Pod } from '../../../../generated/v1.35/core/v1/types.ts';
import type { PluginName } from '../framework/plugin-names.ts';
import { newPodInfo, type PodInfo } from '../framework/pod-info.ts';

/** A pod that waits to be scheduled. (scheduler/framework QueuedPodInfo) */
export class QueuedPodInfo {
  readonly uid: string;
  #pod: Pod;
  /** Computed on first use, because many pods may arrive at once. */
  #info: PodInfo | undefined;
  /** The last time when the pod was queued, in milliseconds since the epoch. */
  timestamp: number;
  /** The pod's position among all queued pods. */
  order = 0;
  /** The number of attempts that found no node. */
  unschedulableCount = 0;
  /** Consecutive failures with errors. */
  consecutiveErrors = 0;
  /** The end of the wait after the last failure, in milliseconds since the epoch. */
  backoffExpiration = 0;
  /** The plugins that rejected it. */
  unschedulablePlugins: ReadonlySet<PluginName> = new Set();

  constructor(pod: Pod, now: number) {
    this.uid = pod.metadata.uid ?? '';
    this.#pod = pod;
    this.timestamp = now;
  }

  get pod(): Pod {
    return this.#pod;
  }

  set pod(pod: Pod) {
    this.#pod = pod;
    this.#info = undefined;
  }

  get info(): PodInfo {
    this.#info ??= newPodInfo(this.#pod);
    return this.#info;
  }

  get priority(): number {
    return this.#pod.spec?.priority ?? 0;
  }
}

/** Orders pods by priority, then by waiting time. (plugins/queuesort PrioritySort) */
export const isLess = (a: QueuedPodInfo, b: QueuedPodInfo): boolean =>
  a.priority > b.priority || (a.priority === b.priority && a.order < b.order);

const initialBackoffMs = 1_000;
const maxBackoffMs = 10_000;

/** Returns milliseconds, which double with each failure. (backoff_queue.go calculateBackoffDuration) */
export function backoffDuration({ unschedulableCount, consecutiveErrors }: QueuedPodInfo): number {
  const count = consecutiveErrors || unschedulableCount;
  return count === 0 ? 0 : Math.min(maxBackoffMs, initialBackoffMs * 2 ** (count - 1));
}
