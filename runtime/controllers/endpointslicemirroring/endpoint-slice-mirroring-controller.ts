import type { Endpoints, Service } from '../../../generated/v1.35/core/v1/types.ts';
import type { EndpointSlice } from '../../../generated/v1.35/discovery.k8s.io/v1/types.ts';
import type { ObjectKey } from '../../machinery/object-key.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { writerOfController } from '../../reconcile/controller-writer.ts';
import { EventRecorder } from '../../reconcile/events/event-recorder.ts';
import type { IndexFunction } from '../../reconcile/informers/index-by.ts';
import type { SharedInformer } from '../../reconcile/informers/shared-informer.ts';
import { type ObjectQueue, QueueController } from '../../reconcile/queue-controller.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import type { WorkloadContext } from '../controller-context.ts';
import { electsLeader } from '../endpoint/elects-leader.ts';
import { endpointSlices, managedByLabel, serviceNameLabel } from '../endpointslice/slice-metadata.ts';
import { Mirror } from './mirror.ts';
import { managerName } from './mirrored-slice.ts';

const core = { group: '', version: 'v1' };
const skipMirrorLabel = 'endpointslice.kubernetes.io/skip-mirror';

const serviceAccount = 'endpointslicemirroring-controller';
const component = 'endpoint-slice-mirroring-controller';

const isManaged = ({ metadata }: EndpointSlice): boolean => metadata.labels?.[managedByLabel] === managerName;

/** Returns the Endpoints that a slice mirrors. */
const byEndpoints: IndexFunction<EndpointSlice> = (slice) => {
  const { namespace, labels } = slice.metadata;
  return isManaged(slice) ? [`${namespace}/${labels?.[serviceNameLabel] ?? ''}`] : [];
};

const shouldMirror = (endpoints: Endpoints): boolean => endpoints.metadata.labels?.[skipMirrorLabel] !== 'true' && !electsLeader(endpoints);

const hasSelector = ({ spec }: Service): boolean => Object.keys(spec?.selector ?? {}).length > 0;

/**
 * Keeps EndpointSlices for Endpoints that other clients write for services without a selector.
 * (pkg/controller/endpointslicemirroring/endpointslicemirroring_controller.go)
 */
export function endpointSliceMirroringController(context: WorkloadContext): Controller {
  const { stores, informers } = context;
  return new QueueController({
    context,
    name: 'endpointslice-mirroring-controller',
    maxDelay: 100_000,
    async open(queue) {
      const services = await informers.of<Service>({ ...core, resource: 'services' });
      const endpoints = await informers.of<Endpoints>({ ...core, resource: 'endpoints' });
      const slices = await informers.of<EndpointSlice>(endpointSlices);
      const writer = writerOfController(serviceAccount);
      const recorder = new EventRecorder(stores, component, writer);
      const mirror = new Mirror(await LoopbackClient.open(stores, endpointSlices, writer), recorder);
      const mirrors = slices.index(byEndpoints);
      enqueueServices(services, queue);
      enqueueEndpoints(endpoints, queue);
      enqueueOwnersOfSlices(slices, queue);
      return async ({ namespace, name }: ObjectKey) => {
        const source = endpoints.get(namespace, name);
        const service = services.get(namespace, name);
        const existing = [...mirrors.of(`${namespace}/${name}`)];
        if (source === undefined || !shouldMirror(source) || service === undefined || hasSelector(service)) {
          await mirror.deleteAll(existing);
        } else await mirror.reconcile(source, existing);
        return 'done';
      };
    },
  });
}

function enqueueServices(services: SharedInformer<Service>, queue: ObjectQueue): void {
  const enqueue = (service: Service): void => {
    if (!hasSelector(service)) queue.addObject(service);
  };
  services.addEventHandler({
    onAdd: enqueue,
    onUpdate: (before, after) => {
      if (hasSelector(before) !== hasSelector(after)) queue.addObject(after);
    },
    onDelete: enqueue,
  });
}

function enqueueEndpoints(endpoints: SharedInformer<Endpoints>, queue: ObjectQueue): void {
  const enqueue = (...states: readonly Endpoints[]): void => {
    for (const state of states.some(shouldMirror) ? states : []) queue.addObject(state);
  };
  endpoints.addEventHandler({ onAdd: enqueue, onUpdate: enqueue, onDelete: enqueue });
}

function enqueueOwnersOfSlices(slices: SharedInformer<EndpointSlice>, queue: ObjectQueue): void {
  const enqueue = (...states: readonly EndpointSlice[]): void => {
    if (!states.some(isManaged)) return;
    for (const { metadata } of states) {
      const { namespace = '', labels } = metadata;
      const name = labels?.[serviceNameLabel];
      if (name) queue.add({ namespace, name });
    }
  };
  slices.addEventHandler({ onAdd: enqueue, onUpdate: enqueue, onDelete: enqueue });
}
