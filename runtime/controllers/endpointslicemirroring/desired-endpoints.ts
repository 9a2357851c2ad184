import type { EndpointAddress, Endpoints } from '../../../generated/v1.35/core/v1/types.ts';
import type { Endpoint, EndpointPort } from '../../../generated/v1.35/discovery.k8s.io/v1/types.ts';
import { defined } from '../../machinery/json/defined.ts';
import { addressText, parseAddressSloppy } from '../../machinery/scalars/netip.ts';
import { repackSubsets } from '../endpoint/pack-subsets.ts';
import { type AddressType, endpointKey, portMapKey } from '../endpointslice/pod-endpoint.ts';

/** The maximum number of mirrored addresses of a subset. (--mirroring-max-endpoints-per-subset) */
export const maxEndpointsPerSubset = 1000;

/** The desired content of one slice: addresses of one type with the same ports. */
export interface DesiredSlice {
  readonly addressType: AddressType;
  readonly ports: readonly EndpointPort[];
  /** Endpoints by key. */
  readonly endpoints: Map<string, Endpoint>;
}

export interface DesiredSlices {
  readonly slices: Map<string, DesiredSlice>;
  /** The number of invalid addresses. */
  readonly invalid: number;
  /** The number of addresses that are not mirrored, including the invalid ones. */
  readonly skipped: number;
}

/** Returns a key that is equal for slices of the same type and ports. (addrTypePortMapKey) */
export const sliceKey = (addressType: string, ports: readonly EndpointPort[] | null | undefined): string =>
  `${addressType}-${portMapKey(ports)}`;

/** (endpointslicemirroring reconciler.go reconcile, desiredCalc) */
export function desiredSlices({ subsets = [] }: Endpoints): DesiredSlices {
  const slices = new Map<string, DesiredSlice>();
  let [invalid, skipped] = [0, 0];
  for (const { ports = [], addresses = [], notReadyAddresses = [] } of repackSubsets(subsets)) {
    const bothTypes = slicesOf(
      ports.map(({ name = '', port, protocol = 'TCP', appProtocol }) => ({
        name,
        port,
        protocol,
        ...defined({ appProtocol }),
      })),
    );
    for (const slice of bothTypes) slices.set(sliceKey(slice.addressType, slice.ports), slice);
    const all = [
      ...addresses.map((address) => ({ address, ready: true })),
      ...notReadyAddresses.map((address) => ({ address, ready: false })),
    ];
    let added = 0;
    for (const { address, ready } of all) {
      if (added >= maxEndpointsPerSubset) break;
      const found = endpointOf(address, ready);
      if (found === undefined) invalid++;
      else {
        bothTypes[found.isIPv6 ? 1 : 0].endpoints.set(endpointKey(found.endpoint), found.endpoint);
        added++;
      }
    }
    skipped += all.length - added;
  }
  return { slices, invalid, skipped };
}

const slicesOf = (ports: readonly EndpointPort[]): readonly [DesiredSlice, DesiredSlice] => [
  { addressType: 'IPv4', ports, endpoints: new Map() },
  { addressType: 'IPv6', ports, endpoints: new Map() },
];

/** (addressToEndpoint) */
function endpointOf(
  { ip, hostname, nodeName, targetRef }: EndpointAddress,
  ready: boolean,
): { readonly endpoint: Endpoint; readonly isIPv6: boolean } | undefined {
  const address = parseAddressSloppy(ip);
  if (address === undefined) return undefined;
  const endpoint: Endpoint = {
    // in canonical form, independent of the form in the Endpoints
    addresses: [addressText(address)],
    conditions: { ready },
    ...(hostname ? { hostname } : {}),
    ...defined({ targetRef, nodeName }),
  };
  return { endpoint, isIPv6: address.version === 6 };
}
