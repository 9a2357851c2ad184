import type { AllocationFailure, NodePortRequest, ServiceName } from './allocators.ts';
import type { ServiceRecord } from './service-record.ts';
import { type PortRange, portRangeText } from './services-config.ts';

/** How many of the first ports are allocated dynamically only when all others are in use. (KEP-3668) */
const minStatic = 16;
const maxStatic = 128;
const staticPart = 32;

/** (pkg/registry/core/service/portallocator) */
export class NodePortAllocator {
  readonly #range: PortRange;
  readonly #record: ServiceRecord;

  constructor(range: PortRange, record: ServiceRecord) {
    this.#range = range;
    this.#record = record;
  }

  allocate(request: NodePortRequest): number | AllocationFailure {
    const { port, service, now, dryRun } = request;
    if (port === 0) return this.#allocateNext(request);
    const { base, size } = this.#range;
    const isInRange = port >= base && port < base + size;
    // a dry run does not look at the range
    if (!isInRange && !dryRun) {
      const valid = portRangeText(this.#range);
      return { failure: `provided port is not in the valid range. The range of valid ports is ${valid}` };
    }
    const isFree = dryRun ? !this.#record.has(port, now) : this.#record.reserve(port, service, now);
    return isFree ? port : { failure: 'provided port is already allocated' };
  }

  release(port: number, service: ServiceName): void {
    this.#record.release(port, service);
  }

  /** From a random port on, above those for static allocation at first. */
  #allocateNext({ service, now }: NodePortRequest): number | AllocationFailure {
    const { base, size } = this.#range;
    const reserved = staticPorts(size);
    const dynamic = size - reserved;
    const start = Math.floor(Math.random() * dynamic);
    for (let step = 0; step < size; step++) {
      const offset = step < dynamic ? reserved + ((start + step) % dynamic) : step - dynamic;
      if (this.#record.reserve(base + offset, service, now)) return base + offset;
    }
    return { failure: 'range is full', isFull: true };
  }
}

/** (calculateRangeOffset) */
function staticPorts(size: number): number {
  if (size <= minStatic) return 0;
  return Math.min(Math.max(Math.floor(size / staticPart), minStatic), maxStatic);
}
