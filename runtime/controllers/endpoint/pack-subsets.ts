import type { EndpointAddress, EndpointPort, EndpointSubset } from '../../../generated/v1.35/core/v1/types.ts';
import { defined } from '../../machinery/json/defined.ts';

/** An address with a port, or without any. */
export interface AddressOfPort {
  readonly address: EndpointAddress;
  readonly port: EndpointPort | undefined;
  readonly ready: boolean;
}

/**
 * Joins ports with the same addresses to one subset. Upstream orders subsets and ports by hash, this function by text.
 * (pkg/api/v1/endpoints/util.go RepackSubsets)
 */
export function packSubsets(found: readonly AddressOfPort[]): EndpointSubset[] {
  const byPort = new Map<string, { readonly port: EndpointPort | undefined; readonly ready: Map<string, boolean> }>();
  const addresses = new Map<string, EndpointAddress>();
  for (const { address, port, ready } of found) {
    const key = `${address.ip} ${address.targetRef?.uid}`;
    if (!addresses.has(key)) addresses.set(key, address);
    const text = JSON.stringify(port ?? null);
    const ofPort = byPort.get(text) ?? { port, ready: new Map<string, boolean>() };
    ofPort.ready.set(key, (ofPort.ready.get(key) ?? true) && ready);
    byPort.set(text, ofPort);
  }
  const subsets = new Map<string, EndpointSubset>();
  for (const [, { port, ready }] of [...byPort].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const sorted = [...ready].sort(([a], [b]) => (a < b ? -1 : 1));
    const key = JSON.stringify(sorted);
    const subset = subsets.get(key) ?? {
      addresses: sorted.filter(([, isReady]) => isReady).map(([address]) => addresses.get(address) as EndpointAddress),
      notReadyAddresses: sorted.filter(([, isReady]) => !isReady).map(([address]) => addresses.get(address) as EndpointAddress),
    };
    subsets.set(key, port === undefined ? subset : { ...subset, ports: [...(subset.ports ?? []), port] });
  }
  return [...subsets].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, subset]) => withoutEmptyLists(subset));
}

const withoutEmptyLists = (subset: EndpointSubset): EndpointSubset =>
  Object.fromEntries(Object.entries(subset).filter(([, list]) => list.length > 0));

/** Returns the subsets in a controller's form: ordered, with each address once. (RepackSubsets) */
export function repackSubsets(subsets: readonly EndpointSubset[]): EndpointSubset[] {
  return packSubsets(subsets.flatMap(addressesOf));
}

function addressesOf({ addresses = [], notReadyAddresses = [], ports = [] }: EndpointSubset): AddressOfPort[] {
  const named = ports.map(({ name, port, protocol, appProtocol }) => defined({ name, port, protocol, appProtocol }));
  return (named.length === 0 ? [undefined] : named).flatMap((port) => [
    ...addresses.map((address) => ({ address, port, ready: true })),
    ...notReadyAddresses.map((address) => ({ address, port, ready: false })),
  ]);
}
