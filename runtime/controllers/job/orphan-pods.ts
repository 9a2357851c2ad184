import type { Job } from '../../../generated/v1.35/batch/v1/types.ts';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { ObjectKey } from '../../machinery/object-key.ts';
import { byController } from '../../reconcile/informers/index-by.ts';
import type { SharedInformer } from '../../reconcile/informers/shared-informer.ts';
import type { ObjectQueue } from '../../reconcile/queue-controller.ts';
import type { SyncResult } from '../../reconcile/work-queue.ts';
import { controllerOf } from '../controller-ref-manager.ts';
import { isJobFinished } from './job-conditions.ts';
import { hasTrackingFinalizer } from './job-pod-states.ts';
import type { JobPods } from './job-pods.ts';
import { isManagedElsewhere } from './job-sync.ts';

export interface OrphanPodsOptions {
  readonly jobs: SharedInformer<Job>;
  readonly pods: SharedInformer<Pod>;
  readonly jobPods: JobPods;
}

/**
 * Removes the finalizer of pods without a job that counts them. (pkg/controller/job/job_controller.go syncOrphanPod)
 */
export class OrphanPods {
  readonly #options: OrphanPodsOptions;

  constructor(options: OrphanPodsOptions) {
    this.#options = options;
  }

  enqueueFrom(queue: ObjectQueue): void {
    const { jobs, pods } = this.#options;
    const enqueue = (pod: Pod): void => {
      if (hasTrackingFinalizer(pod) && (pod.metadata.deletionTimestamp || controllerOf(pod) === undefined)) queue.addObject(pod);
    };
    const enqueuePodsOf = ({ metadata: { uid = '' } }: Job): void => {
      for (const pod of pods.index(byController).of(uid)) if (hasTrackingFinalizer(pod)) queue.addObject(pod);
    };
    const enqueueFinished = (job: Job): void => {
      if (isJobFinished(job)) enqueuePodsOf(job);
    };
    pods.addEventHandler({ onAdd: enqueue, onUpdate: (_before, after) => enqueue(after) });
    jobs.addEventHandler({
      onAdd: enqueueFinished,
      onUpdate: (_before, after) => enqueueFinished(after),
      onDelete: enqueuePodsOf,
    });
  }

  async sync({ namespace, name }: ObjectKey): Promise<SyncResult> {
    const pod = this.#options.pods.get(namespace, name);
    if (pod !== undefined && hasTrackingFinalizer(pod) && this.#isOrphan(pod)) await this.#options.jobPods.removeFinalizer(pod);
    return 'done';
  }

  #isOrphan(pod: Pod): boolean {
    const owner = controllerOf(pod);
    if (owner === undefined) return true;
    if (owner.kind !== 'Job' || owner.apiVersion !== 'batch/v1') return false;
    const job = this.#options.jobs.get(pod.metadata.namespace ?? '', owner.name);
    if (job?.metadata.uid !== owner.uid) return true;
    return !isManagedElsewhere(job) && isJobFinished(job);
  }
}
