import { isIPv4, isIPv6 } from 'node:net';
import type { Part } from '../../../machinery/object.ts';
import type { StorageProvider, WriteContext } from '../../../resources/rest.ts';
import type { Collection, ObjectEvent, StoredObject } from '../../../storage/object-store/contract.ts';

export type Family = 'IPv4' | 'IPv6';

interface Network {
  readonly text: string;
  /** How many addresses, with the first and the last, which are nobody's. */
  readonly size: number;
  addressAt(offset: number): string;
  /** Undefined for addresses outside. */
  offsetOf(address: string): number | undefined;
}

const ipv4Start = (10 << 24) | (96 << 16);
const ipv6Prefix = 'fd00:10:96::';

/** (--service-cluster-ip-range; kubeadm's, for a cluster of both families) */
const networks: Readonly<Record<Family, Network>> = {
  IPv4: {
    text: '10.96.0.0/12',
    size: 2 ** 20,
    addressAt: (offset) => [24, 16, 8, 0].map((shift) => ((ipv4Start + offset) >>> shift) & 0xff).join('.'),
    offsetOf(address) {
      if (!isIPv4(address)) return undefined;
      const bits = address.split('.').reduce((sum, part) => (sum << 8) | Number(part), 0);
      return bits - ipv4Start;
    },
  },
  IPv6: {
    text: `${ipv6Prefix}/112`,
    size: 2 ** 16,
    addressAt: (offset) => `${ipv6Prefix}${offset.toString(16)}`,
    offsetOf(address) {
      if (!isIPv6(address)) return undefined;
      const shortest = new URL(`http://[${address}]`).hostname.slice(1, -1);
      if (!shortest.startsWith(ipv6Prefix)) return undefined;
      const rest = shortest.slice(ipv6Prefix.length);
      return /^[0-9a-f]{1,4}$/.test(rest) ? Number.parseInt(rest, 16) : undefined;
    },
  },
};
/** Addresses below are given only to who asks for them, or when all others are gone. (KEP-3070) */
const staticAddresses = 256;

/** (--service-node-port-range) */
const firstPort = 30000;
const lastPort = 32767;
const staticPorts = 86;

/** How long what was given out for a write that never happened stays taken. */
const pendingMilliseconds = 60_000;

interface Claim {
  readonly owner: string;
  /** For what is not written yet. */
  readonly until?: number;
}

/** What of a write counts here. */
export type AddressRequest = Pick<WriteContext, 'now' | 'dryRun'>;

/** Where services get their addresses and node ports. */
export interface ServiceAddressPool {
  /** Any free address of the family, or the one asked for. */
  address(family: Family, owner: string, asked: string, request: AddressRequest): string | Refusal;
  /** Any free node port, or, for one above 0, that one. */
  port(owner: string, asked: number, request: AddressRequest): number | Refusal;
}

export type Refusal = { readonly refused: string };

/**
 * Cluster addresses and node ports in use, one pool a server. What services hold is read from the services themselves:
 * once when the pool is made, then from every change. What is given out is kept for its owner until the service is
 * written, or for a minute.
 */
export class ServiceAddresses implements ServiceAddressPool {
  readonly #claims = new Map<string, Claim>();
  readonly #held = new Map<string, readonly string[]>();

  constructor(services: Collection) {
    const snapshot = services.latest();
    for (const service of snapshot.scan()) this.#hold(service);
    services.watch({ after: snapshot.revision, onEvent: (event) => this.#follow(event) });
  }

  address(family: Family, owner: string, asked: string, context: AddressRequest): string | Refusal {
    const { text, size, addressAt, offsetOf } = networks[family];
    if (asked === '') {
      const keyOf = (offset: number): string => `ip ${addressAt(offset + 1)}`;
      const found = this.#draw(size - 2, staticAddresses, context, keyOf, owner);
      return found === undefined ? { refused: 'range is full' } : addressAt(found + 1);
    }
    const offset = offsetOf(asked) ?? -1;
    if (offset <= 0 || offset >= size - 1) {
      return { refused: `the provided IP (${asked}) is not in the valid range. The range of valid IPs is ${text}` };
    }
    const address = addressAt(offset);
    return this.#claim(`ip ${address}`, owner, context) ? address : { refused: 'provided IP is already allocated' };
  }

  port(owner: string, asked: number, context: AddressRequest): number | Refusal {
    if (asked === 0) {
      const count = lastPort - firstPort + 1;
      const found = this.#draw(count, staticPorts, context, (offset) => `port ${firstPort + offset}`, owner);
      return found === undefined ? { refused: 'range is full' } : firstPort + found;
    }
    if (asked < firstPort || asked > lastPort) {
      const range = `The range of valid ports is ${firstPort}-${lastPort}`;
      return { refused: `provided port is not in the valid range. ${range}` };
    }
    return this.#claim(`port ${asked}`, owner, context) ? asked : { refused: 'provided port is already allocated' };
  }

  /** Begins anywhere above the static part, goes on to its end, and comes to the static part last. */
  #draw(
    count: number,
    reserved: number,
    context: AddressRequest,
    keyOf: (offset: number) => string,
    owner: string,
  ): number | undefined {
    const dynamic = count - reserved;
    const start = Math.floor(Math.random() * dynamic);
    for (let step = 0; step < count; step++) {
      const offset = step < dynamic ? reserved + ((start + step) % dynamic) : step - dynamic;
      if (this.#isFree(keyOf(offset), '', context.now)) {
        this.#claim(keyOf(offset), owner, context);
        return offset;
      }
    }
    return undefined;
  }

  #claim(key: string, owner: string, { now, dryRun }: AddressRequest): boolean {
    if (!this.#isFree(key, owner, now)) return false;
    const mine = this.#claims.get(key);
    const keep = mine?.owner === owner && mine.until === undefined;
    if (!dryRun && !keep) this.#claims.set(key, { owner, until: now + pendingMilliseconds });
    return true;
  }

  #isFree(key: string, owner: string, now: number): boolean {
    const claim = this.#claims.get(key);
    return claim === undefined || claim.owner === owner || (claim.until !== undefined && claim.until < now);
  }

  #follow({ type, object }: ObjectEvent): void {
    const owner = ownerOf(object);
    for (const key of this.#held.get(owner) ?? []) {
      if (this.#claims.get(key)?.owner === owner) this.#claims.delete(key);
    }
    this.#held.delete(owner);
    if (type !== 'DELETED') this.#hold(object);
  }

  #hold(object: StoredObject): void {
    const owner = ownerOf(object);
    const spec: Part = object.decode().spec ?? {};
    const ports = [...(spec.ports ?? []).map(({ nodePort }: Part) => nodePort), spec.healthCheckNodePort];
    const keys = [
      ...(spec.clusterIPs ?? []).filter((ip: string) => ip !== '' && ip !== 'None').map((ip: string) => `ip ${ip}`),
      ...ports.filter(Boolean).map((port) => `port ${port}`),
    ];
    for (const key of keys) this.#claims.set(key, { owner });
    if (keys.length > 0) this.#held.set(owner, keys);
  }
}

const pools = new WeakMap<StorageProvider, Promise<ServiceAddressPool>>();

/** The one pool of a server. */
export function serviceAddresses(stores: StorageProvider): Promise<ServiceAddressPool> {
  let pool = pools.get(stores);
  if (pool === undefined) {
    pool = stores.named('', 'v1', 'services').then(({ collection }) => new ServiceAddresses(collection));
    pools.set(stores, pool);
  }
  return pool;
}

/** The pool is somewhere else. Call it before anybody asks for an address. */
export function setServiceAddresses(stores: StorageProvider, pool: ServiceAddressPool): void {
  pools.set(stores, Promise.resolve(pool));
}

export function isRefusal(answer: unknown): answer is Refusal {
  return typeof answer === 'object' && answer !== null && 'refused' in answer;
}

const ownerOf = ({ namespace, name }: { namespace: string; name: string }): string => `${namespace}/${name}`;
