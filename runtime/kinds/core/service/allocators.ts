import type { StorageProvider } from '../../../resources/rest.ts';
import { ClusterIPAllocator } from './cluster-ip-allocator.ts';
import { ClusterIPRange, familyOf, type IPFamily } from './cluster-ip-range.ts';
import { type ClusterIPRecord, IPAddressRecord } from './cluster-ip-record.ts';
import { NodePortAllocator } from './node-port-allocator.ts';
import { ServiceRecord } from './service-record.ts';
import type { ServicesConfig } from './services-config.ts';

/** The service that something is allocated for. */
export interface ServiceName {
  readonly namespace: string;
  readonly name: string;
}

interface AllocationRequest {
  readonly service: ServiceName;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Nothing is recorded, and dynamic values are made up. */
  readonly dryRun: boolean;
}

export interface ClusterIPRequest extends AllocationRequest {
  readonly family: IPFamily;
  /** "" for any free address of the family. */
  readonly address: string;
}

export interface NodePortRequest extends AllocationRequest {
  /** 0 for any free port. */
  readonly port: number;
}

export interface AllocationFailure {
  readonly failure: string;
  /** Nothing is left. */
  readonly isFull?: boolean;
}

export const isAllocationFailure = (result: string | number | AllocationFailure): result is AllocationFailure =>
  typeof result === 'object';

/** What services get from the cluster's ranges. (pkg/registry/core/service/storage/alloc.go Allocators) */
export interface ServiceAllocators {
  /** The families of the cluster, the default first. */
  readonly families: readonly IPFamily[];
  allocateClusterIP(request: ClusterIPRequest): Promise<string | AllocationFailure>;
  /** Does nothing if the address is not allocated. */
  releaseClusterIP(address: string, service: ServiceName): Promise<void>;
  allocateNodePort(request: NodePortRequest): Promise<number | AllocationFailure>;
  /** Takes back what was allocated for a write that did not happen. */
  releaseNodePort(port: number, service: ServiceName): Promise<void>;
}

interface OpenAllocators {
  readonly clusterIPs: ClusterIPAllocator;
  readonly nodePorts: NodePortAllocator;
}

/** The allocators of a server. Worker threads ask them through the server. */
export class LocalServiceAllocators implements ServiceAllocators {
  readonly #config: ServicesConfig;
  readonly #stores: () => StorageProvider;
  #opening: Promise<OpenAllocators> | undefined;

  /** @param stores called when something is first allocated */
  constructor(config: ServicesConfig, stores: () => StorageProvider) {
    this.#config = config;
    this.#stores = stores;
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

  async releaseNodePort(port: number, service: ServiceName): Promise<void> {
    const { nodePorts } = await this.#open();
    nodePorts.release(port, service);
  }

  #open(): Promise<OpenAllocators> {
    this.#opening ??= openAllocators(this.#config, this.#stores());
    return this.#opening;
  }
}

async function openAllocators(config: ServicesConfig, stores: StorageProvider): Promise<OpenAllocators> {
  const { collection } = await stores.named('', 'v1', 'services');
  const services = new ServiceRecord(collection);
  const named = (resource: string) => stores.named('networking.k8s.io', 'v1', resource);
  const serves = (resource: string): boolean => stores.serves('networking.k8s.io', 'v1', resource);
  const record: ClusterIPRecord = serves('ipaddresses')
    ? new IPAddressRecord(await named('ipaddresses'))
    : services.clusterIPs;
  const clusterIPs = serves('servicecidrs')
    ? ClusterIPAllocator.following((await named('servicecidrs')).collection, record)
    : new ClusterIPAllocator(
        config.clusterIPRanges.map((prefix) => new ClusterIPRange(prefix)),
        record,
      );
  return { clusterIPs, nodePorts: new NodePortAllocator(config.nodePortRange, services) };
}
