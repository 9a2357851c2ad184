import type { Job, JobCondition, JobStatus, UncountedTerminatedPods } from '../../../generated/v1.35/batch/v1/types.ts';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { type BackoffRecord, finishedTimeOf, nextBackoffRecord } from './backoff.ts';
import { FoundPods, type Uncounted } from './found-pods.ts';
import { completionIndexOf, hasBackoffLimitPerIndex, indexAbsoluteFailureCount, indexesOf, isIndexedJob } from './indexed-pods.ts';
import { onlyReplacesFailedPods } from './job-pod-states.ts';
import { OrderedIntervals } from './ordered-intervals.ts';

/** The state of one sync of a job and its pods. (pkg/controller/job/job_controller.go syncJobCtx) */
export class JobContext {
  /** A copy of the job, whose status is changed and written. */
  job: Job;
  readonly found: FoundPods;
  /** The number of active, ready and terminating pods at the end of this sync. */
  active: number;
  ready: number;
  terminating: number;
  succeeded: number;
  readonly failed: number;
  readonly uncounted: Uncounted;
  readonly backoff: BackoffRecord;
  /** For indexed jobs: the succeeded indexes in the status, and those including new successes. */
  readonly previouslySucceeded: OrderedIntervals = OrderedIntervals.none;
  succeededIndexes: OrderedIntervals = OrderedIntervals.none;
  /** The failed indexes; undefined without a backoff limit per index. */
  readonly failedIndexes: OrderedIntervals | undefined;
  /** Failed pods that are kept until their replacements have the failure count of the index. */
  readonly delayedDeletion: ReadonlyMap<number, Pod> = new Map();
  /** The condition with which the job ends. */
  finishedCondition: JobCondition | undefined;

  private constructor(job: Job, found: FoundPods, uncounted: Uncounted, previousBackoff: BackoffRecord | undefined) {
    this.job = job;
    this.found = found;
    this.uncounted = uncounted;
    this.active = found.active.length;
    this.ready = found.ready;
    this.terminating = found.terminating.length;
    const { succeeded = 0, failed = 0 } = this.status;
    this.succeeded = succeeded + found.newSucceeded.length + uncounted.succeeded.size;
    this.failed = failed + found.newFailures + uncounted.failed.size;
    this.backoff = nextBackoffRecord(previousBackoff, found.newSucceeded, found.newFailed);
    if (!isIndexedJob(job)) return;
    this.previouslySucceeded = OrderedIntervals.parse(this.status.completedIndexes ?? '', this.completions);
    this.succeededIndexes = this.previouslySucceeded.union(OrderedIntervals.of(found.succeededIndexes));
    this.succeeded = this.succeededIndexes.total;
    if (!hasBackoffLimitPerIndex(job)) return;
    const previouslyFailed = OrderedIntervals.parse(this.status.failedIndexes ?? '', this.completions);
    this.failedIndexes = previouslyFailed.union(OrderedIntervals.of(found.failedIndexes));
    this.delayedDeletion = this.#podsWithDelayedDeletion();
  }

  static async of(job: Job, pods: readonly Pod[], previousBackoff: BackoffRecord | undefined): Promise<JobContext> {
    const { succeeded, failed } = uncountedPodsOf(job.status ?? {});
    const uncounted = { succeeded: new Set(succeeded), failed: new Set(failed) };
    return new JobContext(job, await FoundPods.of(pods, job, uncounted), uncounted, previousBackoff);
  }

  get status(): JobStatus {
    this.job.status ??= {};
    return this.job.status;
  }

  /** The number of completions of an indexed job, or of a job that sets it. */
  get completions(): number {
    return this.job.spec?.completions ?? 0;
  }

  /** (firstPendingIndexes) */
  pendingIndexes(count: number): number[] {
    const taken = indexesOf(this.found.active);
    if (onlyReplacesFailedPods(this.job)) for (const index of indexesOf(this.found.terminating)) taken.add(index);
    const done = this.succeededIndexes.union(this.failedIndexes ?? OrderedIntervals.none);
    return done.union(OrderedIntervals.of(taken)).complement(count, this.completions);
  }

  /** (getPodsWithDelayedDeletionPerIndex) */
  #podsWithDelayedDeletion(): Map<number, Pod> {
    const active = indexesOf(this.found.active);
    const delayed = new Map<number, Pod>();
    for (const pod of this.found.failed) {
      const index = completionIndexOf(pod);
      if (index === undefined) continue;
      if (this.succeededIndexes.has(index) || this.failedIndexes?.has(index) || active.has(index)) continue;
      const other = delayed.get(index);
      if (other === undefined || isLaterFailure(pod, other)) delayed.set(index, pod);
    }
    return delayed;
  }
}

export const uncountedPodsOf = ({ uncountedTerminatedPods: uncounted }: JobStatus): Required<UncountedTerminatedPods> => ({
  succeeded: uncounted?.succeeded ?? [],
  failed: uncounted?.failed ?? [],
});

function isLaterFailure(pod: Pod, other: Pod): boolean {
  return indexAbsoluteFailureCount(other) <= indexAbsoluteFailureCount(pod) && finishedTimeOf(pod) >= finishedTimeOf(other);
}
