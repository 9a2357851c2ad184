import type { Job, JobStatus } from '../../../generated/v1.35/batch/v1/types.ts';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { Clock } from '../../machinery/clock.ts';
import { eachInSlices } from '../../machinery/event-loop/each-in-slices.ts';
import { LoopSlice } from '../../machinery/event-loop/yield.ts';
import { cloneJson } from '../../machinery/json/clone.ts';
import { setOrDelete } from '../../machinery/json/defined.ts';
import type { LoopbackClient } from '../../resources/loopback-client.ts';
import type { BackoffRecord } from './backoff.ts';
import { completionIndexOf, hasBackoffLimitPerIndex, isIndexedJob, validIndexOf } from './indexed-pods.ts';
import { ensureCondition, hasTrueCondition, newCondition } from './job-conditions.ts';
import { type JobContext, uncountedPodsOf } from './job-context.ts';
import { hasTrackingFinalizer, isPodFailed } from './job-pod-states.ts';
import type { JobPods } from './job-pods.ts';
import { OrderedIntervals } from './ordered-intervals.ts';
import { matchPodFailurePolicy } from './pod-failure-policy.ts';

/** The maximum number of finished pods in a status that are not counted yet. (MaxUncountedPods) */
const maxUncountedPods = 500;

export interface JobTrackingOptions {
  readonly clock: Clock;
  readonly jobs: LoopbackClient<Job>;
  readonly jobPods: JobPods;
  /** Called after the failures of pods were written to the status. */
  keepBackoff(job: Job, record: BackoffRecord): void;
}

/**
 * Counts each finished pod exactly once: writes its uid to the status, removes its finalizer, and then counts it.
 * (pkg/controller/job/job_controller.go trackJobStatusAndRemoveFinalizers)
 */
export class JobTracking {
  readonly #options: JobTrackingOptions;

  constructor(options: JobTrackingOptions) {
    this.#options = options;
  }

  /**
   * Writes the status, if `isChanged` or if pods have finished.
   *
   * @returns whether the job has now finished, by the condition of the context
   */
  async track(context: JobContext, isChanged: boolean): Promise<boolean> {
    const { tracked } = context.found;
    let mustWrite = countUntracked(context.status, tracked) || isChanged;
    const counting = await countFinishedPods(context);
    mustWrite ||= counting.isChanged;
    if (isIndexedJob(context.job)) mustWrite = setIndexes(context, counting.newIndexes) || mustWrite;
    mustWrite = this.#setInterimCondition(context) || mustWrite;
    if (mustWrite) {
      await this.#write(context);
      this.#options.keepBackoff(context.job, context.backoff);
    }
    const errors = await eachInSlices(counting.podsToRelease, async (pod) => {
      await this.#options.jobPods.removeFinalizer(pod);
      tracked.delete(pod.metadata.uid ?? '');
    });
    mustWrite = countUntracked(context.status, tracked);
    const isFinished = errors.length === 0 && !counting.isLimited && this.#finish(context);
    if (mustWrite || isFinished) await this.#write(context);
    if (errors.length > 0) throw errors[0];
    return isFinished;
  }

  async #write(context: JobContext): Promise<void> {
    context.job = cloneJson(await this.#options.jobs.update(context.job, 'status'));
  }

  /** Sets the condition that announces the job's end, before pods are released. */
  #setInterimCondition(context: JobContext): boolean {
    const { finishedCondition: condition, status } = context;
    if (condition === undefined || (condition.type !== 'FailureTarget' && condition.type !== 'SuccessCriteriaMet')) return false;
    const { type, reason = '', message = '' } = condition;
    const isNew = !hasTrueCondition(context.job, type);
    if (isNew) status.conditions = [...(status.conditions ?? []), condition];
    const last = type === 'FailureTarget' ? 'Failed' : 'Complete';
    context.finishedCondition = newCondition(last, reason, message, this.#options.clock.now());
    return isNew;
  }

  /**
   * Sets the final condition once all pods are counted and gone. Returns whether the job has finished.
   * (enactJobFinished)
   */
  #finish(context: JobContext): boolean {
    const { finishedCondition: condition, status } = context;
    const { succeeded, failed } = uncountedPodsOf(status);
    if (condition === undefined || succeeded.length + failed.length > 0 || context.terminating > 0) return false;
    status.conditions = [...ensureCondition(status.conditions ?? [], condition)];
    if (condition.type === 'Complete') setOrDelete(status, 'completionTime', condition.lastTransitionTime ?? undefined);
    return true;
  }
}

/**
 * Counts pods that no longer have the finalizer. Returns whether there were any. (cleanUncountedPodsWithoutFinalizers)
 */
function countUntracked(status: JobStatus, tracked: ReadonlySet<string>): boolean {
  const before = uncountedPodsOf(status);
  const succeeded = before.succeeded.filter((uid) => tracked.has(uid));
  const failed = before.failed.filter((uid) => tracked.has(uid));
  const newlySucceeded = before.succeeded.length - succeeded.length;
  const newlyFailed = before.failed.length - failed.length;
  if (newlySucceeded + newlyFailed === 0) return false;
  status.succeeded = (status.succeeded ?? 0) + newlySucceeded;
  status.failed = (status.failed ?? 0) + newlyFailed;
  status.uncountedTerminatedPods = { succeeded, failed };
  return true;
}

interface Counting {
  readonly podsToRelease: readonly Pod[];
  readonly newIndexes: readonly number[];
  /** Whether the status must be written first. */
  readonly isChanged: boolean;
  /** Whether more pods may remain than one sync counts. */
  readonly isLimited: boolean;
}

/** Adds finished pods to the status. */
async function countFinishedPods(context: JobContext): Promise<Counting> {
  const isIndexed = isIndexedJob(context.job);
  const { succeeded, failed } = uncountedPodsOf(context.status);
  const podsToRelease: Pod[] = [];
  const newIndexes: number[] = [];
  let added = 0;
  const counted = () => newIndexes.length + succeeded.length + failed.length;
  for (const pod of await releasablePods(context)) {
    podsToRelease.push(pod);
    const { uid = '' } = pod.metadata;
    const index = validIndexOf(pod, context.job);
    if (pod.status?.phase === 'Succeeded' && !context.uncounted.failed.has(uid)) {
      if (!isIndexed && !context.uncounted.succeeded.has(uid)) added = succeeded.push(uid);
      else if (index !== undefined && !context.previouslySucceeded.has(index)) added = newIndexes.push(index);
    } else if (isCountedAsFailed(pod, context)) added = failed.push(uid);
    if (counted() >= maxUncountedPods) break;
  }
  if (added > 0) context.status.uncountedTerminatedPods = { succeeded, failed };
  return { podsToRelease, newIndexes, isChanged: added > 0, isLimited: counted() >= maxUncountedPods };
}

/** Returns the pods to release. Pods of indexed jobs are sorted by index. */
async function releasablePods(context: JobContext): Promise<readonly Pod[]> {
  const isIndexed = isIndexedJob(context.job);
  const found: { readonly pod: Pod; readonly index: number }[] = [];
  const slice = new LoopSlice();
  for (const pod of context.found.pods) {
    if (slice.isOver()) await slice.next();
    if (!hasTrackingFinalizer(pod) || !isReleasable(pod, context)) continue;
    found.push({ pod, index: isIndexed ? (completionIndexOf(pod) ?? -1) : 0 });
  }
  if (isIndexed) found.sort((a, b) => a.index - b.index);
  return found.map(({ pod }) => pod);
}

/** (canRemoveFinalizer) */
function isReleasable(pod: Pod, { job, finishedCondition, delayedDeletion }: JobContext): boolean {
  if (job.metadata.deletionTimestamp || finishedCondition !== undefined || pod.status?.phase === 'Succeeded') return true;
  if (!isPodFailed(pod, job)) return false;
  const index = hasBackoffLimitPerIndex(job) ? completionIndexOf(pod) : undefined;
  return index === undefined || delayedDeletion.get(index)?.metadata.uid !== pod.metadata.uid;
}

/** Reports whether a pod counts as failed. Unfinished pods fail together with their job. */
function isCountedAsFailed(pod: Pod, { job, finishedCondition, uncounted }: JobContext): boolean {
  const failsWithJob = finishedCondition !== undefined && finishedCondition.type !== 'SuccessCriteriaMet';
  if (!failsWithJob && !isPodFailed(pod, job)) return false;
  if (uncounted.failed.has(pod.metadata.uid ?? '')) return false;
  if (isIndexedJob(job) && validIndexOf(pod, job) === undefined) return false;
  return matchPodFailurePolicy(job.spec?.podFailurePolicy, pod).isCounted;
}

/** Adds indexes to the status. Returns whether it changed. */
function setIndexes(context: JobContext, newIndexes: readonly number[]): boolean {
  const { status, failedIndexes } = context;
  context.succeededIndexes = context.succeededIndexes.union(OrderedIntervals.of(newIndexes));
  const completed = context.succeededIndexes.toString();
  const failed = failedIndexes?.toString();
  const isChanged = completed !== (status.completedIndexes ?? '') || failed !== status.failedIndexes;
  status.succeeded = context.succeededIndexes.total;
  status.completedIndexes = completed;
  if (failed !== undefined) status.failedIndexes = failed;
  else delete status.failedIndexes;
  return isChanged;
}
