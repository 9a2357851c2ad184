import type { Service } from '../../../../generated/v1.35/core/v1/types.ts';
import { addressText, parseAddressSloppy } from '../../../machinery/scalars/netip.ts';
import type { Collection, ObjectEvent, StoredObject } from '../../../storage/object-store/contract.ts';
import type { ServiceName } from './allocators.ts';
import type { ClusterIPRecord } from './cluster-ip-record.ts';

/** How long something is reserved for a write that does not happen, because its worker thread was ended. */
const reservationMilliseconds = 60_000;

interface Allocation {
  /** namespace/name of the service */
  readonly owner: string;
  /** Set until the service is written. */
  readonly reservedUntil?: number;
}

/** An address, or the number of a port. */
type Key = string | number;

/** The node ports and addresses of all services: all are read at first, then every change. */
export class ServiceRecord {
  readonly #allocations = new Map<Key, Allocation>();
  readonly #keysByOwner = new Map<string, readonly Key[]>();

  constructor(services: Collection) {
    const snapshot = services.latest();
    for (const service of snapshot.scan()) this.#add(service);
    services.watch({ after: snapshot.revision, onEvent: (event) => this.#update(event) });
  }

  has(key: Key, now: number): boolean {
    const allocation = this.#allocations.get(key);
    if (allocation === undefined) return false;
    return allocation.reservedUntil === undefined || allocation.reservedUntil >= now;
  }

  /** Reserves for a service that will be written. Returns false if the key is in use. */
  reserve(key: Key, service: ServiceName, now: number): boolean {
    if (this.has(key, now)) return false;
    this.#allocations.set(key, { owner: ownerOf(service), reservedUntil: now + reservationMilliseconds });
    return true;
  }

  /** Ends the reservation for a service that was not written. */
  release(key: Key, service: ServiceName): void {
    const allocation = this.#allocations.get(key);
    if (allocation?.owner !== ownerOf(service) || allocation.reservedUntil === undefined) return;
    this.#allocations.delete(key);
  }

  /** The addresses, for a server without IPAddresses. */
  get clusterIPs(): ClusterIPRecord {
    return {
      has: (address, now) => this.has(address, now),
      add: async (address, service, now) => this.reserve(address, service, now),
      remove: async (address, service) => this.release(address, service),
    };
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
    const addresses = (spec.clusterIPs ?? []).map(parseAddressSloppy);
    const keys: Key[] = [
      ...addresses.flatMap((address) => (address === undefined ? [] : addressText(address))),
      ...ports.flatMap((port) => port || []),
    ];
    for (const key of keys) this.#allocations.set(key, { owner });
    if (keys.length > 0) this.#keysByOwner.set(owner, keys);
  }
}

const ownerOf = ({ namespace, name }: ServiceName): string => `${namespace}/${name}`;
