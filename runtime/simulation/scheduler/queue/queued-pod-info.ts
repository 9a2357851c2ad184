import type { Pod } from '../../../../generated/v1.35/core/v1/types.ts';
import type { PluginName } from '../framework/plugin-names.ts';
import { newPodInfo, type PodInfo } from '../framework/pod-info.ts';

/** A pod that waits to be scheduled. (scheduler/framework QueuedPodInfo) */
export class QueuedPodInfo {
  readonly uid: string;
  #pod: Pod;
  /** Made when it is first needed: many pods may come at once. */
  #info: PodInfo | undefined;
  /** When it was queued last, in milliseconds since the epoch. */
  timestamp: number;
  /** Its place among all that were queued. */
  order = 0;
  /** How often no node was found. */
  unschedulableCount = 0;
  /** How often it failed for another reason since then. */
  consecutiveErrors = 0;
  /** When it has waited long enough after its last failure, in milliseconds since the epoch. */
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

/** Higher priority first, then whoever has waited longer. (plugins/queuesort PrioritySort) */
export const isLess = (a: QueuedPodInfo, b: QueuedPodInfo): boolean =>
  a.priority > b.priority || (a.priority === b.priority && a.order < b.order);

const initialBackoffMs = 1_000;
const maxBackoffMs = 10_000;

/** Doubles with each failure. (backoff_queue.go calculateBackoffDuration) */
export function backoffDuration({ unschedulableCount, consecutiveErrors }: QueuedPodInfo): number {
  const count = consecutiveErrors || unschedulableCount;
  return count === 0 ? 0 : Math.min(maxBackoffMs, initialBackoffMs * 2 ** (count - 1));
}
