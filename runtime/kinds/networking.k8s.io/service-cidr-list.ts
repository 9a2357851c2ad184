import type { ServiceCIDR } from '../../../generated/v1.35/networking.k8s.io/v1/types.ts';
import { type Address, parsePrefixSloppy, prefixesOverlap } from '../../machinery/scalars/netip.ts';
import { ClusterIPRange } from '../core/service/cluster-ip-range.ts';

/** The networks of all ServiceCIDRs. (pkg/api/servicecidr) */
export class ServiceCIDRList {
  readonly #ranges = new Map<string, readonly ClusterIPRange[]>();

  static of(serviceCIDRs: Iterable<ServiceCIDR>): ServiceCIDRList {
    const list = new ServiceCIDRList();
    for (const each of serviceCIDRs) list.set(each);
    return list;
  }

  set({ metadata: { name = '' }, spec }: ServiceCIDR): void {
    this.#ranges.set(name, rangesOf(spec?.cidrs));
  }

  delete(name: string): void {
    this.#ranges.delete(name);
  }

  /** Returns the names of the ServiceCIDRs that contain the address. (ContainsAddress) */
  containing(address: Address): string[] {
    return this.#named((range) => range.contains(address));
  }

  /** Returns the names of the ServiceCIDRs that overlap with the networks. (OverlapsPrefix) */
  overlapping(cidrs: readonly string[] | undefined): string[] {
    const others = rangesOf(cidrs);
    return this.#named(({ network }) => others.some((other) => prefixesOverlap(network, other.network)));
  }

  /** Reports whether each of the networks is part of a ServiceCIDR with another name. */
  hasParents(name: string, cidrs: readonly string[] | undefined): boolean {
    return rangesOf(cidrs).every(({ network }) =>
      this.#named((range) => range.network.length <= network.length && prefixesOverlap(range.network, network)).some(
        (parent) => parent !== name,
      ),
    );
  }

  #named(matches: (range: ClusterIPRange) => boolean): string[] {
    return [...this.#ranges].filter(([, ranges]) => ranges.some(matches)).map(([name]) => name);
  }
}

const rangesOf = (cidrs: readonly string[] = []): ClusterIPRange[] =>
  cidrs.flatMap((cidr) => {
    const prefix = parsePrefixSloppy(cidr);
    return prefix === undefined ? [] : new ClusterIPRange(prefix);
  });
