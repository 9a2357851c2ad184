import type { Job } from '../../../generated/v1.35/batch/v1/types.ts';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { Clock } from '../../machinery/clock.ts';
import { hasStatusCode } from '../../machinery/errors/status.ts';
import { cloneJson } from '../../machinery/json/clone.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { type ObjectKey, objectKeyOf } from '../../machinery/object-key.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import { labelSelectorFromObject } from '../../machinery/selectors/label-selector.ts';
import { type EventRecorder, referenceTo } from '../../reconcile/events/event-recorder.ts';
import { byController, orphansOf } from '../../reconcile/informers/index-by.ts';
import type { SharedInformer } from '../../reconcile/informers/shared-informer.ts';
import type { ObjectQueue } from '../../reconcile/queue-controller.ts';
import type { SyncResult } from '../../reconcile/work-queue.ts';
import type { LoopbackClient } from '../../resources/loopback-client.ts';
import { claimObjects, newControllerRef } from '../controller-ref-manager.ts';
import type { BackoffRecord } from './backoff.ts';
import { ensureCondition, isJobFinished, newCondition } from './job-conditions.ts';
import { JobContext } from './job-context.ts';
import { isComplete, jobEnd, remainingDeadline } from './job-end.ts';
import { jobTrackingFinalizer } from './job-pod-states.ts';
import type { JobPods, Managed } from './job-pods.ts';
import { JobTracking } from './job-tracking.ts';

export interface JobSyncOptions {
  readonly clock: Clock;
  readonly queue: Pick<ObjectQueue, 'addAfter'>;
  readonly jobs: SharedInformer<Job>;
  readonly pods: SharedInformer<Pod>;
  readonly jobClient: LoopbackClient<Job>;
  readonly podClient: LoopbackClient<Pod>;
  readonly jobPods: JobPods;
  readonly recorder: EventRecorder;
}

const kindOfJob = { apiVersion: 'batch/v1', kind: 'Job' };

/** The default of a job's managedBy: this controller. (batch JobControllerName) */
const jobControllerName = 'kubernetes.io/job-controller';

/** (managedByExternalController) */
export const isManagedElsewhere = ({ spec }: Job): boolean => (spec?.managedBy ?? jobControllerName) !== jobControllerName;

/** Reconciles one job. (pkg/controller/job/job_controller.go syncJob) */
export class JobSync {
  readonly #options: JobSyncOptions;
  readonly #tracking: JobTracking;
  /** Backoff records by the job's uid. */
  readonly #backoffs = new Map<string, BackoffRecord>();

  constructor(options: JobSyncOptions) {
    this.#options = options;
    const { clock, jobClient, jobPods } = options;
    this.#tracking = new JobTracking({
      clock,
      jobs: jobClient,
      jobPods,
      keepBackoff: ({ metadata: { uid = '' } }, record) => {
        if (record.failures > 0) this.#backoffs.set(uid, record);
        else this.#backoffs.delete(uid);
      },
    });
  }

  /** Drops the state of a deleted job. */
  forget({ metadata: { uid = '' } }: Job): void {
    this.#backoffs.delete(uid);
  }

  async sync({ namespace, name }: ObjectKey): Promise<SyncResult> {
    const shared = this.#options.jobs.get(namespace, name);
    if (shared === undefined || isManagedElsewhere(shared)) return 'done';
    if (isJobFinished(shared)) this.forget(shared);
    else {
      try {
        await this.#syncJob(cloneJson(shared));
      } catch (error) {
        // another write came first
        if (hasStatusCode(error, 409)) return 'retry';
        throw error;
      }
    }
    return 'done';
  }

  async #syncJob(job: Job): Promise<void> {
    const { clock, jobPods } = this.#options;
    const context = await JobContext.of(job, await this.#podsOf(job), this.#backoffs.get(job.metadata.uid ?? ''));
    const before = { ...context.status };
    context.status.uncountedTerminatedPods ??= {};
    if (!before.startTime && !job.spec?.suspend) context.status.startTime = timeText(clock.now());
    context.finishedCondition = jobEnd(context, clock.now());
    this.#awaitDeadline(context);
    let managed: Managed = {};
    let isChanged = false;
    if (context.finishedCondition !== undefined) {
      managed = await jobPods.deleteActive(context);
      // some pods may still be running
      if (managed.error !== undefined) context.finishedCondition = undefined;
    } else {
      const isManaged = !job.metadata.deletionTimestamp;
      if (isManaged) managed = await jobPods.manage(context);
      this.#awaitBackoff(context, managed);
      if (isComplete(context)) context.finishedCondition = this.#completed();
      else if (isManaged) isChanged = this.#setSuspended(context);
    }
    const { active, ready, terminating } = context;
    isChanged ||= active !== (before.active ?? 0) || ready !== before.ready || terminating !== before.terminating;
    Object.assign(context.status, { active, ready, terminating });
    if (await this.#tracking.track(context, isChanged)) this.#recordFinished(context);
    if (managed.error !== undefined) throw managed.error;
  }

  /** Returns the pods that the job owns, after adoptions and releases. (getPodsForJob) */
  async #podsOf(job: Job): Promise<Pod[]> {
    const { pods, podClient, jobClient } = this.#options;
    const { namespace = '', name = '', uid = '' } = job.metadata;
    const selector = labelSelectorFromObject(job.spec?.selector);
    const index = pods.index(byController);
    return claimObjects([...index.of(uid), ...index.of(orphansOf(namespace))], {
      controller: job,
      controllerRef: newControllerRef(job, kindOfJob),
      objects: podClient,
      matches: ({ metadata }: Pod) => selector.matches(metadata.labels),
      current: (): KubeObject | undefined => jobClient.get(namespace, name),
      finalizer: jobTrackingFinalizer,
    });
  }

  #completed() {
    const message = 'Reached expected number of succeeded pods';
    return newCondition('SuccessCriteriaMet', 'CompletionsReached', message, this.#options.clock.now());
  }

  #awaitDeadline({ job, finishedCondition }: JobContext): void {
    const remaining = finishedCondition ? undefined : remainingDeadline(job, this.#options.clock.now());
    if (remaining !== undefined) this.#syncAfter(job, remaining);
  }

  #awaitBackoff({ job }: JobContext, { wait }: Managed): void {
    if (wait !== undefined) this.#syncAfter(job, wait);
  }

  #syncAfter(job: Job, ms: number): void {
    this.#options.queue.addAfter(objectKeyOf(job), ms);
  }

  /** Returns whether this sync suspends or resumes the job. */
  #setSuspended({ job, status }: JobContext): boolean {
    const { clock, recorder } = this.#options;
    const now = clock.now();
    const wanted = job.spec?.suspend
      ? newCondition('Suspended', 'JobSuspended', 'Job suspended', now)
      : { ...newCondition('Suspended', 'JobResumed', 'Job resumed', now), status: 'False' };
    const before = status.conditions ?? [];
    const conditions = ensureCondition(before, wanted);
    if (conditions === before) return false;
    status.conditions = [...conditions];
    // the deadline counts from this time
    if (!job.spec?.suspend) status.startTime = timeText(now);
    const reason = job.spec?.suspend ? 'Suspended' : 'Resumed';
    recorder.event(referenceTo(job), { type: 'Normal', reason, message: wanted.message ?? '' });
    return true;
  }

  #recordFinished({ job, status, finishedCondition }: JobContext): void {
    const recordEvent = (type: 'Normal' | 'Warning', reason: string, message: string): void =>
      this.#options.recorder.event(referenceTo(job), { type, reason, message });
    const { type, reason = '', message = '' } = finishedCondition ?? {};
    if (type !== 'Complete') {
      recordEvent('Warning', reason, message);
      return;
    }
    if (job.spec?.completions !== undefined && (status.succeeded ?? 0) > job.spec.completions) {
      recordEvent('Warning', 'TooManySucceededPods', 'Too many succeeded pods running after completion count reached');
    }
    recordEvent('Normal', 'Completed', 'Job completed');
  }
}
