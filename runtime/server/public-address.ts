import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { ServerOptions } from '../options/server-options.ts';

/**
 * Returns the server's address for others: the option's, or the bind address. As in kube-apiserver, it is never a
 * loopback address, which Endpoints must not contain; then it is an address of the host. Returns undefined if the host
 * has no address of the family. (apiserver pkg/server/options DefaultAdvertiseAddress)
 */
export function publicAddress({ advertiseAddress, bindAddress = '127.0.0.1' }: ServerOptions, version: 4 | 6): string | undefined {
  if (advertiseAddress !== undefined) return advertiseAddress;
  if (isIP(bindAddress) === version && isReachable(bindAddress)) return bindAddress;
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return addresses.find(({ address, internal }) => !internal && isIP(address) === version && isReachable(address))?.address;
}

/** Reports whether an address is neither loopback, nor link-local, nor unspecified. */
function isReachable(address: string): boolean {
  const local = /^(127\.|169\.254\.|0\.0\.0\.0$|::1?$|fe[89ab][0-9a-f]:)/i;
  return !local.test(address);
}
