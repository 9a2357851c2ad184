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
import type { JobWrites } from './effects.ts';
import type { AskedParts } from './questions.ts';

type AllocatorPart = AskedParts['serviceAllocators'];

/** The addresses and ports that one job allocates for services. If its thread ends early, they are given back. */
export class JobAllocations implements AllocatorPart {
  readonly #allocators: ServiceAllocators;
  readonly #stores: Pick<RESTStorageProvider, 'byResource'>;
  readonly #addresses = new Map<string, ServiceName>();
  readonly #nodePorts = new Map<number, ServiceName>();
  #writing: Promise<unknown> = Promise.resolve();
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

  releaseClusterIP(address: string, service: ServiceName): Promise<void> {
    this.#addresses.delete(address);
    return this.#allocators.releaseClusterIP(address, service);
  }

  releaseNodePorts(ports: readonly number[]): Promise<void> {
    for (const port of ports) this.#nodePorts.delete(port);
    return this.#allocators.releaseNodePorts(ports);
  }

  /** Returns the writes of the job. A service that is being stored when the thread ends keeps its allocations. */
  writesOf(writes: JobWrites): JobWrites {
    return {
      put: async (before, put) => {
        if (this.#isOver) throw new Error('the thread of the job has ended');
        const writing = writes.put(before, put);
        this.#writing = writing.catch(() => undefined);
        return writing;
      },
      delete: (before, removal) => writes.delete(before, removal),
    };
  }

  /** Releases what no stored service has, after the end of the thread. Failures are repaired later. */
  async giveBack(): Promise<void> {
    this.#isOver = true;
    if (this.#addresses.size + this.#nodePorts.size === 0) return;
    await this.#writing;
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
