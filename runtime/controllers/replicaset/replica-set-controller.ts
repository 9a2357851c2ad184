import type { ReplicaSet } from '../../../generated/v1.35/apps/v1/types.ts';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { writerOfController } from '../../reconcile/controller-writer.ts';
import { EventRecorder } from '../../reconcile/events/event-recorder.ts';
import { QueueController } from '../../reconcile/queue-controller.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import type { WorkloadContext } from '../controller-context.ts';
import { enqueueControllers } from '../enqueue-controllers.ts';
import { PodControl } from '../pod-control/pod-control.ts';
import { isPodActive, isPodTerminating, isReadinessChanged } from '../pod-control/pod-states.ts';
import type { ReplicaSetKind, ReplicaSetLike } from './replica-set-kind.ts';
import { ReplicaSetSync } from './replica-set-sync.ts';

const pods = { group: '', version: 'v1', resource: 'pods' };

const replicaSets: ReplicaSetKind = {
  resource: { group: 'apps', version: 'v1', resource: 'replicasets' },
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  controllerName: 'replicaset-controller',
  component: 'replicaset-controller',
  selectorOf: ({ spec }: ReplicaSet) => spec?.selector,
  countsTerminating: true,
};

/** Maintains the number of pods of ReplicaSets. (pkg/controller/replicaset) */
export const replicaSetController = (context: WorkloadContext): Controller => newBaseController(context, replicaSets);

/** Maintains the replicas of a kind. (NewBaseController) */
export function newBaseController(context: WorkloadContext, kind: ReplicaSetKind): Controller {
  const { stores, informers } = context;
  return new QueueController({
    context,
    name: kind.controllerName,
    async open(queue) {
      const writer = writerOfController(kind.component);
      const sets = await informers.of<ReplicaSetLike>(kind.resource);
      const podInformer = await informers.of<Pod>(pods);
      const podClient = await LoopbackClient.open<Pod>(stores, pods, writer);
      const sync = new ReplicaSetSync({
        kind,
        sets,
        pods: podInformer,
        podClient,
        clock: stores.clock,
        setClient: await LoopbackClient.open<ReplicaSetLike>(stores, kind.resource, writer),
        podControl: new PodControl(podClient, new EventRecorder(stores, kind.component, writer)),
      });
      sets.addEventHandler({
        onAdd: (set) => queue.addObject(set),
        onUpdate: (_before, after) => queue.addObject(after),
      });
      enqueueControllers(podInformer, {
        kind: kind.kind,
        owners: sets,
        queue,
        matters,
        selectorOf: (set) => kind.selectorOf(set),
      });
      return (key) => sync.sync(key);
    },
  });
}

/** Reports whether a change of a pod affects the counts. Upstream syncs the owner after each change. */
function matters(before: Pod, after: Pod): boolean {
  return (
    isPodActive(before) !== isPodActive(after) || isPodTerminating(before) !== isPodTerminating(after) || isReadinessChanged(before, after)
  );
}
