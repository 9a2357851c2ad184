import type { Service, ServiceSpec } from '../../../../generated/v1.35/core/v1/types.ts';
import { internalError, isStatusError } from '../../../machinery/errors/status.ts';
import { setOrDelete } from '../../../machinery/json/defined.ts';
import type { FinishWrite, WriteContext, WriteOutcome } from '../../../resources/rest.ts';
import { isStorageError } from '../../../storage/errors.ts';
import { isAllocationFailure, type ServiceAllocators, type ServiceName } from './allocators.ts';
import type { IPFamily } from './cluster-ip-range.ts';
import { headless, initIPFamilyFields, isMatchingPreferDualStackClusterIPFields, validate } from './ip-families.ts';
import { newestService } from './newest-service.ts';
import { NodePortOperation } from './node-port-operation.ts';
import { nodePortsOf } from './node-port-range.ts';
import { allocateHealthCheckNodePort, allocateNodePorts, mayHaveNodePorts, updateNodePorts } from './node-ports.ts';

/**
 * The allocations and releases of one write of a service. (pkg/registry/core/service/storage: alloc.go, transaction.go)
 */
export class ServiceAllocation {
  readonly #service: Service;
  readonly #name: ServiceName;
  readonly #allocators: ServiceAllocators;
  readonly #context: WriteContext;
  readonly #nodePorts: NodePortOperation;
  readonly #allocated: string[] = [];
  #toRelease: readonly string[] = [];
  #oldNodePorts: readonly number[] = [];

  constructor(service: Service, allocators: ServiceAllocators, context: WriteContext) {
    this.#service = service;
    this.#name = { namespace: context.namespace, name: service.metadata.name ?? '' };
    this.#allocators = allocators;
    this.#context = context;
    this.#nodePorts = new NodePortOperation(allocators, this.#name, context);
  }

  /** (allocateCreate) @throws StatusError 422 for requested values that cannot be allocated, 500 if a range is full */
  create(): Promise<FinishWrite> {
    return this.#run(async () => {
      const { spec = {} } = this.#service;
      initIPFamilyFields(this.#service, undefined, this.#allocators.families);
      await this.#allocateClusterIPs();
      if (mayHaveNodePorts(spec)) await allocateNodePorts(this.#service, this.#nodePorts);
      await allocateHealthCheckNodePort(this.#service, undefined, this.#nodePorts);
    });
  }

  /** (allocateUpdate) @throws StatusError as `create` */
  update(old: Service): Promise<FinishWrite> {
    this.#oldNodePorts = nodePortsOf(old);
    return this.#run(async () => {
      const { spec = {} } = this.#service;
      initIPFamilyFields(this.#service, old, this.#allocators.families);
      await this.#updateClusterIPs(old.spec ?? {});
      if (mayHaveNodePorts(spec)) await updateNodePorts(this.#service, old, this.#nodePorts);
      await allocateHealthCheckNodePort(this.#service, old, this.#nodePorts);
    });
  }

  /** Returns a function that ends the transaction. If the work fails, its allocations are released. */
  async #run(work: () => Promise<void>): Promise<FinishWrite> {
    try {
      await work();
    } catch (error) {
      await this.#finish('not-written');
      throw error;
    }
    return (outcome) => this.#finish(outcome);
  }

  async #finish(outcome: WriteOutcome): Promise<void> {
    if (this.#context.dryRun) return;
    if (outcome === 'unknown') {
      // the response does not wait for the result
      void this.#finishUnknown();
      return;
    }
    if (outcome === 'written') {
      const kept = nodePortsOf(this.#service);
      await this.#nodePorts.commit(this.#oldNodePorts.filter((port) => !kept.includes(port)));
    } else await this.#nodePorts.rollback();
    const released = outcome === 'written' ? this.#toRelease : this.#allocated;
    for (const address of released) await this.#allocators.releaseClusterIP(address, this.#name);
  }

  /**
   * Reads the stored service to find the result of the write. If the read fails, the old and the new allocations both
   * stay until a repair.
   */
  async #finishUnknown(): Promise<void> {
    try {
      const service = await newestService(this.#context.stores, this.#name);
      await this.#finish(service !== undefined && this.#isWritten(service) ? 'written' : 'not-written');
    } catch (error) {
      if (!isStorageError(error) && !isStatusError(error)) throw error;
    }
  }

  /** Reports whether a service has all that was allocated, and nothing that was to be released. */
  #isWritten(service: Service): boolean {
    const addresses = service.spec?.clusterIPs ?? [];
    const ports = nodePortsOf(service);
    return (
      this.#allocated.every((address) => addresses.includes(address)) &&
      this.#nodePorts.allocated.every((port) => ports.includes(port)) &&
      !this.#toRelease.some((address) => addresses.includes(address))
    );
  }

  /** (updateClusterIPs) */
  async #updateClusterIPs(old: ServiceSpec): Promise<void> {
    const { spec = {} } = this.#service;
    if (isMatchingPreferDualStackClusterIPFields(spec, old)) return;
    if (old.type === 'ExternalName') return this.#allocateClusterIPs();
    const addresses = old.clusterIPs ?? [];
    if (addresses[0] === headless) return;
    if (spec.type === 'ExternalName') {
      this.#toRelease = addresses;
      return;
    }
    const [before, after] = [old.ipFamilies?.length, spec.ipFamilies?.length];
    if (before === 1 && after === 2) {
      const [first = '', second = ''] = spec.clusterIPs ?? [];
      spec.clusterIPs = [first, second];
      spec.clusterIPs = [first, await this.#allocate(spec.ipFamilies?.[1] as IPFamily, second)];
    } else if (before === 2 && after === 1) this.#toRelease = addresses.slice(1);
  }

  /** (allocClusterIPs) */
  async #allocateClusterIPs(): Promise<void> {
    const { spec = {} } = this.#service;
    if (spec.type === 'ExternalName' || spec.clusterIPs?.[0] === headless) return;
    const families = spec.ipFamilies ?? [];
    const requested = families.map((_, index) => spec.clusterIPs?.[index] ?? '');
    // errors quote the requested addresses
    spec.clusterIPs = requested;
    const addresses: string[] = [];
    for (const [index, family] of families.entries()) {
      addresses.push(await this.#allocate(family as IPFamily, requested[index] ?? ''));
    }
    spec.clusterIPs = addresses;
    setOrDelete(spec, 'clusterIP', addresses[0]);
  }

  /** (allocIPs) */
  async #allocate(family: IPFamily, address: string): Promise<string> {
    const { now, dryRun } = this.#context;
    const request = { family, address, service: this.#name, now, dryRun };
    const result = await this.#allocators.allocateClusterIP(request);
    if (!isAllocationFailure(result)) {
      this.#allocated.push(result);
      return result;
    }
    const { failure, isFull } = result;
    if (isFull) throw internalError(`failed to allocate a serviceIP: ${failure}`);
    const detail = `failed to allocate IP${address && ` ${address}`}: ${failure}`;
    const { clusterIPs } = this.#service.spec ?? {};
    validate(this.#service, (field) => field.child('clusterIPs').invalid(clusterIPs, detail));
    return address;
  }
}
