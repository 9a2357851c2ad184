import { isIPv4, isIPv6 } from 'node:net';
import type { Service } from '../../../../generated/v1.35/core/v1/types.ts';
import type { StorageProvider, WriteContext } from '../../../resources/rest.ts';
import type { Collection, ObjectEvent, StoredObject } from '../../../storage/object-store/contract.ts';

/** Allocates cluster IPs and node ports. (pkg/registry/core/service/{ipallocator,portallocator}) */

export type IPFamily = 'IPv4' | 'IPv6';

interface ClusterIPRange {
  readonly cidr: string;
  /** Includes the first and the last address, which are never allocated. */
  readonly size: number;
  addressAt(offset: number): string;
  /** Returns undefined for addresses outside of the range. */
  offsetOf(address: string): number | undefined;
}

const ipv4Start = (10 << 24) | (96 << 16);
const ipv6Prefix = 'fd00:10:96::';

/** The ranges of kubeadm, for a dual-stack cluster. (--service-cluster-ip-range) */
const clusterIPRanges: Readonly<Record<IPFamily, ClusterIPRange>> = {
  IPv4: {
    cidr: '10.96.0.0/12',
    size: 2 ** 20,
    addressAt: (offset) => [24, 16, 8, 0].map((shift) => ((ipv4Start + offset) >>> shift) & 0xff).join('.'),
    offsetOf(address) {
      if (!isIPv4(address)) return undefined;
      const bits = address.split('.').reduce((sum, part) => (sum << 8) | Number(part), 0);
      return bits - ipv4Start;
    },
  },
  IPv6: {
    cidr: `${ipv6Prefix}/112`,
    size: 2 ** 16,
    addressAt: (offset) => `${ipv6Prefix}${offset.toString(16)}`,
    offsetOf(address) {
      if (!isIPv6(address)) return undefined;
      const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
      if (!canonical.startsWith(ipv6Prefix)) return undefined;
      const rest = canonical.slice(ipv6Prefix.length);
      return /^[0-9a-f]{1,4}$/.test(rest) ? Number.parseInt(rest, 16) : undefined;
    },
  },
};
/** The first addresses are allocated dynamically only when all others are in use. (KEP-3070) */
const staticAddresses = 256;

/** (--service-node-port-range) */
const firstPort = 30000;
const lastPort = 32767;
/** As staticAddresses. (KEP-3668) */
const staticPorts = 86;

/** How long an allocation is reserved for a write that does not happen. */
const reservationMilliseconds = 60_000;

interface Allocation {
  /** namespace/name of the service */
  readonly owner: string;
  /** Set until the service is written. */
  readonly reservedUntil?: number;
}

export type AllocationContext = Pick<WriteContext, 'now' | 'dryRun'>;

/** (pkg/registry/core/service/storage/alloc.go, Allocators) */
export interface ServiceAllocators {
  /** @param requested "" for any free address of the family */
  allocateClusterIP(
    family: IPFamily,
    owner: string,
    requested: string,
    context: AllocationContext,
  ): string | AllocationFailure;
  /** @param requested 0 for any free port */
  allocateNodePort(owner: string, requested: number, context: AllocationContext): number | AllocationFailure;
}

export type AllocationFailure = { readonly failure: string };

/** Numbers to allocate from: those below `reserved` only when all others are in use. */
interface AllocationRange {
  readonly count: number;
  readonly reserved: number;
  keyOf(offset: number): string;
}

/**
 * The allocators of a server. Services are the record of what is in use: all are read at first, then every change. An
 * allocation is reserved for its owner until the service is written, or for a minute.
 */
class LocalServiceAllocators implements ServiceAllocators {
  /** By `ip <address>` or `port <number>`. */
  readonly #allocations = new Map<string, Allocation>();
  /** The keys of each service. */
  readonly #keysByOwner = new Map<string, readonly string[]>();

  constructor(services: Collection) {
    const snapshot = services.latest();
    for (const service of snapshot.scan()) this.#add(service);
    services.watch({ after: snapshot.revision, onEvent: (event) => this.#update(event) });
  }

  allocateClusterIP(
    family: IPFamily,
    owner: string,
    requested: string,
    context: AllocationContext,
  ): string | AllocationFailure {
    const { cidr, size, addressAt, offsetOf } = clusterIPRanges[family];
    if (requested === '') {
      const keyOf = (offset: number): string => `ip ${addressAt(offset + 1)}`;
      const offset = this.#allocateNext({ count: size - 2, reserved: staticAddresses, keyOf }, owner, context);
      return offset === undefined ? { failure: 'range is full' } : addressAt(offset + 1);
    }
    const offset = offsetOf(requested) ?? -1;
    if (offset <= 0 || offset >= size - 1) {
      return { failure: `the provided IP (${requested}) is not in the valid range. The range of valid IPs is ${cidr}` };
    }
    const address = addressAt(offset);
    return this.#allocate(`ip ${address}`, owner, context) ? address : { failure: 'provided IP is already allocated' };
  }

  allocateNodePort(owner: string, requested: number, context: AllocationContext): number | AllocationFailure {
    if (requested === 0) {
      const keyOf = (offset: number): string => `port ${firstPort + offset}`;
      const count = lastPort - firstPort + 1;
      const offset = this.#allocateNext({ count, reserved: staticPorts, keyOf }, owner, context);
      return offset === undefined ? { failure: 'range is full' } : firstPort + offset;
    }
    if (requested < firstPort || requested > lastPort) {
      const range = `The range of valid ports is ${firstPort}-${lastPort}`;
      return { failure: `provided port is not in the valid range. ${range}` };
    }
    return this.#allocate(`port ${requested}`, owner, context)
      ? requested
      : { failure: 'provided port is already allocated' };
  }

  /** Starts at a random number above the reserved ones, and returns undefined if all are in use. */
  #allocateNext(
    { count, reserved, keyOf }: AllocationRange,
    owner: string,
    context: AllocationContext,
  ): number | undefined {
    const dynamic = count - reserved;
    const start = Math.floor(Math.random() * dynamic);
    for (let step = 0; step < count; step++) {
      const offset = step < dynamic ? reserved + ((start + step) % dynamic) : step - dynamic;
      if (this.#isFree(keyOf(offset), '', context.now)) {
        this.#allocate(keyOf(offset), owner, context);
        return offset;
      }
    }
    return undefined;
  }

  #allocate(key: string, owner: string, { now, dryRun }: AllocationContext): boolean {
    if (!this.#isFree(key, owner, now)) return false;
    const allocation = this.#allocations.get(key);
    const isWritten = allocation?.owner === owner && allocation.reservedUntil === undefined;
    if (!dryRun && !isWritten) this.#allocations.set(key, { owner, reservedUntil: now + reservationMilliseconds });
    return true;
  }

  #isFree(key: string, owner: string, now: number): boolean {
    const allocation = this.#allocations.get(key);
    if (allocation === undefined || allocation.owner === owner) return true;
    return allocation.reservedUntil !== undefined && allocation.reservedUntil < now;
  }

  #update({ type, object }: ObjectEvent): void {
    const owner = ownerOf(object);
    for (const key of this.#keysByOwner.get(owner) ?? []) {
      if (this.#allocations.get(key)?.owner === owner) this.#allocations.delete(key);
    }
    this.#keysByOwner.delete(owner);
    if (type !== 'DELETED') this.#add(object);
  }

  #add(object: StoredObject): void {
    const owner = ownerOf(object);
    const { spec = {} }: Service = object.decode();
    const ports = [...(spec.ports ?? []).map(({ nodePort }) => nodePort), spec.healthCheckNodePort];
    const keys = [
      ...(spec.clusterIPs ?? []).filter((ip) => ip !== '' && ip !== 'None').map((ip) => `ip ${ip}`),
      ...ports.filter(Boolean).map((port) => `port ${port}`),
    ];
    for (const key of keys) this.#allocations.set(key, { owner });
    if (keys.length > 0) this.#keysByOwner.set(owner, keys);
  }
}

const allocators = new WeakMap<StorageProvider, Promise<ServiceAllocators>>();

/** The allocators of a server, of which there is one set. */
export function serviceAllocators(stores: StorageProvider): Promise<ServiceAllocators> {
  let known = allocators.get(stores);
  if (known === undefined) {
    known = stores.named('', 'v1', 'services').then(({ collection }) => new LocalServiceAllocators(collection));
    allocators.set(stores, known);
  }
  return known;
}

/** For worker threads: allocation happens elsewhere. Must be called before the first allocation. */
export function setServiceAllocators(stores: StorageProvider, remote: ServiceAllocators): void {
  allocators.set(stores, Promise.resolve(remote));
}

export const isAllocationFailure = (result: string | number | AllocationFailure): result is AllocationFailure =>
  typeof result === 'object';

const ownerOf = ({ namespace, name }: StoredObject): string => `${namespace}/${name}`;
