import type { Job } from '../../../generated/v1.35/batch/v1/types.ts';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { writerOfController } from '../../reconcile/controller-writer.ts';
import { EventRecorder } from '../../reconcile/events/event-recorder.ts';
import { QueueController } from '../../reconcile/queue-controller.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import type { ControllerContext } from '../controller-context.ts';
import { PodControl } from '../pod-control/pod-control.ts';
import { JobPods } from './job-pods.ts';
import { enqueueJobs } from './job-queue.ts';
import { JobSync } from './job-sync.ts';
import { OrphanPods } from './orphan-pods.ts';

const jobs = { group: 'batch', version: 'v1', resource: 'jobs' };
const pods = { group: '', version: 'v1', resource: 'pods' };
const name = 'job-controller';
/** (MaxJobApiBackOff) */
const maxDelay = 60_000;

/** Runs pods until enough have succeeded. (pkg/controller/job) */
export function jobController(context: Pick<ControllerContext, 'stores' | 'informers' | 'logger'>): Controller {
  const controllers = [jobsController(context), orphanPodsController(context)];
  return {
    start: async () => void (await Promise.all(controllers.map((one) => one.start()))),
    close: async () => void (await Promise.all(controllers.map((one) => one.close()))),
  };
}

type Context = Pick<ControllerContext, 'stores' | 'informers' | 'logger'>;

function jobsController(context: Context): Controller {
  return new QueueController({
    context,
    name,
    maxDelay,
    async open(queue) {
      const { stores } = context;
      const opened = await open(context);
      const jobClient = await LoopbackClient.open<Job>(stores, jobs, opened.writer);
      const sync = new JobSync({ clock: stores.clock, queue, jobClient, ...opened });
      enqueueJobs(opened.jobs, opened.pods, queue);
      opened.jobs.addEventHandler({ onDelete: (job) => sync.forget(job) });
      return (key) => sync.sync(key);
    },
  });
}

function orphanPodsController(context: Context): Controller {
  return new QueueController({
    context,
    name,
    maxDelay,
    async open(queue) {
      const orphans = new OrphanPods(await open(context));
      orphans.enqueueFrom(queue);
      return (key) => orphans.sync(key);
    },
  });
}

async function open({ stores, informers }: Context) {
  const writer = writerOfController(name);
  const podClient = await LoopbackClient.open<Pod>(stores, pods, writer);
  const recorder = new EventRecorder(stores, name, writer);
  const podControl = new PodControl(podClient, recorder);
  return {
    writer,
    podClient,
    recorder,
    jobPods: new JobPods({ clock: stores.clock, podControl, pods: podClient }),
    jobs: await informers.of<Job>(jobs),
    pods: await informers.of<Pod>(pods),
  };
}
