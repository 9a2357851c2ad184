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
import type { StorageProvider } from '../../resources/rest.ts';

/** What one worker thread gets for the services of a request, so that it is given back when the thread ends in the middle of it. */
export class ThreadAllocations implements ServiceAllocators {
  readonly #allocators: ServiceAllocators;
  readonly #stores: Pick<StorageProvider, 'named'>;
  readonly #addresses = new Map<string, ServiceName>();
  readonly #nodePorts = new Map<number, ServiceName>();

  constructor(allocators: ServiceAllocators, stores: Pick<StorageProvider, 'named'>) {
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

  /** The request has ended, and has given back what its services did not get. */
  settle(): void {
    this.#addresses.clear();
    this.#nodePorts.clear();
  }

  /** The thread has ended, and its calls are done. What cannot be given back now is repaired later. */
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
