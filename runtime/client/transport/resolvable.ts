import { isIP } from 'node:net';
import { isDomainName } from '../../machinery/go/no-such-host.ts';

/**
 * Reports whether the system may resolve a host. The C library accepts `0x7f.1` and `2130706433` as IP addresses, which
 * checks of addresses do not. (net ParseAddr)
 */
export function mayBeResolved(host: string): boolean {
  if (isIP(host) !== 0) return true;
  return isDomainName(host) && !isOnion(host) && !/(?:^|\.)(?:\d+|0x[\da-f]*)\.?$/i.test(host);
}

/** Whether a name is one of Tor, which a resolver is not asked about. (RFC 7686) */
export const isOnion = (host: string): boolean => /\.onion\.?$/i.test(host);
