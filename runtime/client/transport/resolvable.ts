import { isIP } from 'node:net';

/**
 * Whether the system may be asked for the addresses of a host. The C library takes `0x7f.1` and `2130706433` for IP addresses, which
 * nobody who checks addresses does. (net ParseAddr)
 */
export function mayBeResolved(host: string): boolean {
  if (isIP(host) !== 0) return true;
  return host !== '' && !/(?:^|\.)(?:\d+|0x[\da-f]*)\.?$/i.test(host);
}
