import { isIP } from 'node:net';
import { isDomainName } from '../../machinery/go/no-such-host.ts';

/**
 * Reports whether the system's resolver may look up a host. False for `0x7f.1` and `2130706433`: the C library reads
 * them as IP addresses, but checks of IP addresses do not. (net ParseAddr)
 */
export function mayBeResolved(host: string): boolean {
  if (isIP(host) !== 0) return true;
  return isDomainName(host) && !isOnion(host) && !/(?:^|\.)(?:\d+|0x[\da-f]*)\.?$/i.test(host);
}

/** Reports whether a host is an onion name of Tor, which resolvers must not look up. (RFC 7686) */
export const isOnion = (host: string): boolean => /\.onion\.?$/i.test(host);
