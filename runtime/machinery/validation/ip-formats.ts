import { isIP } from 'node:net';
import { quote } from '../go/quote.ts';
import { addressText, isAddressError, isMapped, parseAddress } from '../scalars/netip.ts';

/** Returns 4 or 6, or 0 if the value is not an IP address. Leading zeros are accepted. */
export function ipVersion(value: string): number {
  if (value.includes('%')) return 0;
  return isIP(/^[0-9.]+$/.test(value) ? value.replace(/(^|\.)0+(?=\d)/g, '$1') : value);
}

/** The rules of older fields. (IsValidIPForLegacyField) */
export const ipAddress = (value: string): string[] =>
  ipVersion(value) === 0 ? ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'] : [];

/** The rules of newer fields: canonical text, no leading zeros, no IPv4 addresses written as IPv6. (IsValidIP) */
export function strictIPAddress(value: string): string[] {
  const problems = ipAddress(value);
  if (problems.length > 0) return problems;
  const address = parsed(parseAddress, value);
  if (address === undefined) return ['must not have leading 0s'];
  if (isMapped(address)) return ['must not be an IPv4-mapped IPv6 address'];
  return canonical(value, addressText(address));
}

/** Returns the error of a value that is not in canonical form. */
export const canonical = (value: string, text: string): string[] => (value === text ? [] : [`must be in canonical form (${quote(text)})`]);

/** Returns what a text means, or undefined if it is no address. */
export function parsed<T>(parse: (text: string) => T, value: string): T | undefined {
  try {
    return parse(value);
  } catch (error) {
    if (isAddressError(error)) return undefined;
    throw error;
  }
}
