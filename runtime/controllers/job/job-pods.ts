import type { Job } from '../../../generated/v1.35/batch/v1/types.ts';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { isPodReady } from '../../kinds/core/pod/conditions.ts';
import type { Clock } from '../../machinery/clock.ts';
import { hasStatusCode } from '../../machinery/errors/status.ts';
import { eachInSlices } from '../../machinery/event-loop/each-in-slices.ts';
import type { LoopbackClient } from '../../resources/loopback-client.ts';
import { newControllerRef } from '../controller-ref-manager.ts';
import { compareActivePods } from '../pod-control/active-pods.ts';
import { isNamespaceTerminating, type PodControl, podFromTemplate, slowStartBatch } from '../pod-control/pod-control.ts';
import { finishedTimeOf, remainingBackoff } from './backoff.ts';
import {
  completionIndexAnnotation,
  failureCountAnnotations,
  generateNameWithIndex,
  hasBackoffLimitPerIndex,
  indexAbsoluteFailureCount,
  isIndexedJob,
  validIndexOf,
  withCompletionIndexEnv,
} from './indexed-pods.ts';
import type { JobContext } from './job-context.ts';
import { hasTrackingFinalizer, jobTrackingFinalizer, onlyReplacesFailedPods } from './job-pod-states.ts';

/** The maximum number of pods that one sync creates or deletes. (MaxPodCreateDeletePerSync) */
const maxCreatedOrDeleted = 500;

export interface JobPodsOptions {
  readonly clock: Clock;
  readonly podControl: PodControl;
  readonly pods: LoopbackClient<Pod>;
}

/** The result of a sync's work on pods. An error does not end the sync. */
export interface Managed {
  readonly error?: unknown;
  /** Milliseconds until pods may be created. */
  readonly wait?: number;
}

/** Creates and deletes the pods of jobs. (pkg/controller/job/job_controller.go manageJob) */
export class JobPods {
  readonly #clock: Clock;
  readonly #podControl: PodControl;
  readonly #pods: LoopbackClient<Pod>;

  constructor({ clock, podControl, pods }: JobPodsOptions) {
    this.#clock = clock;
    this.#podControl = podControl;
    this.#pods = pods;
  }

  /** Creates or deletes pods, and counts them. */
  async manage(context: JobContext): Promise<Managed> {
    const { job, active } = context;
    if (job.spec?.suspend) return this.#deleteWithoutCounting(context, context.found.active);
    const wanted = wantedActive(context);
    const removed = podsToRemove(context, Math.max(0, active - wanted)).slice(0, maxCreatedOrDeleted);
    if (removed.length > 0) return this.#deleteWithoutCounting(context, removed);
    const terminating = onlyReplacesFailedPods(job) ? context.terminating : 0;
    const missing = wanted - terminating - active;
    return missing > 0 ? this.#create(context, Math.min(missing, maxCreatedOrDeleted)) : {};
  }

  /**
   * Deletes all active pods of a job that ends. They are counted when their finalizers are removed. (deleteActivePods)
   */
  async deleteActive(context: JobContext): Promise<Managed> {
    const errors = await eachInSlices(context.found.active, async (pod) => {
      await this.#delete(pod, context);
    });
    return { error: errors[0] };
  }

  /** Removes the finalizer. Resolves even if the pod no longer exists. */
  async removeFinalizer({ metadata: { namespace = '', name = '', uid } }: Pod): Promise<void> {
    await this.#pods.modifyIfPresent({ namespace, name }, (pod) => {
      const { finalizers } = pod.metadata;
      if (pod.metadata.uid === uid && finalizers) pod.metadata.finalizers = finalizers.filter((one) => one !== jobTrackingFinalizer);
      return pod;
    });
  }

  /** (deleteJobPods) */
  async #deleteWithoutCounting(context: JobContext, pods: readonly Pod[]): Promise<Managed> {
    const errors = await eachInSlices(pods, async (pod) => {
      if (hasTrackingFinalizer(pod)) await this.removeFinalizer(pod);
      await this.#delete(pod, context);
    });
    return { error: errors[0] };
  }

  async #delete(pod: Pod, context: JobContext): Promise<void> {
    try {
      await this.#podControl.delete(pod, context.job);
    } catch (error) {
      if (!hasStatusCode(error, 404)) throw error;
    }
    context.active--;
    context.terminating++;
    if (isPodReady(pod)) context.ready--;
  }

  async #create(context: JobContext, count: number): Promise<Managed> {
    const { job } = context;
    const now = this.#clock.now();
    const wait = hasBackoffLimitPerIndex(job) ? 0 : remainingBackoff(context.backoff, now);
    // upstream then reports no active pods, which its API refuses if pods are ready
    if (wait > 0) return { wait };
    if (!isIndexedJob(job)) return this.#createPods(context, count);
    const { indexes, wait: waitOfIndexes } = creatableIndexes(context, count, now);
    return waitOfIndexes > 0 ? { wait: waitOfIndexes } : this.#createPods(context, indexes.length, indexes);
  }

  async #createPods(context: JobContext, count: number, indexes?: readonly number[]): Promise<Managed> {
    const { job } = context;
    const newPod = podMaker(context);
    const { successes, error } = await slowStartBatch(count, async (position) => {
      await this.#podControl.create(newPod(indexes?.[position]), job);
    });
    context.active += successes;
    return isNamespaceTerminating(error) ? {} : { error };
  }
}

/** Returns a function that makes pods from the template, each for one index if the job is indexed. */
function podMaker({ job, delayedDeletion }: JobContext): (index: number | undefined) => ReturnType<typeof podFromTemplate> {
  const { name = '' } = job.metadata;
  const ownerRef = newControllerRef(job, { apiVersion: 'batch/v1', kind: 'Job' });
  const given = job.spec?.template ?? {};
  const template = isIndexedJob(job) ? withCompletionIndexEnv(given) : given;
  return (index) => {
    const pod = podFromTemplate(template, name, ownerRef);
    const { metadata } = pod;
    if (!metadata.finalizers?.includes(jobTrackingFinalizer)) metadata.finalizers = [...(metadata.finalizers ?? []), jobTrackingFinalizer];
    if (index === undefined) return pod;
    metadata.generateName = generateNameWithIndex(name, index);
    metadata.labels = { ...metadata.labels, [completionIndexAnnotation]: `${index}` };
    metadata.annotations = { ...metadata.annotations, [completionIndexAnnotation]: `${index}` };
    if (hasBackoffLimitPerIndex(job)) Object.assign(metadata.annotations, failureCountAnnotations(job, delayedDeletion.get(index)));
    pod.spec.hostname = `${name}-${index}`;
    return pod;
  };
}

/** Returns the desired number of active pods. Without completions, no pods start after the first success. */
function wantedActive({ job, active, succeeded }: JobContext): number {
  const { completions, parallelism = 1 } = job.spec ?? {};
  if (completions === undefined) return succeeded > 0 ? active : parallelism;
  return Math.max(0, Math.min(parallelism, completions - succeeded));
}

/** (getPodCreationInfoForIndependentIndexes) */
function creatableIndexes(context: JobContext, count: number, now: number): { readonly indexes: readonly number[]; readonly wait: number } {
  const pending = context.pendingIndexes(count);
  if (!hasBackoffLimitPerIndex(context.job)) return { indexes: pending, wait: 0 };
  const waits = pending.map((index) => {
    const failed = context.delayedDeletion.get(index);
    if (failed === undefined) return 0;
    const failures = indexAbsoluteFailureCount(failed) + 1;
    return remainingBackoff({ failures, lastFailureTime: finishedTimeOf(failed) }, now);
  });
  const indexes = pending.filter((_, position) => waits[position] === 0);
  return { indexes, wait: indexes.length > 0 || waits.length === 0 ? 0 : Math.min(...waits) };
}

/** Returns surplus active pods: first those with an invalid or repeated index, then any. (activePodsForRemoval) */
export function podsToRemove({ job, found }: JobContext, atLeast: number): Pod[] {
  const activePods = found.active;
  if (atLeast === 0 && (!isIndexedJob(job) || hasDifferentIndexes(activePods, job))) return [];
  const sorted = [...activePods].sort(compareActivePods);
  if (!isIndexedJob(job)) return sorted.slice(0, atLeast);
  const lastOf = new Map<number, Pod>();
  for (const pod of sorted) {
    const index = validIndexOf(pod, job);
    if (index !== undefined) lastOf.set(index, pod);
  }
  const kept = new Set(lastOf.values());
  const removed = sorted.filter((pod) => !kept.has(pod));
  const others = sorted.filter((pod) => kept.has(pod));
  return [...removed, ...others.slice(0, Math.max(0, atLeast - removed.length))];
}

/** Reports whether all pods have distinct valid indexes. */
function hasDifferentIndexes(pods: readonly Pod[], job: Job): boolean {
  const indexes = new Set(pods.map((pod) => validIndexOf(pod, job)));
  return indexes.size === pods.length && !indexes.has(undefined);
}
