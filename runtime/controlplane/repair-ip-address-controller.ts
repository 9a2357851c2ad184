import type { Service } from '../../generated/v1.35/core/v1/types.ts';
import type { IPAddress, ServiceCIDR } from '../../generated/v1.35/networking.k8s.io/v1/types.ts';
import { hasAllocatorLabels, isManagedByAllocator, newIPAddress } from '../kinds/networking.k8s.io/ip-address.ts';
import { ServiceCIDRList } from '../kinds/networking.k8s.io/service-cidr-list.ts';
import { hasStatusCode } from '../machinery/errors/status.ts';
import { TimeSlice } from '../machinery/event-loop/yield.ts';
import { defined } from '../machinery/json/defined.ts';
import { type Address, addressText, parseAddressSloppy } from '../machinery/scalars/netip.ts';
import type { Controller } from '../reconcile/controller.ts';
import { PeriodicSync } from '../reconcile/periodic-sync.ts';
import { type SyncResult, WorkQueue } from '../reconcile/work-queue.ts';
import { LoopbackClient } from '../resources/loopback-client.ts';
import { loopbackWriter } from '../resources/loopback-writer.ts';
import type { StoredObject } from '../storage/object-store/contract.ts';
import type { ControlPlaneContext } from './context.ts';

/** Milliseconds between checks of all services and addresses. */
const interval = 180_000;
/** Milliseconds for which an address may lack its service, which is written after it. */
const gracePeriod = 60_000;
/**
 * Milliseconds for which an address may lack its service if one of that name exists. It may have another address when a
 * creation is about to fail.
 */
const revertPeriod = 5_000;

interface Item {
  readonly kind: 'service' | 'address';
  readonly namespace: string;
  readonly name: string;
}

/**
 * Creates missing IPAddresses for services' addresses, and deletes IPAddresses without a service.
 * (pkg/registry/core/service/ipallocator/controller RepairIPAddress)
 */
export class RepairIPAddressController implements Controller {
  readonly #context: ControlPlaneContext;
  readonly #queue: WorkQueue<Item>;
  readonly #periodic: PeriodicSync;
  readonly #stops: (() => void)[] = [];
  #services: LoopbackClient<Service> | undefined;
  #addresses: LoopbackClient<IPAddress> | undefined;
  #serviceCIDRs: LoopbackClient<ServiceCIDR> | undefined;
  #closed = false;

  constructor(context: ControlPlaneContext) {
    this.#context = context;
    const report = (err: unknown): void => context.logger.error({ err }, 'cluster IPs could not be repaired, which will be retried');
    this.#queue = new WorkQueue({
      clock: context.stores.clock,
      concurrency: 5,
      keyOf: ({ kind, namespace, name }) => `${kind} ${namespace}/${name}`,
      work: (item) => this.#sync(item),
      report,
    });
    this.#periodic = new PeriodicSync({
      clock: context.stores.clock,
      interval,
      sync: () => this.#checkAll(),
      report,
    });
  }

  /** Resolves when all services and addresses have been checked. */
  async start(): Promise<void> {
    const { stores } = this.#context;
    if (!stores.serves('', 'v1', 'services') || !stores.serves('networking.k8s.io', 'v1', 'ipaddresses')) return;
    const writer = loopbackWriter('kube-apiserver');
    const networking = { group: 'networking.k8s.io', version: 'v1' };
    const [services, addresses] = await Promise.all([
      LoopbackClient.open<Service>(stores, { group: '', version: 'v1', resource: 'services' }, writer),
      LoopbackClient.open<IPAddress>(stores, { ...networking, resource: 'ipaddresses' }, writer),
    ]);
    this.#services = services;
    this.#addresses = addresses;
    if (stores.serves(networking.group, networking.version, 'servicecidrs')) {
      const resource = { ...networking, resource: 'servicecidrs' };
      this.#serviceCIDRs = await LoopbackClient.open<ServiceCIDR>(stores, resource, writer);
    }
    const after = services.collection.latest().revision;
    await this.#periodic.start();
    if (this.#closed) return;
    this.#stops.push(
      services.collection.watch({ after, onEvent: ({ object }) => this.#queue.add(itemOf('service', object)) }),
      addresses.collection.watch({ after, onEvent: ({ object }) => this.#queue.add(itemOf('address', object)) }),
    );
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const stop of this.#stops) stop();
    await this.#periodic.close();
    await this.#queue.close();
  }

  async #checkAll(): Promise<void> {
    await this.#check('service', this.#services?.collection.latest().scan() ?? []);
    await this.#check('address', this.#addresses?.collection.latest().scan() ?? []);
  }

  async #check(kind: Item['kind'], objects: Iterable<StoredObject>): Promise<void> {
    const slice = new TimeSlice();
    for (const stored of objects) {
      if (this.#closed) return;
      if (slice.isOver) await slice.next();
      const item = itemOf(kind, stored);
      const result = await this.#sync(item);
      if (typeof result === 'number') this.#queue.addAfter(item, result);
    }
  }

  async #sync({ kind, namespace, name }: Item): Promise<SyncResult> {
    try {
      return await (kind === 'service' ? this.#syncService(namespace, name) : this.#syncAddress(name));
    } catch (error) {
      // another write came first: an event will follow
      if (hasStatusCode(error, 404, 409)) return 'done';
      throw error;
    }
  }

  /**
   * Repairs the addresses of a service. Addresses outside of all ranges, or of two services, are left to the service's
   * owner.
   */
  async #syncService(namespace: string, serviceName: string): Promise<SyncResult> {
    const service = this.#services?.get(namespace, serviceName);
    for (const parsed of service === undefined ? [] : clusterIPsOf(service)) {
      if (this.#isOutOfRange(parsed)) continue;
      const address = addressText(parsed);
      const ipAddress = this.#addresses?.get('', address);
      const parent = ipAddress?.spec?.parentRef;
      const wanted = newIPAddress(address, { namespace, name: serviceName });
      if (ipAddress === undefined) await this.#addresses?.createIfAbsent(wanted);
      else if (!parent || parent.group || parent.resource !== 'services') await this.#recreate(wanted);
      else if (parent.namespace !== namespace || parent.name !== serviceName) {
        if (this.#services?.get(parent.namespace ?? '', parent.name) === undefined) await this.#recreate(wanted);
        else this.#reportDuplicate(address, service as Service);
      } else if (!hasAllocatorLabels(ipAddress.metadata)) await this.#recreate(wanted);
    }
    return 'done';
  }

  #isOutOfRange(address: Address): boolean {
    const serviceCIDRs = this.#serviceCIDRs;
    return serviceCIDRs !== undefined && ServiceCIDRList.of(serviceCIDRs.list()).containing(address).length === 0;
  }

  async #recreate(wanted: ReturnType<typeof newIPAddress>): Promise<void> {
    await this.#addresses?.delete('', wanted.metadata.name ?? '');
    await this.#addresses?.create(wanted);
  }

  #reportDuplicate(address: string, { metadata: { namespace, name } }: Service): void {
    const { logger } = this.#context;
    logger.error({ address, namespace, name }, 'a cluster IP was assigned to multiple services; recreate one of them');
  }

  async #syncAddress(name: string): Promise<SyncResult> {
    const ipAddress = this.#addresses?.get('', name);
    if (ipAddress === undefined || !isManagedByAllocator(ipAddress.metadata.labels ?? {})) return 'done';
    const { creationTimestamp, uid } = ipAddress.metadata;
    const created = Date.parse(creationTimestamp ?? '');
    const age = this.#context.stores.clock.now() - created;
    const { namespace = '', name: serviceName = '' } = ipAddress.spec?.parentRef ?? {};
    const service = this.#services?.get(namespace, serviceName);
    if (service === undefined) {
      if (age <= gracePeriod) return gracePeriod - age + 1;
    } else {
      if (clusterIPsOf(service).some((address) => addressText(address) === name)) return 'done';
      if (created > Date.parse(service.metadata.creationTimestamp ?? '') && age < revertPeriod) return revertPeriod;
    }
    this.#context.logger.warn({ name, namespace, service: serviceName }, 'an IPAddress without its service is deleted');
    await this.#addresses?.delete('', name, defined({ uid }));
    return 'done';
  }
}

const itemOf = (kind: Item['kind'], { namespace, name }: StoredObject): Item => ({ kind, namespace, name });

function clusterIPsOf({ spec = {} }: Service): Address[] {
  if (spec.type === 'ExternalName') return [];
  return (spec.clusterIPs ?? []).flatMap((text) => parseAddressSloppy(text) ?? []);
}
