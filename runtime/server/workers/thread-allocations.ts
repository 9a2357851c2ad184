import type {
  AllocationFailure,
  ClusterIPRequest,
  NodePortRequest,
  ServiceAllocators,
  ServiceName,
} from '../../kinds/core/service/allocators.ts';
import { isAllocationFailure } from '../../kinds/core/service/allocators.ts';
import type { IPFamily } from '../../kinds/core/service/cluster-ip-range.ts';
import { newestService } from '../../kinds/core/service/newest-service.ts';
import { nodePortsOf } from '../../kinds/core/service/node-port-range.ts';
import type { RESTStorageProvider } from '../../resources/rest.ts';

/**
 * Allocates addresses and ports for the services of a worker thread's request. They are released if the thread ends
 * before the request does.
 */
export class ThreadAllocations implements ServiceAllocators {
  readonly #allocators: ServiceAllocators;
  readonly #stores: Pick<RESTStorageProvider, 'byResource'>;
  readonly #addresses = new Map<string, ServiceName>();
  readonly #nodePorts = new Map<number, ServiceName>();

  constructor(allocators: ServiceAllocators, stores: Pick<RESTStorageProvider, 'byResource'>) {
    this.#allocators = allocators;
    this.#stores = stores;
  }

  get families(): readonly IPFamily[] {
    return this.#allocators.families;
  }

  async allocateClusterIP(request: ClusterIPRequest): Promise<string | AllocationFailure> {
    const result = await this.#allocators.allocateClusterIP(request);
    if (!isAllocationFailure(result) && !request.dryRun) this.#addresses.set(result, request.service);
    return result;
  }

  releaseClusterIP(address: string, service: ServiceName): Promise<void> {
    this.#addresses.delete(address);
    return this.#allocators.releaseClusterIP(address, service);
  }

  async allocateNodePort(request: NodePortRequest): Promise<number | AllocationFailure> {
    const result = await this.#allocators.allocateNodePort(request);
    if (!isAllocationFailure(result) && !request.dryRun) this.#nodePorts.set(result, request.service);
    return result;
  }

  releaseNodePorts(ports: readonly number[]): Promise<void> {
    for (const port of ports) this.#nodePorts.delete(port);
    return this.#allocators.releaseNodePorts(ports);
  }

  /** Forgets the allocations of an ended request, which has released the unused ones itself. */
  settle(): void {
    this.#addresses.clear();
    this.#nodePorts.clear();
  }

  /** Releases unused allocations after the thread has ended and its calls are done. Failures are repaired later. */
  async giveBack(): Promise<void> {
    for (const [address, service] of [...this.#addresses]) {
      const { spec } = (await newestService(this.#stores, service)) ?? {};
      if (!spec?.clusterIPs?.includes(address)) await this.releaseClusterIP(address, service);
    }
    for (const [port, service] of [...this.#nodePorts]) {
      const written = await newestService(this.#stores, service);
      if (written === undefined || !nodePortsOf(written).includes(port)) await this.releaseNodePorts([port]);
    }
    this.settle();
  }
}
