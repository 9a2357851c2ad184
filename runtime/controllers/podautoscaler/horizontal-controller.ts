import type { HorizontalPodAutoscaler } from '../../../generated/v1.35/autoscaling/v2/types.ts';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { objectKeyOf } from '../../machinery/object-key.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { writerOfController } from '../../reconcile/controller-writer.ts';
import { EventRecorder } from '../../reconcile/events/event-recorder.ts';
import { QueueController } from '../../reconcile/queue-controller.ts';
import { noRemoteResources } from '../../reconcile/remote-resources.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import type { ControllerContext, WorkloadContext } from '../controller-context.ts';
import { AutoscalerSelectors } from './autoscaler-selectors.ts';
import { MetricComputation } from './metric-computation.ts';
import { type AskRemote, MetricsClient } from './metrics-client.ts';
import { HorizontalReconciler } from './reconciler.ts';
import { ReplicaCalculator } from './replica-calculator.ts';
import { ScaleTargets } from './scale-target.ts';

const name = 'horizontal-pod-autoscaler-controller';
const serviceAccount = 'horizontal-pod-autoscaler';
const autoscalerResource = { group: 'autoscaling', version: 'v2', resource: 'horizontalpodautoscalers' };

/** Milliseconds between syncs of an autoscaler. (--horizontal-pod-autoscaler-sync-period) */
const syncPeriod = 15_000;

/** Scales workloads by their metrics. (pkg/controller/podautoscaler) @param ask reads metrics from other servers */
export function horizontalController(
  context: WorkloadContext & Pick<ControllerContext, 'remoteResources'>,
  ask: AskRemote = askAggregated(context),
): Controller {
  const { stores, informers } = context;
  return new QueueController({
    context,
    name,
    async open(queue) {
      const writer = writerOfController(serviceAccount);
      const known = await informers.of<HorizontalPodAutoscaler>(autoscalerResource);
      const targets = new ScaleTargets(stores, writer);
      const selectors = new AutoscalerSelectors();
      const reconciler = new HorizontalReconciler({
        clock: stores.clock,
        targets,
        selectors,
        recorder: new EventRecorder(stores, serviceAccount, writer),
        pods: await informers.of<Pod>({ group: '', version: 'v1', resource: 'pods' }),
        autoscalers: await LoopbackClient.open<HorizontalPodAutoscaler>(stores, autoscalerResource, writer),
        computation: new MetricComputation({
          client: new MetricsClient(ask),
          calculator: new ReplicaCalculator(stores.clock),
          targets,
        }),
      });
      known.addEventHandler({
        onAdd(autoscaler) {
          selectors.add(objectKeyOf(autoscaler));
          queue.addObject(autoscaler);
        },
        onUpdate(before, after) {
          if (before.metadata.generation !== after.metadata.generation) queue.addObject(after);
        },
        onDelete(autoscaler) {
          selectors.delete(objectKeyOf(autoscaler));
          reconciler.forget(autoscaler.metadata.uid ?? '');
        },
      });
      return async (key) => {
        const autoscaler = known.get(key.namespace, key.name);
        if (autoscaler === undefined) return 'done';
        await reconciler.run(autoscaler);
        return syncPeriod;
      };
    },
  });
}

/** Returns a function that sends requests to the servers of APIServices. */
function askAggregated({ remoteResources }: Pick<ControllerContext, 'remoteResources'>): AskRemote {
  const { user } = writerOfController(serviceAccount);
  return (groupVersion, read) => (remoteResources ?? noRemoteResources).get(groupVersion, read, user);
}
