import type { Job, JobCondition, JobStatus, UncountedTerminatedPods } from '../../../generated/v1.35/batch/v1/types.ts';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { isPodReady } from '../../kinds/core/pod/conditions.ts';
import { isPodActive, isPodTerminating } from '../pod-control/pod-states.ts';
import { type BackoffRecord, finishedTimeOf, nextBackoffRecord } from './backoff.ts';
import {
  completionIndexOf,
  hasBackoffLimitPerIndex,
  indexAbsoluteFailureCount,
  indexesOf,
  indexFailureCount,
  isIndexedJob,
  validIndexOf,
} from './indexed-pods.ts';
import { OrderedIntervals } from './ordered-intervals.ts';
import { matchPodFailurePolicy } from './pod-failure-policy.ts';

/** Keeps pods until the job has counted them. */
export const jobTrackingFinalizer = 'batch.kubernetes.io/job-tracking';

export const hasTrackingFinalizer = ({ metadata: { finalizers } }: Pod): boolean =>
  finalizers?.includes(jobTrackingFinalizer) ?? false;

/** Whether pods are replaced when they have finished, not while they terminate. (onlyReplaceFailedPods) */
export const onlyReplacesFailedPods = ({ spec }: Job): boolean =>
  spec?.podReplacementPolicy === 'Failed' || spec?.podFailurePolicy !== undefined;

/** Pods that are deleted fail, unless only those that have finished are replaced. */
export function isPodFailed({ metadata, status }: Pod, job: Job): boolean {
  if (status?.phase === 'Failed') return true;
  return !onlyReplacesFailedPods(job) && Boolean(metadata.deletionTimestamp) && status?.phase !== 'Succeeded';
}

/** The finished pods that status does not count yet. */
interface Uncounted {
  readonly succeeded: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
}

/** One look at a job and its pods, and what comes of it. (pkg/controller/job/job_controller.go syncJobCtx) */
export class JobContext {
  /** A copy, whose status is changed and written. */
  job: Job;
  readonly pods: readonly Pod[];
  readonly activePods: readonly Pod[];
  /** How many pods are active, ready, and being deleted, once this sync is through. */
  active: number;
  ready: number;
  terminating: number;
  succeeded: number;
  readonly failed: number;
  readonly uncounted: Uncounted;
  readonly backoff: BackoffRecord;
  /** Of indexed jobs: those that status has, and those with what is new. */
  readonly previouslySucceeded: OrderedIntervals = OrderedIntervals.none;
  succeededIndexes: OrderedIntervals = OrderedIntervals.none;
  /** If the job has a backoff limit per index. */
  readonly failedIndexes: OrderedIntervals | undefined;
  /** The failed pods that wait until those that replace them know how often their index has failed. */
  readonly delayedDeletion: ReadonlyMap<number, Pod> = new Map();
  /** Why the job ends. */
  finishedCondition: JobCondition | undefined;

  constructor(job: Job, pods: readonly Pod[], previousBackoff: BackoffRecord | undefined) {
    this.job = job;
    this.pods = pods;
    this.activePods = pods.filter(isPodActive);
    this.active = this.activePods.length;
    this.ready = this.activePods.filter(isPodReady).length;
    this.terminating = pods.filter(isPodTerminating).length;
    const { succeeded = 0, failed = 0 } = this.status;
    const uncounted = uncountedPodsOf(this.status);
    this.uncounted = { succeeded: new Set(uncounted.succeeded), failed: new Set(uncounted.failed) };
    const newSucceeded = this.#trackedPods(this.uncounted.succeeded).filter(
      ({ status }) => status?.phase === 'Succeeded',
    );
    const newFailed = this.#trackedPods(this.uncounted.failed).filter((pod) => isPodFailed(pod, job));
    const counted = newFailed.filter((pod) => matchPodFailurePolicy(job.spec?.podFailurePolicy, pod).isCounted);
    this.succeeded = succeeded + newSucceeded.length + this.uncounted.succeeded.size;
    this.failed = failed + counted.length + this.uncounted.failed.size;
    this.backoff = nextBackoffRecord(previousBackoff, newSucceeded, newFailed);
    if (!isIndexedJob(job)) return;
    this.previouslySucceeded = OrderedIntervals.parse(this.status.completedIndexes ?? '', this.completions);
    const indexes = newIndexes(pods, job, ({ status }) => status?.phase === 'Succeeded');
    this.succeededIndexes = this.previouslySucceeded.union(indexes);
    this.succeeded = this.succeededIndexes.total;
    if (!hasBackoffLimitPerIndex(job)) return;
    const previouslyFailed = OrderedIntervals.parse(this.status.failedIndexes ?? '', this.completions);
    this.failedIndexes = previouslyFailed.union(newIndexes(pods, job, (pod) => isIndexFailed(pod, job)));
    this.delayedDeletion = this.#podsWithDelayedDeletion();
  }

  get status(): JobStatus {
    this.job.status ??= {};
    return this.job.status;
  }

  /** Of an indexed job, or of one that asks for a number of pods that succeed. */
  get completions(): number {
    return this.job.spec?.completions ?? 0;
  }

  /** (firstPendingIndexes) */
  pendingIndexes(count: number): number[] {
    const taken = indexesOf(this.activePods);
    if (onlyReplacesFailedPods(this.job))
      for (const index of indexesOf(this.pods.filter(isPodTerminating))) taken.add(index);
    const done = this.succeededIndexes.union(this.failedIndexes ?? OrderedIntervals.none);
    return done.union(OrderedIntervals.of(taken)).complement(count, this.completions);
  }

  /** Pods that have not been counted. (getValidPodsWithFilter) */
  #trackedPods(counted?: ReadonlySet<string>): Pod[] {
    const isIndexed = isIndexedJob(this.job);
    return this.pods.filter((pod) => {
      if (!hasTrackingFinalizer(pod) || counted?.has(pod.metadata.uid ?? '')) return false;
      return !isIndexed || validIndexOf(pod, this.job) !== undefined;
    });
  }

  /** (getPodsWithDelayedDeletionPerIndex) */
  #podsWithDelayedDeletion(): Map<number, Pod> {
    const active = indexesOf(this.activePods);
    const delayed = new Map<number, Pod>();
    for (const pod of this.#trackedPods()) {
      const index = completionIndexOf(pod);
      if (index === undefined || !isPodFailed(pod, this.job)) continue;
      if (this.succeededIndexes.has(index) || this.failedIndexes?.has(index) || active.has(index)) continue;
      const other = delayed.get(index);
      if (other === undefined || isLaterFailure(pod, other)) delayed.set(index, pod);
    }
    return delayed;
  }
}

export const uncountedPodsOf = ({
  uncountedTerminatedPods: uncounted,
}: JobStatus): Required<UncountedTerminatedPods> => ({
  succeeded: uncounted?.succeeded ?? [],
  failed: uncounted?.failed ?? [],
});

function isLaterFailure(pod: Pod, other: Pod): boolean {
  return (
    indexAbsoluteFailureCount(other) <= indexAbsoluteFailureCount(pod) && finishedTimeOf(pod) >= finishedTimeOf(other)
  );
}

/** The indexes of pods that have not been counted. */
function newIndexes(pods: readonly Pod[], job: Job, isWanted: (pod: Pod) => boolean): OrderedIntervals {
  const indexes = new Set<number>();
  for (const pod of pods) {
    const index = validIndexOf(pod, job);
    if (index !== undefined && hasTrackingFinalizer(pod) && isWanted(pod)) indexes.add(index);
  }
  return OrderedIntervals.of(indexes);
}

function isIndexFailed(pod: Pod, job: Job): boolean {
  if (!isPodFailed(pod, job)) return false;
  const { action, isCounted } = matchPodFailurePolicy(job.spec?.podFailurePolicy, pod);
  return action === 'FailIndex' || (isCounted && indexFailureCount(pod) >= (job.spec?.backoffLimitPerIndex ?? 0));
}
