import type { IPAddress, ServiceCIDR } from '../../../generated/v1.35/networking.k8s.io/v1/types.ts';
import { isManagedByAllocator } from '../../kinds/networking.k8s.io/ip-address.ts';
import { readyCondition } from '../../kinds/networking.k8s.io/service-cidr.ts';
import { ServiceCIDRList } from '../../kinds/networking.k8s.io/service-cidr-list.ts';
import { hasStatusCode } from '../../machinery/errors/status.ts';
import { TimeSlice } from '../../machinery/event-loop/yield.ts';
import { parseAddressSloppy } from '../../machinery/scalars/netip.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { writerOfController } from '../../reconcile/controller-writer.ts';
import { type SyncResult, WorkQueue } from '../../reconcile/work-queue.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { ObjectEvent, StoredObject } from '../../storage/object-store/contract.ts';
import type { ControllerContext } from '../controller-context.ts';

const controllerName = 'service-cidr-controller';
const group = 'networking.k8s.io';
const finalizer = 'networking.k8s.io/service-cidr-finalizer';
/** Milliseconds for allocators to notice a terminating ServiceCIDR. */
const deletionGracePeriod = 10_000;

/**
 * Sets the condition of ServiceCIDRs, and keeps terminating ones while services have their addresses. (kubernetes
 * pkg/controller/servicecidrs)
 */
export class ServiceCIDRsController implements Controller {
  readonly #stores: ResourceStores;
  readonly #queue: WorkQueue<string>;
  readonly #list = new ServiceCIDRList();
  readonly #stops: (() => void)[] = [];
  #serviceCIDRs: LoopbackClient<ServiceCIDR> | undefined;
  #addresses: LoopbackClient<IPAddress> | undefined;
  #closed = false;

  constructor({ stores, logger }: ControllerContext) {
    this.#stores = stores;
    this.#queue = new WorkQueue({
      clock: stores.clock,
      concurrency: 5,
      keyOf: (name) => name,
      work: (name) => this.#sync(name),
      report: (err) => logger.error({ err }, 'a ServiceCIDR could not be synced, which will be retried'),
    });
  }

  async start(): Promise<void> {
    const stores = this.#stores;
    if (!stores.serves(group, 'v1', 'servicecidrs') || !stores.serves(group, 'v1', 'ipaddresses')) return;
    const writer = writerOfController('service-cidrs-controller');
    const open = (resource: string) => LoopbackClient.open(stores, { group, version: 'v1', resource }, writer);
    const [serviceCIDRs, addresses] = await Promise.all([open('servicecidrs'), open('ipaddresses')]);
    if (this.#closed) return;
    this.#serviceCIDRs = serviceCIDRs as LoopbackClient<ServiceCIDR>;
    this.#addresses = addresses as LoopbackClient<IPAddress>;
    const snapshot = serviceCIDRs.collection.latest();
    for (const stored of snapshot.scan()) this.#list.set(stored.decode() as ServiceCIDR);
    this.#stops.push(
      serviceCIDRs.collection.watch({ after: snapshot.revision, onEvent: (event) => this.#onServiceCIDR(event) }),
      addresses.collection.watch({
        after: addresses.collection.latest().revision,
        onEvent: ({ type, object }) => {
          if (type !== 'MODIFIED') this.#onAddress(object);
        },
      }),
    );
    await this.#syncAll(snapshot.scan());
  }

  /** Resolves when the existing ServiceCIDRs have their finalizer and condition. Failures are left to the queue. */
  async #syncAll(names: Iterable<StoredObject>): Promise<void> {
    for (const { name } of names) {
      const result = await this.#sync(name).catch(() => 'retry' as const);
      if (result === 'retry') this.#queue.add(name);
      else if (result !== 'done') this.#queue.addAfter(name, result);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const stop of this.#stops) stop();
    await this.#queue.close();
  }

  #onServiceCIDR({ type, object }: ObjectEvent): void {
    if (type === 'DELETED') this.#list.delete(object.name);
    else if (type === 'ADDED') this.#add(object);
    else this.#list.set(object.decode() as ServiceCIDR);
    this.#queue.add(object.name);
  }

  /** Queues a ServiceCIDR. A new one may free terminating ones. */
  #add(stored: StoredObject): void {
    const serviceCIDR: ServiceCIDR = stored.decode();
    this.#list.set(serviceCIDR);
    this.#queue.add(stored.name);
    for (const name of this.#list.overlapping(serviceCIDR.spec?.cidrs)) this.#queue.add(name);
  }

  #onAddress({ name, labels }: StoredObject): void {
    const address = isManagedByAllocator(labels) ? parseAddressSloppy(name) : undefined;
    if (address === undefined) return;
    for (const containing of this.#list.containing(address)) this.#queue.add(containing);
  }

  async #sync(name: string): Promise<SyncResult> {
    const serviceCIDR = this.#serviceCIDRs?.get('', name);
    if (serviceCIDR === undefined) return 'done';
    try {
      if (serviceCIDR.metadata.deletionTimestamp) return await this.#syncDeleted(serviceCIDR);
      await this.#addFinalizer(serviceCIDR);
      await this.#setCondition(serviceCIDR, { status: 'True', message: 'Kubernetes Service CIDR is ready' });
      return 'done';
    } catch (error) {
      // it is gone, or another write was faster: an event will follow
      if (hasStatusCode(error, 404, 409)) return 'done';
      throw error;
    }
  }

  async #syncDeleted(serviceCIDR: ServiceCIDR): Promise<SyncResult> {
    const { metadata } = serviceCIDR;
    if (!(await this.#canDelete(serviceCIDR))) {
      await this.#setCondition(serviceCIDR, {
        status: 'False',
        reason: 'Terminating',
        message: 'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR',
      });
      return 'done';
    }
    const remaining = deletionGracePeriod - (this.#stores.clock.now() - Date.parse(metadata.deletionTimestamp ?? ''));
    if (remaining > 0) return remaining;
    if (!metadata.finalizers?.includes(finalizer)) return 'done';
    const { name = '' } = metadata;
    await this.#serviceCIDRs?.change({ namespace: '', name }, (current) => {
      const finalizers = (current.metadata.finalizers ?? []).filter((one) => one !== finalizer);
      return { ...current, metadata: { ...current.metadata, finalizers } };
    });
    return 'done';
  }

  /** Reports whether all addresses in use are part of another ServiceCIDR. (canDeleteCIDR) */
  async #canDelete({ metadata: { name = '' }, spec }: ServiceCIDR): Promise<boolean> {
    if (this.#list.hasParents(name, spec?.cidrs)) return true;
    const slice = new TimeSlice();
    for (const stored of this.#addresses?.collection.latest().scan() ?? []) {
      if (slice.isOver) await slice.next();
      const address = isManagedByAllocator(stored.labels) ? parseAddressSloppy(stored.name) : undefined;
      const containing = address === undefined ? [] : this.#list.containing(address);
      if (containing.length === 1 && containing[0] === name) return false;
    }
    return true;
  }

  async #addFinalizer({ metadata: { name = '', finalizers = [] } }: ServiceCIDR): Promise<void> {
    if (finalizers.includes(finalizer)) return;
    await this.#serviceCIDRs?.change({ namespace: '', name }, (current) => ({
      ...current,
      metadata: { ...current.metadata, finalizers: [...(current.metadata.finalizers ?? []), finalizer] },
    }));
  }

  async #setCondition(
    { metadata: { name = '' }, status }: ServiceCIDR,
    wanted: { readonly status: string; readonly reason?: string; readonly message: string },
  ): Promise<void> {
    const { reason = '' } = wanted;
    const current = status?.conditions?.find(({ type }) => type === readyCondition);
    if (current?.status === wanted.status && current.reason === reason && current.message === wanted.message) return;
    const lastTransitionTime = timeText(this.#stores.clock.now());
    const condition = { type: readyCondition, ...wanted, reason, lastTransitionTime };
    const config = { metadata: { name }, status: { conditions: [condition] } };
    await this.#serviceCIDRs?.apply(config, controllerName, 'status');
  }
}
