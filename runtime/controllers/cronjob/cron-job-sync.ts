import type { CronJob, CronJobStatus, Job } from '../../../generated/v1.35/batch/v1/types.ts';
import { parseSchedule } from '../../kinds/batch/cron-schedule.ts';
import type { CronSchedule } from '../../kinds/batch/cron-times.ts';
import { isTimeZone } from '../../kinds/batch/time-zone.ts';
import { rfc3339, timeZone } from '../../kinds/batch/zoned-time.ts';
import type { Clock } from '../../machinery/clock.ts';
import { hasStatusCode, isStatusError } from '../../machinery/errors/status.ts';
import { quote } from '../../machinery/go/quote.ts';
import { cloneJson } from '../../machinery/json/clone.ts';
import { defined } from '../../machinery/json/defined.ts';
import type { ObjectKey } from '../../machinery/object-key.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import { type EventRecorder, referenceTo } from '../../reconcile/events/event-recorder.ts';
import { byController } from '../../reconcile/informers/index-by.ts';
import type { SharedInformer } from '../../reconcile/informers/shared-informer.ts';
import type { SyncResult } from '../../reconcile/work-queue.ts';
import type { LoopbackClient } from '../../resources/loopback-client.ts';
import { controllerOf, newControllerRef } from '../controller-ref-manager.ts';
import { jobFinishedCondition } from '../job/job-conditions.ts';
import { isNamespaceTerminating, textOf } from '../pod-control/pod-control.ts';
import { dueSchedule, untilNextSchedule } from './missed-schedules.ts';

const scheduledTimestampAnnotation = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

export interface CronJobSyncOptions {
  readonly clock: Clock;
  readonly cronJobs: SharedInformer<CronJob>;
  readonly jobs: SharedInformer<Job>;
  readonly cronJobClient: LoopbackClient<CronJob>;
  readonly jobClient: LoopbackClient<Job>;
  readonly recorder: EventRecorder;
}

/** Returns the schedule of a cron job, in its time zone; an error text for an invalid one. (formatSchedule) */
export function scheduleOf({ spec }: CronJob): CronSchedule | string {
  const { schedule = '', timeZone: zone } = spec ?? {};
  const hasZone = schedule.includes('TZ') || zone === undefined || !isTimeZone(zone);
  return parseSchedule(hasZone ? schedule : `TZ=${zone} ${schedule}`);
}

/** Starts the jobs of one cron job, and deletes old ones. (pkg/controller/cronjob/cronjob_controllerv2.go) */
export class CronJobSync {
  readonly #options: CronJobSyncOptions;

  constructor(options: CronJobSyncOptions) {
    this.#options = options;
  }

  async sync({ namespace, name }: ObjectKey): Promise<SyncResult> {
    const { cronJobs, jobs, cronJobClient } = this.#options;
    const shared = cronJobs.get(namespace, name);
    if (shared === undefined) return 'done';
    const owned = [...jobs.index(byController).of(shared.metadata.uid ?? '')];
    const work = new CronJobWork(cloneJson(shared), this.#options);
    await work.cleanUpFinished(owned);
    const { wait, error } = await work.start(owned).then(
      (seconds) => ({ wait: seconds, error: undefined }),
      (failure: unknown) => ({ wait: undefined, error: failure }),
    );
    try {
      if (work.isChanged) await cronJobClient.update(work.cronJob, 'status');
    } catch (failure) {
      // another write came first
      if (hasStatusCode(failure, 409)) return 'retry';
      throw failure;
    }
    if (error !== undefined) throw error;
    return wait === undefined ? 'done' : Math.max(0, wait * 1000);
  }
}

/** One sync of a cron job. */
class CronJobWork {
  /** A copy of the cron job with a mutable status. */
  readonly cronJob: CronJob;
  readonly #options: CronJobSyncOptions;
  /** Whether the status must be written. */
  isChanged = false;

  constructor(cronJob: CronJob, options: CronJobSyncOptions) {
    this.cronJob = cronJob;
    this.#options = options;
  }

  get #status(): CronJobStatus {
    this.cronJob.status ??= {};
    return this.cronJob.status;
  }

  get #active(): NonNullable<CronJobStatus['active']> {
    return this.#status.active ?? [];
  }

  /** Deletes the oldest finished jobs above the history limits. (cleanupFinishedJobs) */
  async cleanUpFinished(jobs: readonly Job[]): Promise<void> {
    const { successfulJobsHistoryLimit, failedJobsHistoryLimit } = this.cronJob.spec ?? {};
    const limits = [
      ['Complete', successfulJobsHistoryLimit],
      ['Failed', failedJobsHistoryLimit],
    ] as const;
    for (const [type, limit] of limits) {
      if (limit === undefined) continue;
      const finished = jobs.filter((job) => jobFinishedCondition(job)?.type === type).sort(byStartTime);
      for (const job of finished.slice(0, Math.max(0, finished.length - limit))) await this.#delete(job);
    }
  }

  /**
   * Starts a job if one is due. (syncCronJob)
   *
   * @param jobs the existing jobs
   * @returns seconds until the next job is due; undefined if none is due until the cron job changes
   */
  async start(jobs: readonly Job[]): Promise<number | undefined> {
    this.#updateActive(jobs);
    const { metadata, spec } = this.cronJob;
    if (metadata.deletionTimestamp) return undefined;
    if (spec?.timeZone !== undefined && !isTimeZone(spec.timeZone)) {
      const message = `invalid timeZone: ${quote(spec.timeZone)}: unknown time zone ${spec.timeZone}`;
      return this.#recordEvent('Warning', 'UnknownTimeZone', message);
    }
    if (spec?.suspend) return undefined;
    const { schedule: text = '' } = spec ?? {};
    if (text.includes('TZ')) {
      const page = 'https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/';
      const what = `CRON_TZ or TZ used in schedule ${quote(text)} is not officially supported, see ${page} for more details`;
      this.#recordEvent('Warning', 'UnsupportedSchedule', what);
    }
    const schedule = scheduleOf(this.cronJob);
    if (typeof schedule === 'string')
      return this.#recordEvent('Warning', 'UnparseableSchedule', `unparseable schedule: ${quote(text)} : ${schedule}`);
    const now = this.#options.clock.now() / 1000;
    const due = dueSchedule(this.cronJob, now, schedule);
    if (typeof due === 'string') return this.#recordEvent('Warning', 'InvalidSchedule', `invalid schedule: ${text} : ${due}`);
    const message = 'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew';
    if (due.isTooManyMissed) this.#recordEvent('Warning', 'TooManyMissedTimes', message);
    if (due.time !== undefined && this.#mayStart(due.time, now)) await this.#startFor(due.time);
    return untilNextSchedule(this.cronJob, now, schedule);
  }

  /** Removes finished and deleted jobs from the active ones. */
  #updateActive(jobs: readonly Job[]): void {
    for (const job of jobs) this.#updateJob(job);
    const existing = new Set(jobs.map(({ metadata }) => metadata.uid));
    for (const { uid, namespace = '', name = '' } of this.#active) {
      if (existing.has(uid) || this.#options.jobClient.get(namespace, name) !== undefined) continue;
      this.#recordEvent('Normal', 'MissingJob', `Active job went missing: ${name}`);
      this.#removeActive(uid);
    }
  }

  #updateJob(job: Job): void {
    const { name, uid } = job.metadata;
    const isActive = this.#active.some((one) => one.uid === uid);
    const finished = jobFinishedCondition(job);
    if (finished === undefined) {
      const message = `Saw a job that the controller did not create or forgot: ${name}`;
      if (!isActive) this.#recordEvent('Warning', 'UnexpectedJob', message);
      return;
    }
    if (isActive) {
      this.#removeActive(uid);
      this.#recordEvent('Normal', 'SawCompletedJob', `Saw completed job: ${name}, condition: ${finished.type}`);
    }
    const { completionTime } = job.status ?? {};
    if (finished.type !== 'Complete' || !completionTime) return;
    const { lastSuccessfulTime } = this.#status;
    if (lastSuccessfulTime && Date.parse(completionTime) <= Date.parse(lastSuccessfulTime)) return;
    this.#status.lastSuccessfulTime = completionTime;
    this.isChanged = true;
  }

  /**
   * Reports whether a job for this time may start: it is not too late, does not exist, and the concurrency policy
   * allows it.
   */
  #mayStart(time: number, now: number): boolean {
    const { startingDeadlineSeconds, concurrencyPolicy } = this.cronJob.spec ?? {};
    if (startingDeadlineSeconds !== undefined && time + startingDeadlineSeconds < now) {
      this.#recordEvent('Warning', 'MissSchedule', `Missed scheduled time to start a job: ${rfc1123z(time)}`);
      return false;
    }
    const { lastScheduleTime } = this.#status;
    const isThere = this.#active.some(({ name }) => name === this.#jobName(time));
    if (isThere || (lastScheduleTime && Date.parse(lastScheduleTime) / 1000 === time)) return false;
    if (concurrencyPolicy !== 'Forbid' || this.#active.length === 0) return true;
    const message = 'Not starting job because prior execution is running and concurrency policy is Forbid';
    this.#recordEvent('Normal', 'JobAlreadyActive', message);
    return false;
  }

  async #startFor(time: number): Promise<void> {
    if (this.cronJob.spec?.concurrencyPolicy === 'Replace') await this.#deleteActive();
    const job = await this.#create(time);
    if (job === undefined) return;
    this.#status.active = [...this.#active, defined(referenceTo(job))];
    this.#status.lastScheduleTime = timeText(time * 1000);
    this.isChanged = true;
  }

  async #deleteActive(): Promise<void> {
    for (const { namespace = '', name = '' } of this.#active) {
      const job = this.#options.jobClient.get(namespace, name);
      if (job === undefined) {
        this.#recordEvent('Warning', 'FailedGet', `Get job: jobs.batch ${quote(name)} not found`);
        throw new Error(`jobs.batch ${quote(name)} not found`);
      }
      if (!(await this.#delete(job))) throw new Error(`could not replace job ${namespace}/${name}`);
    }
  }

  /** Resolves to undefined if the job's name belongs to another owner's job, or to a known one. */
  async #create(time: number): Promise<Job | undefined> {
    const { metadata, spec } = this.cronJob;
    const { namespace = '' } = metadata;
    const { metadata: template, spec: jobSpec } = spec?.jobTemplate ?? {};
    const name = this.#jobName(time);
    const timestamp = rfc3339(time, timeZone(spec?.timeZone ?? ''));
    const job = {
      metadata: {
        name,
        namespace,
        labels: { ...template?.labels },
        annotations: { ...template?.annotations, [scheduledTimestampAnnotation]: timestamp },
        ownerReferences: [newControllerRef(this.cronJob, { apiVersion: 'batch/v1', kind: 'CronJob' })],
      },
      ...defined({ spec: jobSpec }),
    };
    try {
      const created = await this.#options.jobClient.create(job);
      this.#recordEvent('Normal', 'SuccessfulCreate', `Created job ${name}`);
      return created;
    } catch (error) {
      if (isStatusError(error) && error.status.reason === 'AlreadyExists') return this.#existing(namespace, name);
      if (!isNamespaceTerminating(error)) this.#recordEvent('Warning', 'FailedCreate', `Error creating job: ${textOf(error)}`);
      throw error;
    }
  }

  /** Returns a job that was created before but not recorded in the status. */
  #existing(namespace: string, name: string): Job | undefined {
    const job = this.#options.jobClient.get(namespace, name);
    if (job === undefined || controllerOf(job)?.uid !== this.cronJob.metadata.uid) return undefined;
    return this.#active.some(({ uid }) => uid === job.metadata.uid) ? undefined : job;
  }

  /** Resolves to whether the job was deleted. */
  async #delete({ metadata: { namespace = '', name = '', uid } }: Job): Promise<boolean> {
    try {
      await this.#options.jobClient.delete(namespace, name, { propagationPolicy: 'Background' });
    } catch (error) {
      this.#recordEvent('Warning', 'FailedDelete', `Deleted job: ${textOf(error)}`);
      return false;
    }
    this.#removeActive(uid);
    this.isChanged = true;
    this.#recordEvent('Normal', 'SuccessfulDelete', `Deleted job ${name}`);
    return true;
  }

  #removeActive(uid: string | undefined): void {
    this.#status.active = this.#active.filter((one) => one.uid !== uid);
    this.isChanged = true;
  }

  /** Returns the job's name, which contains the time in minutes. (getJobName) */
  #jobName(time: number): string {
    return `${this.cronJob.metadata.name}-${Math.floor(time / 60)}`;
  }

  #recordEvent(type: 'Normal' | 'Warning', reason: string, message: string): undefined {
    this.#options.recorder.event(referenceTo(this.cronJob), { type, reason, message });
  }
}

/** Compares jobs by start time. Jobs that have not started come last. (byJobStartTime) */
function byStartTime(a: Job, b: Job): number {
  const [first, second] = [startOf(a), startOf(b)];
  if (first !== second) return first < second ? -1 : 1;
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;
}

const startOf = ({ status }: Job): number => (status?.startTime ? Date.parse(status.startTime) : Number.POSITIVE_INFINITY);

/** Returns `Mon, 02 Jan 2006 15:04:05 +0000`. (Go time.RFC1123Z) */
const rfc1123z = (seconds: number): string => new Date(seconds * 1000).toUTCString().replace('GMT', '+0000');
