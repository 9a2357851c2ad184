import type { WriteContext } from '../../../resources/rest.ts';
import { type AllocationFailure, isAllocationFailure, type ServiceAllocators, type ServiceName } from './allocators.ts';

/** A dry run counts upwards after this port, without allocating. */
const dryRunBase = 32768;

/**
 * The node ports that one write of a service allocates. (pkg/registry/core/service/portallocator
 * PortAllocationOperation)
 */
export class NodePortOperation {
  readonly #allocators: ServiceAllocators;
  readonly #service: ServiceName;
  readonly #context: WriteContext;
  readonly #allocated: number[] = [];

  constructor(allocators: ServiceAllocators, service: ServiceName, context: WriteContext) {
    this.#allocators = allocators;
    this.#service = service;
    this.#context = context;
  }

  /** The ports that the write has allocated so far. */
  get allocated(): readonly number[] {
    return this.#allocated;
  }

  async allocate(port: number): Promise<number | AllocationFailure> {
    const { dryRun, now } = this.#context;
    if (dryRun && this.#allocated.includes(port)) return { failure: 'provided port is already allocated' };
    const request = { port, service: this.#service, now, dryRun };
    return this.#note(await this.#allocators.allocateNodePort(request));
  }

  async allocateNext(): Promise<number | AllocationFailure> {
    if (!this.#context.dryRun) return this.allocate(0);
    return this.#note(this.#allocated.length === 0 ? dryRunBase + 1 : Math.max(...this.#allocated) + 1);
  }

  /** Releases the allocated ports, because the service was not written. */
  async rollback(): Promise<void> {
    if (!this.#context.dryRun) await this.#release(this.#allocated);
  }

  /** Releases ports that the written service no longer has. */
  async commit(released: readonly number[]): Promise<void> {
    if (!this.#context.dryRun) await this.#release(released);
  }

  /** Releases ports. A later repair releases them if this fails. */
  async #release(ports: readonly number[]): Promise<void> {
    if (ports.length > 0) await this.#allocators.releaseNodePorts(ports);
  }

  #note(result: number | AllocationFailure): number | AllocationFailure {
    if (!isAllocationFailure(result)) this.#allocated.push(result);
    return result;
  }
}
