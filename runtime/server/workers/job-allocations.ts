import type {
  AllocationFailure,
  ClusterIPRequest,
  NodePortRequest,
  ServiceAllocators,
  ServiceName,
} from '../../kinds/core/service/allocators.ts';
import { isAllocationFailure } from '../../kinds/core/service/allocators.ts';
import { newestService } from '../../kinds/core/service/newest-service.ts';
import { nodePortsOf } from '../../kinds/core/service/node-port-range.ts';
import { isStatusError } from '../../machinery/errors/status.ts';
import type { RESTStorageProvider } from '../../resources/rest.ts';
import { isStorageError } from '../../storage/errors.ts';

/**
 * The addresses and ports that one job allocates for services. What its write does not store is given back, also what is
 * allocated after the end of the job, because its thread was ended.
 */
export class JobAllocations {
  readonly #allocators: ServiceAllocators;
  readonly #stores: Pick<RESTStorageProvider, 'byResource'>;
  readonly #addresses = new Map<string, ServiceName>();
  readonly #nodePorts = new Map<number, ServiceName>();
  #isOver = false;

  constructor(allocators: ServiceAllocators, stores: Pick<RESTStorageProvider, 'byResource'>) {
    this.#allocators = allocators;
    this.#stores = stores;
  }

  async allocateClusterIP(request: ClusterIPRequest): Promise<string | AllocationFailure> {
    const result = await this.#allocators.allocateClusterIP(request);
    if (!isAllocationFailure(result) && !request.dryRun) this.#addresses.set(result, request.service);
    if (this.#isOver) await this.giveBack();
    return result;
  }

  async allocateNodePort(request: NodePortRequest): Promise<number | AllocationFailure> {
    const result = await this.#allocators.allocateNodePort(request);
    if (!isAllocationFailure(result) && !request.dryRun) this.#nodePorts.set(result, request.service);
    if (this.#isOver) await this.giveBack();
    return result;
  }

  /** Ends a job whose write was stored. */
  keep(): void {
    this.#addresses.clear();
    this.#nodePorts.clear();
  }

  /** Ends the job: gives back what no stored service has. Failures are repaired later. */
  async giveBack(): Promise<void> {
    this.#isOver = true;
    const [addresses, nodePorts] = [[...this.#addresses], [...this.#nodePorts]];
    this.#addresses.clear();
    this.#nodePorts.clear();
    try {
      for (const [address, service] of addresses) {
        const { spec } = (await newestService(this.#stores, service)) ?? {};
        if (!spec?.clusterIPs?.includes(address)) await this.#allocators.releaseClusterIP(address, service);
      }
      for (const [port, service] of nodePorts) {
        const written = await newestService(this.#stores, service);
        if (written === undefined || !nodePortsOf(written).includes(port)) await this.#allocators.releaseNodePorts([port]);
      }
    } catch (error) {
      // the store is closed or unreachable: a repair controller releases the rest
      if (!isStorageError(error) && !isStatusError(error)) throw error;
    }
  }
}
