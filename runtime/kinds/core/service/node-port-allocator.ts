import type { Random } from '../../../machinery/random.ts';
import type { AllocationFailure, NodePortRequest } from './allocators.ts';
import type { NodePortRange } from './node-port-range.ts';
import { portRangeText } from './services-config.ts';

/** The number of first ports that are allocated dynamically only when all others are in use. (KEP-3668) */
const minStatic = 16;
const maxStatic = 128;
const staticPart = 32;

const alreadyAllocated: AllocationFailure = { failure: 'provided port is already allocated' };

/** (pkg/registry/core/service/portallocator) */
export class NodePortAllocator {
  readonly #range: NodePortRange;
  readonly #random: Random;

  constructor(range: NodePortRange, random: Random) {
    this.#range = range;
    this.#random = random;
  }

  async allocate({ port, dryRun }: NodePortRequest): Promise<number | AllocationFailure> {
    if (port === 0) return this.#allocateNext();
    // a dry run does not check the bounds of the range
    if (dryRun) return this.#range.has(port) ? alreadyAllocated : port;
    if (!this.#range.contains(port)) {
      const valid = portRangeText(this.#range.range);
      return { failure: `provided port is not in the valid range. The range of valid ports is ${valid}` };
    }
    const allocated = await this.#range.update((ports) => {
      if (ports.has(port)) return undefined;
      ports.add(port);
      return port;
    });
    return allocated ?? alreadyAllocated;
  }

  /** Releases ports. Ignores ports that are not allocated. */
  async release(released: readonly number[]): Promise<void> {
    await this.#range.update((ports) => {
      const count = ports.size;
      for (const port of released) ports.delete(port);
      return ports.size < count ? true : undefined;
    });
  }

  async #allocateNext(): Promise<number | AllocationFailure> {
    const allocated = await this.#range.update((ports) => {
      for (const port of this.#candidates()) {
        if (ports.has(port)) continue;
        ports.add(port);
        return port;
      }
      return undefined;
    });
    return allocated ?? { failure: 'range is full', isFull: true };
  }

  /** Returns all ports, from a random one on. The ports for static allocation come last. */
  *#candidates(): Iterable<number> {
    const { base, size } = this.#range.range;
    const reserved = staticPorts(size);
    const dynamic = size - reserved;
    const start = Math.floor(this.#random.float('node-port') * dynamic);
    for (let step = 0; step < size; step++) {
      yield base + (step < dynamic ? reserved + ((start + step) % dynamic) : step - dynamic);
    }
  }
}

/** (calculateRangeOffset) */
function staticPorts(size: number): number {
  if (size <= minStatic) return 0;
  return Math.min(Math.max(Math.floor(size / staticPart), minStatic), maxStatic);
}
