import type { CronJob, Job } from '../../../generated/v1.35/batch/v1/types.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { writerOfController } from '../../reconcile/controller-writer.ts';
import { EventRecorder, referenceTo } from '../../reconcile/events/event-recorder.ts';
import type { IndexFunction } from '../../reconcile/informers/index-by.ts';
import { type ObjectQueue, QueueController } from '../../reconcile/queue-controller.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import type { ControllerContext } from '../controller-context.ts';
import { controllerOf } from '../controller-ref-manager.ts';
import { CronJobSync, scheduleOf } from './cron-job-sync.ts';
import { untilNextSchedule } from './missed-schedules.ts';

const cronJobs = { group: 'batch', version: 'v1', resource: 'cronjobs' };
const jobs = { group: 'batch', version: 'v1', resource: 'jobs' };
const name = 'cronjob-controller';

const byUid: IndexFunction<CronJob> = ({ metadata: { uid = '' } }) => [uid];

/** Starts jobs on schedule. Schedules without a time zone are in UTC. (pkg/controller/cronjob) */
export function cronJobController(context: Pick<ControllerContext, 'stores' | 'informers' | 'logger'>): Controller {
  const { stores, informers } = context;
  return new QueueController({
    context,
    name,
    async open(queue) {
      const writer = writerOfController(name);
      const recorder = new EventRecorder(stores, name, writer);
      const cronJobInformer = await informers.of<CronJob>(cronJobs);
      const jobInformer = await informers.of<Job>(jobs);
      const sync = new CronJobSync({
        clock: stores.clock,
        cronJobs: cronJobInformer,
        jobs: jobInformer,
        recorder,
        cronJobClient: await LoopbackClient.open<CronJob>(stores, cronJobs, writer),
        jobClient: await LoopbackClient.open<Job>(stores, jobs, writer),
      });
      cronJobInformer.addEventHandler({
        onAdd: (cronJob) => queue.addObject(cronJob),
        onUpdate(before, after) {
          if (isSameSchedule(before, after)) queue.addObject(after);
          else enqueueForSchedule(after, queue, { now: stores.clock.now() / 1000, recorder });
        },
      });
      const owners = cronJobInformer.index(byUid);
      const enqueueOwner = (job: Job): void => {
        const owner = controllerOf(job);
        if (owner?.kind === 'CronJob') for (const cronJob of owners.of(owner.uid)) queue.addObject(cronJob);
      };
      jobInformer.addEventHandler({
        onAdd: enqueueOwner,
        onUpdate(before, after) {
          if (controllerOf(before)?.uid !== controllerOf(after)?.uid) enqueueOwner(before);
          enqueueOwner(after);
        },
        onDelete: enqueueOwner,
      });
      return (key) => sync.sync(key);
    },
  });
}

const isSameSchedule = (before: CronJob, after: CronJob): boolean =>
  before.spec?.schedule === after.spec?.schedule && before.spec?.timeZone === after.spec?.timeZone;

/** Queues a cron job with a changed schedule for its next time. (updateCronJob) */
function enqueueForSchedule(
  cronJob: CronJob,
  queue: ObjectQueue,
  { now, recorder }: { readonly now: number; readonly recorder: EventRecorder },
): void {
  const schedule = scheduleOf(cronJob);
  if (typeof schedule === 'string') {
    const message = `unparseable schedule for cronjob: ${cronJob.spec?.schedule}`;
    recorder.event(referenceTo(cronJob), { type: 'Warning', reason: 'UnParseableCronJobSchedule', message });
    return;
  }
  const { namespace = '', name: cronJobName = '' } = cronJob.metadata;
  const wait = Math.max(0, untilNextSchedule(cronJob, now, schedule) * 1000);
  queue.addAfter({ namespace, name: cronJobName }, wait);
}
