import type { Job } from '../../../generated/v1.35/batch/v1/types.ts';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { controllerUidLabel, legacyControllerUidLabel } from '../../kinds/batch/job-validation.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import type { OwnerReference } from '../../machinery/object.ts';
import { labelSelectorFromObject } from '../../machinery/selectors/label-selector.ts';
import { byController, type IndexFunction } from '../../reconcile/informers/index-by.ts';
import type { SharedInformer } from '../../reconcile/informers/shared-informer.ts';
import type { ObjectQueue } from '../../reconcile/queue-controller.ts';
import { controllerOf } from '../controller-ref-manager.ts';

/** The number of pods above which a job's sync waits for more pod changes, and the wait in milliseconds. */
const fewPods = 100;
const waitOfManyPods = (pods: number): number => Math.min(1000, pods / 10);

/** Returns the namespace of jobs with a manual selector. */
const byManualSelector: IndexFunction<Job> = ({ metadata, spec }) => (spec?.manualSelector ? [metadata.namespace ?? ''] : []);
const byUid: IndexFunction<Job> = ({ metadata: { uid = '' } }) => [uid];

/**
 * Queues the jobs that are affected by changes of jobs and pods. Upstream waits a second for more changes of pods
 * (SyncJobBatchPeriod); here only jobs with many pods wait. (pkg/controller/job/job_controller.go addPod, updatePod,
 * deletePod, updateJob)
 */
export function enqueueJobs(jobs: SharedInformer<Job>, pods: SharedInformer<Pod>, queue: ObjectQueue): void {
  const podsByController = pods.index(byController);
  const manual = jobs.index(byManualSelector);
  const jobsByUid = jobs.index(byUid);
  const enqueueBatched = (job: Job): void => {
    const { namespace = '', name = '', uid = '' } = job.metadata;
    const count = podsByController.count(uid);
    if (count <= fewPods) queue.add({ namespace, name });
    else queue.addAfter({ namespace, name }, waitOfManyPods(count));
  };
  const enqueueOwner = ({ kind, uid }: OwnerReference): void => {
    if (kind === 'Job') for (const job of jobsByUid.of(uid)) enqueueBatched(job);
  };
  const enqueueAdopters = ({ metadata: { namespace = '', labels = {} } }: Pod): void => {
    const uid = labels[controllerUidLabel] ?? labels[legacyControllerUidLabel];
    const candidates = [...manual.of(namespace), ...(uid === undefined ? [] : jobsByUid.of(uid))];
    for (const job of candidates) if (labelSelectorFromObject(job.spec?.selector).matches(labels)) enqueueBatched(job);
  };
  jobs.addEventHandler({
    onAdd: (job) => queue.addObject(job),
    onUpdate(before, after) {
      if (before.metadata.generation === after.metadata.generation) enqueueBatched(after);
      else queue.addObject(after);
    },
  });
  pods.addEventHandler({
    onAdd(pod) {
      const owner = controllerOf(pod);
      if (owner !== undefined) enqueueOwner(owner);
      else enqueueAdopters(pod);
    },
    onUpdate(before, after) {
      const [old, owner] = [controllerOf(before), controllerOf(after)];
      const isSame = old?.uid === owner?.uid;
      if (!isSame && old !== undefined) enqueueOwner(old);
      if (owner !== undefined) enqueueOwner(owner);
      else if (!isSame || !equalJson(before.metadata.labels, after.metadata.labels)) enqueueAdopters(after);
    },
    onDelete(pod) {
      const owner = controllerOf(pod);
      if (owner !== undefined) enqueueOwner(owner);
    },
  });
}
