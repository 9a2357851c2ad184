import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import type { Node } from '../../../generated/v1.35/core/v1/types.ts';
import { mayBeResolved } from '../../client/transport/resolvable.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';
import { badRequest, plainError } from '../../machinery/errors/status.ts';
import { noSuchHost } from '../../machinery/go/no-such-host.ts';
import { isGlobalUnicast, parseAddressSloppy } from '../../machinery/scalars/netip.ts';

/** The choice among a node's addresses for its kubelet. (KubeletClientConfig) */
export interface AddressOptions {
  /** Types of addresses, the most preferred first. */
  readonly preferredAddressTypes: readonly string[];
  /** The port of a kubelet whose node has no port in its status. */
  readonly defaultPort: number;
}

/** The address of a node's kubelet. */
export interface ConnectionInfo {
  readonly host: string;
  readonly port: number;
}

/** (NodeConnectionInfoGetter.GetConnectionInfo) @throws StatusError 500 for a node without such an address */
export function connectionInfoOf(node: Node, { preferredAddressTypes, defaultPort }: AddressOptions): ConnectionInfo {
  const { addresses = [], daemonEndpoints } = node.status ?? {};
  const preferred = preferredAddressTypes.map((type) => addresses.find((one) => one.type === type));
  const address = preferred.find((one) => one !== undefined);
  if (address === undefined) {
    const known = addresses.map((one) => `{${one.type} ${one.address}}`).join(' ');
    throw plainError(`no preferred addresses found; known addresses: [${known}]`);
  }
  const port = daemonEndpoints?.kubeletEndpoint?.Port ?? 0;
  return { host: address.address, port: port > 0 ? port : defaultPort };
}

/**
 * Resolves a host for a proxy and checks its addresses. The returned lookup gives only the checked addresses.
 * (isProxyableHostname)
 *
 * @throws StatusError 400 for a host with an address that is not proxyable
 */
export async function lookupProxyable(hostname: string): Promise<LookupFunction> {
  const addresses = await addressesOf(hostname).catch(() => {
    throw badRequest(noSuchHost(hostname));
  });
  if (addresses.length === 0) throw badRequest('no addresses for hostname');
  for (const { address } of addresses) {
    const parsed = parseAddressSloppy(address);
    if (parsed === undefined || !isGlobalUnicast(parsed)) throw badRequest('address not allowed');
  }
  return (_hostname, { all }, done) => {
    if (all) done(null, addresses);
    else {
      const { address, family } = elementAt(addresses, 0);
      done(null, address, family);
    }
  };
}

async function addressesOf(hostname: string): Promise<LookupAddress[]> {
  if (!mayBeResolved(hostname)) throw new Error('no such host');
  return lookup(hostname, { all: true });
}
