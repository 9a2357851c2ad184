import { once } from '../../../machinery/event-loop/once.ts';
import type { RESTStorageProvider } from '../../../resources/rest.ts';
import type { AllocationFailure, ClusterIPRequest, NodePortRequest, ServiceAllocators, ServiceName } from './allocators.ts';
import { ClusterIPAllocator } from './cluster-ip-allocator.ts';
import { ClusterIPRange, familyOf, type IPFamily } from './cluster-ip-range.ts';
import { type ClusterIPRecord, IPAddressRecord } from './cluster-ip-record.ts';
import { NodePortAllocator } from './node-port-allocator.ts';
import { NodePortRange, rangeAllocations } from './node-port-range.ts';
import { ServiceAddresses } from './service-addresses.ts';
import type { ServicesConfig } from './services-config.ts';

interface OpenAllocators {
  readonly clusterIPs: ClusterIPAllocator;
  readonly nodePorts: NodePortAllocator;
}

/** The allocators of a server. Worker threads call them through the server. */
export class LocalServiceAllocators implements ServiceAllocators {
  readonly #config: ServicesConfig;
  readonly #open: () => Promise<OpenAllocators>;

  /** @param stores called at the first allocation */
  constructor(config: ServicesConfig, stores: () => RESTStorageProvider) {
    this.#config = config;
    this.#open = once(() => openAllocators(config, stores()));
  }

  get families(): readonly IPFamily[] {
    return this.#config.clusterIPRanges.map(({ address }) => familyOf(address));
  }

  async allocateClusterIP(request: ClusterIPRequest): Promise<string | AllocationFailure> {
    const { clusterIPs } = await this.#open();
    return request.address === '' ? clusterIPs.allocateNext(request) : clusterIPs.allocate(request);
  }

  async releaseClusterIP(address: string, service: ServiceName): Promise<void> {
    const { clusterIPs } = await this.#open();
    await clusterIPs.release(address, service);
  }

  async allocateNodePort(request: NodePortRequest): Promise<number | AllocationFailure> {
    const { nodePorts } = await this.#open();
    return nodePorts.allocate(request);
  }

  async releaseNodePorts(ports: readonly number[]): Promise<void> {
    const { nodePorts } = await this.#open();
    await nodePorts.release(ports);
  }
}

async function openAllocators(config: ServicesConfig, stores: RESTStorageProvider): Promise<OpenAllocators> {
  const { collection } = await stores.byResource('', 'v1', 'services');
  const named = (resource: string) => stores.byResource('networking.k8s.io', 'v1', resource);
  const serves = (resource: string): boolean => stores.serves('networking.k8s.io', 'v1', resource);
  const record: ClusterIPRecord = serves('ipaddresses')
    ? new IPAddressRecord(await named('ipaddresses'))
    : new ServiceAddresses(collection);
  const clusterIPs = serves('servicecidrs')
    ? ClusterIPAllocator.following((await named('servicecidrs')).collection, record, stores.random)
    : new ClusterIPAllocator(
        config.clusterIPRanges.map((prefix) => new ClusterIPRange(prefix)),
        record,
        stores.random,
      );
  const range = new NodePortRange(config.nodePortRange, await stores.internalCollection(rangeAllocations), collection);
  return { clusterIPs, nodePorts: new NodePortAllocator(range, stores.random) };
}
