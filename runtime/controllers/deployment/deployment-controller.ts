import type { Deployment, ReplicaSet } from '../../../generated/v1.35/apps/v1/types.ts';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { writerOfController } from '../../reconcile/controller-writer.ts';
import { EventRecorder } from '../../reconcile/events/event-recorder.ts';
import { QueueController } from '../../reconcile/queue-controller.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import type { WorkloadContext } from '../controller-context.ts';
import { enqueueControllers } from '../enqueue-controllers.ts';
import { DeploymentReconciler } from './deployment-reconciler.ts';
import { enqueueRecreated } from './recreate.ts';

const name = 'deployment-controller';
const deployments = { group: 'apps', version: 'v1', resource: 'deployments' };
const replicaSets = { group: 'apps', version: 'v1', resource: 'replicasets' };
const pods = { group: '', version: 'v1', resource: 'pods' };

/** Rolls out deployments by scaling ReplicaSets, one for each template. (pkg/controller/deployment) */
export function deploymentController(context: WorkloadContext): Controller {
  const { stores, informers } = context;
  return new QueueController({
    context,
    name,
    async open(queue) {
      const writer = writerOfController(name);
      const known = {
        deployments: await informers.of<Deployment>(deployments),
        replicaSets: await informers.of<ReplicaSet>(replicaSets),
        pods: await informers.of<Pod>(pods),
      };
      const reconciler = new DeploymentReconciler(known, {
        clock: stores.clock,
        pods: known.pods,
        recorder: new EventRecorder(stores, name, writer),
        deployments: await LoopbackClient.open<Deployment>(stores, deployments, writer),
        replicaSets: await LoopbackClient.open<ReplicaSet>(stores, replicaSets, writer),
      });
      known.deployments.addEventHandler({
        onAdd: (deployment) => queue.addObject(deployment),
        onUpdate: (_before, after) => queue.addObject(after),
      });
      const selectorOf = ({ spec }: Deployment) => spec?.selector;
      enqueueControllers(known.replicaSets, { kind: 'Deployment', owners: known.deployments, queue, selectorOf });
      enqueueRecreated(known, queue);
      return (key) => reconciler.sync(key);
    },
  });
}
