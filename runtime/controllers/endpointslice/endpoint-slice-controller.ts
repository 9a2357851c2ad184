import type { Node, Pod, Service } from '../../../generated/v1.35/core/v1/types.ts';
import type { EndpointSlice } from '../../../generated/v1.35/discovery.k8s.io/v1/types.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { writerOfController } from '../../reconcile/controller-writer.ts';
import { EventRecorder, referenceTo } from '../../reconcile/events/event-recorder.ts';
import type { IndexFunction } from '../../reconcile/informers/index-by.ts';
import type { SharedInformer } from '../../reconcile/informers/shared-informer.ts';
import { type ObjectQueue, QueueController } from '../../reconcile/queue-controller.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import type { WorkloadContext } from '../controller-context.ts';
import { enqueueServicesOfPods, podsOfService } from '../service-pods/pod-endpoints.ts';
import { selectsPods } from '../service-pods/service-ports.ts';
import { TriggerTimeTracker } from '../service-pods/trigger-time-tracker.ts';
import { Reconciler } from './reconciler.ts';
import { endpointSlices, managedByLabel, managerName, serviceNameLabel } from './slice-metadata.ts';

const core = { group: '', version: 'v1' };

/** Milliseconds to wait after a slice changes, so that changes of several slices are handled together. */
const sliceChangeDelay = 1000;

/** Returns the service of a slice that this controller manages. */
const byService: IndexFunction<EndpointSlice> = ({ metadata: { namespace, labels } }) =>
  labels?.[managedByLabel] === managerName ? [`${namespace}/${labels[serviceNameLabel] ?? ''}`] : [];

/** Keeps the EndpointSlices of services with selectors. (pkg/controller/endpointslice) */
export function endpointSliceController(context: WorkloadContext): Controller {
  const { stores, informers } = context;
  return new QueueController({
    context,
    name: 'endpointslice-controller',
    async open(queue) {
      const services = await informers.of<Service>({ ...core, resource: 'services' });
      const pods = await informers.of<Pod>({ ...core, resource: 'pods' });
      const nodes = await informers.of<Node>({ ...core, resource: 'nodes' });
      const slices = await informers.of<EndpointSlice>(endpointSlices);
      const writer = writerOfController('endpointslice-controller');
      const recorder = new EventRecorder(stores, 'endpoint-slice-controller', writer);
      const reconciler = new Reconciler(await LoopbackClient.open(stores, endpointSlices, writer), nodes);
      const triggerTimes = new TriggerTimeTracker();
      const ofService = slices.index(byService);
      services.addEventHandler({
        onAdd: (service) => queue.addObject(service),
        onUpdate: (_, service) => queue.addObject(service),
        onDelete: (service) => queue.addObject(service),
      });
      enqueueServicesOfPods(pods, services, queue);
      enqueueServicesOfSlices(slices, queue);
      return async (key) => {
        const service = services.get(key.namespace, key.name);
        if (service === undefined) triggerTimes.forget(key);
        if (service === undefined || !selectsPods(service)) return 'done';
        const selected = podsOfService(service, pods);
        const existing = [...ofService.of(`${key.namespace}/${key.name}`)];
        try {
          await reconciler.reconcile({
            service,
            pods: selected,
            triggerTime: triggerTimes.compute(service, selected),
            slices: existing.filter(({ metadata }) => !metadata.deletionTimestamp),
          });
        } catch (error) {
          const message = `Error updating Endpoint Slices for Service ${key.namespace}/${key.name}: ${messageOf(error)}`;
          recorder.event(referenceTo(service), { type: 'Warning', reason: 'FailedToUpdateEndpointSlices', message });
          throw error;
        }
        return 'done';
      };
    },
  });
}

function enqueueServicesOfSlices(slices: SharedInformer<EndpointSlice>, queue: ObjectQueue): void {
  const enqueue = (...states: readonly EndpointSlice[]): void => {
    if (!states.some((slice) => byService(slice).length > 0)) return;
    for (const { metadata } of states) {
      const { namespace = '', labels } = metadata;
      const name = labels?.[serviceNameLabel];
      if (name) queue.addAfter({ namespace, name }, sliceChangeDelay);
    }
  };
  slices.addEventHandler({ onAdd: enqueue, onUpdate: enqueue, onDelete: enqueue });
}
