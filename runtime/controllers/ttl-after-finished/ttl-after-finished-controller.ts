import type { Job } from '../../../generated/v1.35/batch/v1/types.ts';
import { defined } from '../../machinery/json/defined.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { writerOfController } from '../../reconcile/controller-writer.ts';
import { QueueController } from '../../reconcile/queue-controller.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import type { ControllerContext } from '../controller-context.ts';
import { jobFinishedCondition } from '../job/job-conditions.ts';

const jobs = { group: 'batch', version: 'v1', resource: 'jobs' };

/** Deletes jobs some time after they have finished. (pkg/controller/ttlafterfinished) */
export function ttlAfterFinishedController(context: Pick<ControllerContext, 'stores' | 'informers' | 'logger'>): Controller {
  const { stores, informers } = context;
  return new QueueController({
    context,
    name: 'ttl-after-finished-controller',
    async open(queue) {
      const informer = await informers.of<Job>(jobs);
      const client = await LoopbackClient.open<Job>(stores, jobs, writerOfController('ttl-after-finished-controller'));
      const enqueue = (job: Job): void => {
        if (expiryOf(job) !== undefined) queue.addObject(job);
      };
      informer.addEventHandler({ onAdd: enqueue, onUpdate: (_before, after) => enqueue(after) });
      return async ({ namespace, name }) => {
        const job = informer.get(namespace, name);
        const expiry = job && expiryOf(job);
        if (expiry === undefined) return 'done';
        const remaining = expiry - stores.clock.now();
        if (remaining > 0) return remaining;
        await client.delete(namespace, name, defined({ uid: job?.metadata.uid, propagationPolicy: 'Foreground' as const }));
        return 'done';
      };
    },
  });
}

/** Returns the time at which a job is deleted, in milliseconds; undefined if it is kept. */
function expiryOf(job: Job): number | undefined {
  const ttl = job.spec?.ttlSecondsAfterFinished;
  const finished = jobFinishedCondition(job);
  if (ttl === undefined || job.metadata.deletionTimestamp || !finished?.lastTransitionTime) return undefined;
  return Date.parse(finished.lastTransitionTime) + ttl * 1000;
}
