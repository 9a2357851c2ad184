import type { ServiceCIDR } from '../../../../generated/v1.35/networking.k8s.io/v1/types.ts';
import { isStatusError } from '../../../machinery/errors/status.ts';
import { TimeSlice } from '../../../machinery/event-loop/yield.ts';
import { quote } from '../../../machinery/go/quote.ts';
import type { Random } from '../../../machinery/random.ts';
import { type Address, addressText, parseAddressSloppy, parsePrefixSloppy } from '../../../machinery/scalars/netip.ts';
import type { Collection } from '../../../storage/object-store/contract.ts';
import { isReady } from '../../networking.k8s.io/service-cidr.ts';
import type { AllocationFailure, ClusterIPRequest, ServiceName } from './allocators.ts';
import { ClusterIPRange } from './cluster-ip-range.ts';
import type { ClusterIPRecord } from './cluster-ip-record.ts';

const rangeIsFull: AllocationFailure = { failure: 'range is full', isFull: true };
const notReady: AllocationFailure = { failure: 'allocator not ready' };
const alreadyAllocated: AllocationFailure = { failure: 'provided IP is already allocated' };
const mismatchedNetwork: AllocationFailure = {
  failure: 'the provided network does not match the current range',
};

/** The shortest prefix of an IPv6 network with allocatable addresses. */
const minIPv6Prefix = 64;

/** Allocates addresses from the ready ranges. (pkg/registry/core/service/ipallocator/cidrallocator.go MetaAllocator) */
export class ClusterIPAllocator {
  #ranges: readonly ClusterIPRange[];
  readonly #record: ClusterIPRecord;
  readonly #random: Random;

  constructor(ranges: readonly ClusterIPRange[], record: ClusterIPRecord, random: Random) {
    this.#ranges = ranges;
    this.#record = record;
    this.#random = random;
  }

  /** Returns an allocator that follows the ranges of the ready ServiceCIDRs. */
  static following(serviceCIDRs: Collection, record: ClusterIPRecord, random: Random): ClusterIPAllocator {
    const allocator = new ClusterIPAllocator([], record, random);
    const update = (): void => {
      allocator.#ranges = readyRanges(serviceCIDRs);
    };
    update();
    serviceCIDRs.watch({ after: serviceCIDRs.latest().revision, onEvent: update });
    return allocator;
  }

  async allocate({ family, address: text, service, now, dryRun }: ClusterIPRequest): Promise<string | AllocationFailure> {
    const address = parseAddressSloppy(text);
    if (address === undefined) return { failure: `failed to parse service IP ${quote(text)}` };
    const range = this.#ranges.find((one) => one.contains(address));
    if (dryRun) return range === undefined ? this.#notInRange(family, address) : text;
    if (range === undefined) return mismatchedNetwork;
    const added = await this.#add(addressText(address), service, now);
    return added === true ? text : added;
  }

  async allocateNext({ family, service, now, dryRun }: ClusterIPRequest): Promise<string | AllocationFailure> {
    const ranges = this.#ranges.filter((range) => range.family === family);
    // a dry run needs no free address
    const [range] = ranges;
    if (dryRun) return range === undefined ? notReady : addressText(range.network.address);
    const slice = new TimeSlice();
    for (const range of ranges) {
      for (const candidate of range.candidates(this.#random)) {
        if (slice.isOver) await slice.next();
        const address = addressText(candidate);
        if (this.#record.has(address, now)) continue;
        const added = await this.#add(address, service, now);
        if (added === true) return address;
        if (added !== alreadyAllocated) return added;
      }
    }
    return rangeIsFull;
  }

  async release(text: string, service: ServiceName): Promise<void> {
    const address = parseAddressSloppy(text);
    if (address !== undefined) await this.#record.remove(addressText(address), service);
  }

  async #add(address: string, service: ServiceName, now: number): Promise<true | AllocationFailure> {
    try {
      return (await this.#record.add(address, service, now)) || alreadyAllocated;
    } catch (error) {
      if (isStatusError(error)) return { failure: error.message };
      throw error;
    }
  }

  /** The error names the first range of the family. */
  #notInRange(family: string, address: Address): AllocationFailure {
    const range = this.#ranges.find((one) => one.family === family);
    if (range === undefined) return notReady;
    const failure = `the provided IP (${addressText(address)}) is not in the valid range. The range of valid IPs is ${range.cidr}`;
    return { failure };
  }
}

/** Returns the networks of ready ServiceCIDRs. A network in several ServiceCIDRs is returned once. */
function readyRanges(serviceCIDRs: Collection): ClusterIPRange[] {
  const ranges = new Map<string, ClusterIPRange>();
  for (const stored of serviceCIDRs.latest().scan()) {
    const serviceCIDR: ServiceCIDR = stored.decode();
    if (serviceCIDR.metadata.deletionTimestamp || !isReady(serviceCIDR)) continue;
    for (const cidr of serviceCIDR.spec?.cidrs ?? []) {
      const prefix = parsePrefixSloppy(cidr);
      if (prefix === undefined || (prefix.address.version === 6 && prefix.length < minIPv6Prefix)) continue;
      const range = new ClusterIPRange(prefix);
      ranges.set(range.cidr, range);
    }
  }
  return [...ranges.values()];
}
