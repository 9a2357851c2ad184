import type { EndpointPort, Endpoints } from '../../../generated/v1.35/core/v1/types.ts';
import { hasStatusCode } from '../../machinery/errors/status.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import { parseAddressSloppy } from '../../machinery/scalars/netip.ts';
import type { EndpointsAdapter } from './endpoints-adapter.ts';
import type { MasterLeases } from './master-leases.ts';

const mostAttempts = 10;
const noAddresses = 'no API server IP addresses were listed in storage, refusing to erase all endpoints for the kubernetes Service';

const skipMirrorLabel = 'endpointslice.kubernetes.io/skip-mirror';

/** Keeps the endpoints of the service `kubernetes`. (pkg/controlplane/reconcilers EndpointReconciler) */
export interface EndpointReconciler {
  /** Adds this server. @param reconcilePorts whether to replace ports other than the server's own */
  reconcileEndpoints(reconcilePorts: boolean): Promise<void>;
  /** Removes this server. */
  removeEndpoints(): Promise<void>;
}

/** The addresses and ports of this server for clients. */
export interface EndpointReconcilerOptions {
  readonly adapter: EndpointsAdapter;
  readonly serviceName: string;
  readonly address: string;
  readonly ports: readonly EndpointPort[];
}

/** Keeps the endpoints of all running servers. (reconcilers/lease.go) */
export function newLeaseEndpointReconciler(options: EndpointReconcilerOptions, masterLeases: MasterLeases): EndpointReconciler {
  const { adapter, serviceName, address, ports } = options;
  let isRemoved = false;
  const reconcile = async (reconcilePorts: boolean): Promise<void> => {
    const current = adapter.get(serviceName);
    const addresses = await masterLeases.list();
    if (current === undefined && isRemoved) return;
    if (addresses.length === 0 && !isRemoved) throw new Error(noAddresses);
    const { endpoints, isChanged: isMirrored } = withSkipMirror(current ?? newEndpoints(serviceName));
    const [subset] = endpoints.subsets ?? [];
    const isFormatCorrect = endpoints.subsets?.length === 1;
    const areAddressesCorrect = sameSet(subset?.addresses?.map(({ ip }) => ip) ?? [], addresses);
    const arePortsCorrect = !reconcilePorts || equalJson(subset?.ports, ports);
    if (!isMirrored && isFormatCorrect && areAddressesCorrect && arePortsCorrect) {
      return adapter.ensureEndpointSlice(endpoints);
    }
    const keepsPorts = isFormatCorrect && arePortsCorrect;
    return adapter.write(withSubset(endpoints, addresses, keepsPorts ? (subset?.ports ?? []) : ports));
  };
  return {
    async reconcileEndpoints(reconcilePorts) {
      if (isRemoved) return;
      await masterLeases.update(address);
      await reconcile(reconcilePorts);
    },
    async removeEndpoints() {
      isRemoved = true;
      await masterLeases.remove(address);
      await retryOnConflict(() => reconcile(true));
    },
  };
}

/** Retries conflicts: servers that stop together change the same endpoints. */
async function retryOnConflict(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === mostAttempts || !hasStatusCode(error, 409)) throw error;
    }
  }
}

/** Keeps the endpoints of a fixed number of servers. (reconcilers/instancecount.go) */
export function newMasterCountEndpointReconciler(options: EndpointReconcilerOptions, masterCount: number): EndpointReconciler {
  const { adapter, serviceName, address, ports } = options;
  return {
    async reconcileEndpoints(reconcilePorts) {
      const current = adapter.get(serviceName);
      const { endpoints, isChanged: isMirrored } = withSkipMirror(current ?? newEndpoints(serviceName));
      const [subset, ...others] = endpoints.subsets ?? [];
      if (subset === undefined || others.length > 0) return adapter.write(withSubset(endpoints, [address], ports));
      const addresses = subset.addresses?.map(({ ip }) => ip) ?? [];
      const isAddressCorrect = addresses.includes(address) && addresses.length <= masterCount;
      const arePortsCorrect = !reconcilePorts || equalJson(subset.ports, ports);
      if (!isMirrored && isAddressCorrect && arePortsCorrect) return adapter.ensureEndpointSlice(endpoints);
      const kept = isAddressCorrect ? addresses : withAddress(addresses, address, masterCount);
      return adapter.write(withSubset(endpoints, kept, arePortsCorrect ? (subset.ports ?? []) : ports));
    },
    async removeEndpoints() {
      await retryOnConflict(async () => {
        const current = adapter.get(serviceName);
        const subset = current?.subsets?.[0];
        if (current === undefined || subset === undefined) return;
        const others = (subset.addresses ?? []).map(({ ip }) => ip).filter((ip) => ip !== address);
        await adapter.write(withSubset(current, others, subset.ports ?? []));
      });
    },
  };
}

export const noneEndpointReconciler: EndpointReconciler = {
  reconcileEndpoints: async () => undefined,
  removeEndpoints: async () => undefined,
};

const newEndpoints = (name: string): Endpoints => ({ metadata: { name, namespace: 'default' } });

/** Adds the label that keeps controllers from mirroring the endpoints into more slices. (setSkipMirrorTrue) */
function withSkipMirror(endpoints: Endpoints): { endpoints: Endpoints; isChanged: boolean } {
  const { metadata } = endpoints;
  if (metadata.labels?.[skipMirrorLabel] === 'true') return { endpoints, isChanged: false };
  const labels = { ...metadata.labels, [skipMirrorLabel]: 'true' };
  return { endpoints: { ...endpoints, metadata: { ...metadata, labels } }, isChanged: true };
}

/** Sets the only subset; without addresses, there is none. (RepackSubsets) */
function withSubset(endpoints: Endpoints, addresses: readonly string[], ports: readonly EndpointPort[]): Endpoints {
  const subset = { addresses: sorted(addresses).map((ip) => ({ ip })), ports: [...ports] };
  return { ...endpoints, subsets: addresses.length === 0 ? [] : [subset] };
}

/** Adds the server's address. Surplus addresses after it are removed. */
function withAddress(addresses: readonly string[], own: string, count: number): readonly string[] {
  const all = sorted([...new Set([...addresses, own])]);
  while (all.length > Math.max(count, 1)) all.splice((all.indexOf(own) + 1) % all.length, 1);
  return all;
}

const sameSet = (a: readonly string[], b: readonly string[]): boolean => equalJson(sorted(a), sorted(b));

/** Sorts addresses by their bytes. IPv4 addresses sort as mapped to IPv6. */
const sorted = (addresses: readonly string[]): string[] => {
  const bitsOf = (text: string): bigint => {
    const { version, bits } = parseAddressSloppy(text) ?? { version: 4, bits: 0n };
    return version === 4 ? (0xffffn << 32n) | bits : bits;
  };
  return [...addresses].sort((a, b) => (bitsOf(a) < bitsOf(b) ? -1 : bitsOf(a) > bitsOf(b) ? 1 : 0));
};
