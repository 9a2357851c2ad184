import type { Service } from '../../../../generated/v1.35/core/v1/types.ts';
import { addressText, parseAddressSloppy } from '../../../machinery/scalars/netip.ts';
import type { Collection, ObjectEvent, StoredObject } from '../../../storage/object-store/contract.ts';
import type { ServiceName } from './allocators.ts';
import type { ClusterIPRecord } from './cluster-ip-record.ts';

/** Milliseconds for which an address stays reserved if its write never happens, because its worker thread was ended. */
const reservationMilliseconds = 60_000;

interface Allocation {
  /** namespace/name of the service */
  readonly owner: string;
  /** Set until the service is written. */
  readonly reservedUntil?: number;
}

/**
 * The addresses of all services, for a server without IPAddresses. It reads all services at first, then every change.
 * Only this process knows the reservations, so only one server can allocate addresses in this way.
 */
export class ServiceAddresses implements ClusterIPRecord {
  readonly #allocations = new Map<string, Allocation>();
  readonly #addressesByOwner = new Map<string, readonly string[]>();

  constructor(services: Collection) {
    const snapshot = services.latest();
    for (const service of snapshot.scan()) this.#add(service);
    services.watch({ after: snapshot.revision, onEvent: (event) => this.#update(event) });
  }

  has(address: string, now: number): boolean {
    const allocation = this.#allocations.get(address);
    if (allocation === undefined) return false;
    return allocation.reservedUntil === undefined || allocation.reservedUntil >= now;
  }

  /** Reserves the address for a service that will be written. */
  async add(address: string, service: ServiceName, now: number): Promise<boolean> {
    if (this.has(address, now)) return false;
    this.#allocations.set(address, { owner: ownerOf(service), reservedUntil: now + reservationMilliseconds });
    return true;
  }

  /** Ends the reservation of a service that was not written. */
  async remove(address: string, service: ServiceName): Promise<void> {
    const allocation = this.#allocations.get(address);
    if (allocation?.owner !== ownerOf(service) || allocation.reservedUntil === undefined) return;
    this.#allocations.delete(address);
  }

  #update({ type, object }: ObjectEvent): void {
    const owner = ownerOf(object);
    for (const address of this.#addressesByOwner.get(owner) ?? []) {
      if (this.#allocations.get(address)?.owner === owner) this.#allocations.delete(address);
    }
    this.#addressesByOwner.delete(owner);
    if (type !== 'DELETED') this.#add(object);
  }

  #add(object: StoredObject): void {
    const owner = ownerOf(object);
    const { spec = {} }: Service = object.decode();
    const addresses = (spec.clusterIPs ?? []).flatMap((text) => {
      const address = parseAddressSloppy(text);
      return address === undefined ? [] : addressText(address);
    });
    for (const address of addresses) this.#allocations.set(address, { owner });
    if (addresses.length > 0) this.#addressesByOwner.set(owner, addresses);
  }
}

const ownerOf = ({ namespace, name }: ServiceName): string => `${namespace}/${name}`;
