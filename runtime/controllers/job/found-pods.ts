import type { Job } from '../../../generated/v1.35/batch/v1/types.ts';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { isPodReady } from '../../kinds/core/pod/conditions.ts';
import { LoopSlice } from '../../machinery/event-loop/yield.ts';
import { isPodActive, isPodTerminating } from '../pod-control/pod-states.ts';
import { completionIndexOf, indexFailureCount, isIndexedJob } from './indexed-pods.ts';
import { hasTrackingFinalizer, isPodFailed } from './job-pod-states.ts';
import { matchPodFailurePolicy } from './pod-failure-policy.ts';

/** The finished pods that a job's status does not count yet. */
export interface Uncounted {
  readonly succeeded: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
}

/**
 * Facts about the pods of a job. A job may have many thousands of pods, so one pass visits each once, in slices that
 * let other work run.
 */
export class FoundPods {
  readonly pods: readonly Pod[];
  readonly active: Pod[] = [];
  /** The number of ready active pods. */
  ready = 0;
  readonly terminating: Pod[] = [];
  /** The uids of pods that still have the job's finalizer. */
  readonly tracked = new Set<string>();
  /** Succeeded pods that are not in the status. (getNewFinishedPods) */
  readonly newSucceeded: Pod[] = [];
  readonly newFailed: Pod[] = [];
  /** The number of new failures that count towards limits. */
  newFailures = 0;
  /** All failed pods that are tracked. */
  readonly failed: Pod[] = [];
  /** For indexed jobs: the indexes of tracked pods that have succeeded, and of those that have failed for good. */
  readonly succeededIndexes = new Set<number>();
  readonly failedIndexes = new Set<number>();
  /** The reason why the pod failure policy ends the job. */
  failureMessage: string | undefined;
  /** The restarts of containers in pods that may run, if containers are restarted in place. */
  restarts = 0;
  readonly #job: Job;
  readonly #uncounted: Uncounted;

  private constructor(pods: readonly Pod[], job: Job, uncounted: Uncounted) {
    this.pods = pods;
    this.#job = job;
    this.#uncounted = uncounted;
  }

  static async of(pods: readonly Pod[], job: Job, uncounted: Uncounted): Promise<FoundPods> {
    const found = new FoundPods(pods, job, uncounted);
    const slice = new LoopSlice();
    for (const pod of pods) {
      if (slice.isOver()) await slice.next();
      found.#add(pod);
    }
    return found;
  }

  #add(pod: Pod): void {
    const job = this.#job;
    if (isPodActive(pod)) {
      this.active.push(pod);
      if (isPodReady(pod)) this.ready++;
    } else if (isPodTerminating(pod)) this.terminating.push(pod);
    if (job.spec?.template.spec?.restartPolicy === 'OnFailure') this.#addRestarts(pod);
    const isTracked = hasTrackingFinalizer(pod);
    if (isTracked) this.tracked.add(pod.metadata.uid ?? '');
    if (isPodFailed(pod, job)) this.#addFailed(pod, isTracked);
    else if (isTracked && pod.status?.phase === 'Succeeded') this.#addSucceeded(pod);
  }

  #addFailed(pod: Pod, isTracked: boolean): void {
    const { spec } = this.#job;
    const { action, isCounted, message } = matchPodFailurePolicy(spec?.podFailurePolicy, pod);
    this.failureMessage ??= message;
    const index = this.#wantedIndex(pod);
    if (!isTracked || index === 'none') return;
    this.failed.push(pod);
    if (!this.#uncounted.failed.has(pod.metadata.uid ?? '')) {
      this.newFailed.push(pod);
      if (isCounted) this.newFailures++;
    }
    const isFinal = action === 'FailIndex' || (isCounted && indexFailureCount(pod) >= (spec?.backoffLimitPerIndex ?? 0));
    if (index !== undefined && isFinal) this.failedIndexes.add(index);
  }

  #addSucceeded(pod: Pod): void {
    const index = this.#wantedIndex(pod);
    if (index === 'none') return;
    if (index !== undefined) this.succeededIndexes.add(index);
    if (!this.#uncounted.succeeded.has(pod.metadata.uid ?? '')) this.newSucceeded.push(pod);
  }

  /**
   * Returns `none` if the job is indexed and the pod has no index that the job wants; undefined if the job is not
   * indexed.
   */
  #wantedIndex(pod: Pod): number | 'none' | undefined {
    const job = this.#job;
    if (!isIndexedJob(job)) return undefined;
    const index = completionIndexOf(pod);
    return index !== undefined && index < (job.spec?.completions ?? 0) ? index : 'none';
  }

  #addRestarts({ status }: Pod): void {
    if (status?.phase !== 'Running' && status?.phase !== 'Pending') return;
    for (const { restartCount } of status.initContainerStatuses ?? []) this.restarts += restartCount;
    for (const { restartCount } of status.containerStatuses ?? []) this.restarts += restartCount;
  }
}
