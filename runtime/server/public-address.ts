import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { ServerOptions } from '../options/server-options.ts';

/**
 * The address under which others reach the server: that of the option, or the one it binds. As kube-apiserver, it is never a
 * loopback address, which Endpoints must not have; then an address of the host is taken. Undefined if there is none of the
 * family. (apiserver pkg/server/options DefaultAdvertiseAddress)
 */
export function publicAddress({ advertiseAddress, bindAddress = '127.0.0.1' }: ServerOptions, version: 4 | 6): string | undefined {
  if (advertiseAddress !== undefined) return advertiseAddress;
  if (isIP(bindAddress) === version && isReachable(bindAddress)) return bindAddress;
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return addresses.find(({ address, internal }) => !internal && isIP(address) === version && isReachable(address))?.address;
}

/** Neither a loopback address, nor one of a single link, nor none in particular. */
function isReachable(address: string): boolean {
  const local = /^(127\.|169\.254\.|0\.0\.0\.0$|::1?$|fe[89ab][0-9a-f]:)/i;
  return !local.test(address);
}
