import { isIPv4, isIPv6 } from 'node:net';

/** IP addresses and CIDR blocks of fields that predate strict parsing. (apimachinery pkg/util/validation/ip.go) */

/** Parts of IPv4 addresses may have leading zeros. Zones are rejected. */
function isIp(value: string): boolean {
  const tail = value.lastIndexOf(':') + 1;
  if (tail === 0) return isIPv4(withoutZeroes(value));
  return !value.includes('%') && isIPv6(value.slice(0, tail) + withoutZeroes(value.slice(tail)));
}

const withoutZeroes = (value: string): string => (value.includes('.') ? value.replace(/(^|\.)0+(?=[0-9])/g, '$1') : value);

export function ip(value: string): string[] {
  return isIp(value) ? [] : ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
}

export function cidr(value: string): string[] {
  const [address = '', prefix, ...rest] = value.split('/');
  const bits = /^[0-9]{1,5}$/.test(prefix ?? '') ? Number(prefix) : Number.POSITIVE_INFINITY;
  const good = rest.length === 0 && isIp(address) && bits <= (address.includes(':') ? 128 : 32);
  return good ? [] : ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'];
}
