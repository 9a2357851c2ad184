import type { Node } from '../../../generated/v1.35/core/v1/types.ts';
import {
  addOffset,
  addressText,
  parseAddress,
  parseAddressSloppy,
  parsePrefix,
  prefixContains,
  prefixText,
} from '../../machinery/scalars/netip.ts';

/** The network of simulated nodes and pods, outside of the default range of services, 10.96.0.0/12. */
const podNetwork = parsePrefix('10.128.0.0/9');
/** Reports whether an address is in the network of simulated pods. */
export function isPodAddress(host: string): boolean {
  const address = parseAddressSloppy(host);
  return address !== undefined && prefixContains(podNetwork, address);
}

const nodeNetwork = parseAddress('172.16.0.2');
const maxNodes = 2 ** 20 - 3;

export interface NodeNetwork {
  /** The range of the node's pods. */
  readonly podCIDR: string;
  readonly address: string;
}

/**
 * Gives each node an address and a range for its pods. Stored nodes keep theirs. (Upstream: a cloud's network, and
 * pkg/controller/nodeipam)
 */
export class AddressPlan {
  readonly #rangeLength: number;
  readonly #taken = new Set<string>();
  readonly #ofNode = new Map<string, readonly string[]>();
  readonly #planned = new Map<string, NodeNetwork>();
  #next = 0;

  /** @param podsPerNode the least number of pods for which a node's range has room */
  constructor(podsPerNode: number) {
    const bits = Math.ceil(Math.log2(Math.max(256, podsPerNode + 3)));
    this.#rangeLength = Math.max(32 - bits, podNetwork.length + 1);
  }

  /** Marks the address and range of a stored node as taken. */
  take({ metadata, spec, status }: Node): void {
    this.#own(metadata.name ?? '', [spec?.podCIDR, internalAddressOf(status)]);
  }

  release(name: string): void {
    for (const taken of this.#ofNode.get(name) ?? []) this.#taken.delete(taken);
    this.#ofNode.delete(name);
    this.#planned.delete(name);
  }

  /** Returns an address and a range that no other node has; undefined if none is left. */
  of(name: string): NodeNetwork | undefined {
    const planned = this.#planned.get(name) ?? this.#plan(name);
    if (planned !== undefined) this.#planned.set(name, planned);
    return planned;
  }

  #plan(name: string): NodeNetwork | undefined {
    const ranges = 2 ** (this.#rangeLength - podNetwork.length);
    const count = Math.min(ranges, maxNodes);
    for (let tries = 0; tries < count; tries++) {
      const range = addOffset(podNetwork.address, BigInt(this.#next) << BigInt(32 - this.#rangeLength));
      const podCIDR = prefixText({ address: range, length: this.#rangeLength });
      const address = addressText(addOffset(nodeNetwork, BigInt(this.#next)));
      // addresses of deleted nodes are reused last, because their pods may still exist
      this.#next = (this.#next + 1) % count;
      if (this.#taken.has(podCIDR) || this.#taken.has(address)) continue;
      this.#own(name, [podCIDR, address]);
      return { podCIDR, address };
    }
    return undefined;
  }

  #own(name: string, given: readonly (string | undefined)[]): void {
    const before = this.#ofNode.get(name) ?? [];
    const added = given.filter((one) => one !== undefined && one !== '' && !before.includes(one)) as string[];
    for (const one of added) this.#taken.add(one);
    if (added.length > 0) this.#ofNode.set(name, [...before, ...added]);
  }
}

export const internalAddressOf = (status: Node['status']): string | undefined =>
  status?.addresses?.find(({ type }) => type === 'InternalIP')?.address;
