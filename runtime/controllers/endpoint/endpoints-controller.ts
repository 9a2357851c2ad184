import type { Endpoints, Pod, Service } from '../../../generated/v1.35/core/v1/types.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { hasStatusCode } from '../../machinery/errors/status.ts';
import { defined } from '../../machinery/json/defined.ts';
import { equalJson, semanticDeepEqual } from '../../machinery/json/equality.ts';
import type { ObjectKey } from '../../machinery/object-key.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { writerOfController } from '../../reconcile/controller-writer.ts';
import { EventRecorder, referenceTo } from '../../reconcile/events/event-recorder.ts';
import type { SharedInformer } from '../../reconcile/informers/shared-informer.ts';
import { QueueController } from '../../reconcile/queue-controller.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import type { WorkloadContext } from '../controller-context.ts';
import { isNamespaceTerminating } from '../pod-control/pod-control.ts';
import { enqueueServicesOfPods, podsOfService } from '../service-pods/pod-endpoints.ts';
import { isServiceIPSet, selectsPods } from '../service-pods/service-ports.ts';
import { TriggerTimeTracker, withTriggerTime } from '../service-pods/trigger-time-tracker.ts';
import { overCapacityAnnotation, truncatedSubsets } from './capacity.ts';
import { electsLeader } from './elects-leader.ts';
import { subsetsOf } from './subsets.ts';

const core = { group: '', version: 'v1' };
const managedByLabel = 'endpoints.kubernetes.io/managed-by';
const headlessLabel = 'service.kubernetes.io/headless';
const component = 'endpoint-controller';

/** Keeps the Endpoints of services with selectors, and deletes those of deleted services. (pkg/controller/endpoint) */
export function endpointsController(context: WorkloadContext): Controller {
  const { stores, informers } = context;
  return new QueueController({
    context,
    name: 'endpoints-controller',
    async open(queue) {
      const services = await informers.of<Service>({ ...core, resource: 'services' });
      const pods = await informers.of<Pod>({ ...core, resource: 'pods' });
      const endpoints = await informers.of<Endpoints>({ ...core, resource: 'endpoints' });
      const writer = writerOfController(component);
      const client = await LoopbackClient.open<Endpoints>(stores, { ...core, resource: 'endpoints' }, writer);
      const sync = new EndpointsSync({ services, pods, endpoints }, client, new EventRecorder(stores, component, writer));
      services.addEventHandler({
        onAdd: (service) => queue.addObject(service),
        onUpdate: (_, service) => queue.addObject(service),
        onDelete: (service) => queue.addObject(service),
      });
      enqueueServicesOfPods(pods, services, queue);
      // services may have been deleted before the start; Endpoints for leader election have none
      for (const one of endpoints.list()) if (!electsLeader(one)) queue.addObject(one);
      endpoints.addEventHandler({ onDelete: (last) => queue.addObject(last) });
      return async (key) => {
        await sync.run(key);
        return 'done';
      };
    },
  });
}

interface KnownObjects {
  readonly services: SharedInformer<Service>;
  readonly pods: SharedInformer<Pod>;
  readonly endpoints: SharedInformer<Endpoints>;
}

/** The sync of one service. (syncService) */
class EndpointsSync {
  readonly #known: KnownObjects;
  readonly #client: LoopbackClient<Endpoints>;
  readonly #recorder: EventRecorder;
  readonly #triggerTimes = new TriggerTimeTracker();

  constructor(known: KnownObjects, client: LoopbackClient<Endpoints>, recorder: EventRecorder) {
    this.#known = known;
    this.#client = client;
    this.#recorder = recorder;
  }

  async run(key: ObjectKey): Promise<void> {
    const { services, pods, endpoints } = this.#known;
    const service = services.get(key.namespace, key.name);
    const current = endpoints.get(key.namespace, key.name);
    if (service === undefined) {
      this.#triggerTimes.forget(key);
      if (current !== undefined) await this.#deleteLeftOver(key);
      return;
    }
    if (!selectsPods(service)) return;
    const selected = podsOfService(service, pods);
    const triggerTime = this.#triggerTimes.compute(service, selected);
    const subsets = subsetsOf(service, selected);
    if (current !== undefined && isUpToDate(current, service, subsets)) return;
    await this.#write(current, desiredEndpoints(current, service, subsets, triggerTime));
  }

  async #deleteLeftOver({ namespace, name }: ObjectKey): Promise<void> {
    try {
      await this.#client.delete(namespace, name);
    } catch (error) {
      if (!hasStatusCode(error, 404)) throw error;
    }
  }

  async #write(current: Endpoints | undefined, desired: Endpoints): Promise<void> {
    try {
      if (current === undefined) await this.#client.create(desired);
      else await this.#client.update(desired);
    } catch (error) {
      if (current === undefined && isNamespaceTerminating(error)) return;
      const { namespace, name } = desired.metadata;
      const [reason, what] = current
        ? ['FailedToUpdateEndpoint', 'update endpoint']
        : ['FailedToCreateEndpoint', 'create endpoint for service'];
      const message = `Failed to ${what} ${namespace}/${name}: ${messageOf(error)}`;
      this.#recorder.event(referenceTo({ apiVersion: 'v1', kind: 'Endpoints', ...desired }), {
        type: 'Warning',
        reason,
        message,
      });
      throw error;
    }
  }
}

function desiredEndpoints(
  current: Endpoints | undefined,
  service: Service,
  subsets: Endpoints['subsets'] & object,
  triggerTime: string | undefined,
): Endpoints {
  const { name, namespace, labels } = service.metadata;
  const { [overCapacityAnnotation]: _, ...annotations } = withTriggerTime(current?.metadata.annotations, triggerTime);
  const { [headlessLabel]: __, ...own } = labels ?? {};
  const truncated = truncatedSubsets(subsets);
  return {
    metadata: defined({
      ...(current?.metadata ?? { name, namespace }),
      labels: { ...own, ...(isServiceIPSet(service) ? {} : { [headlessLabel]: '' }), [managedByLabel]: component },
      annotations: truncated ? { ...annotations, [overCapacityAnnotation]: 'truncated' } : annotations,
    }),
    subsets: truncated ?? subsets,
  };
}

function isUpToDate({ metadata, subsets = [] }: Endpoints, service: Service, wanted: Endpoints['subsets']): boolean {
  const { [managedByLabel]: manager, [headlessLabel]: _, ...labels } = metadata.labels ?? {};
  const { [headlessLabel]: __, ...own } = service.metadata.labels ?? {};
  const isMarked = metadata.annotations?.[overCapacityAnnotation] !== undefined;
  return manager === component && equalJson(labels, own) && !isMarked && semanticDeepEqual(subsets, wanted);
}
