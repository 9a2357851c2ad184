import { isMapped, maskPrefix, parseAddressSloppy, parsePrefix, parsePrefixSloppy, prefixText } from '../../machinery/scalars/netip.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { canonical, ipAddress, ipVersion, parsed, strictIPAddress } from '../../machinery/validation/ip-formats.ts';
import { validateFormat } from './fields.ts';

/* Rules of addresses and networks. Older fields have looser ones, ForLegacyField. (apimachinery pkg/util/validation/ip.go) */

/** (IsValidIPForLegacyField) */
export const validateIP = (value: string, field: Field): void => validateFormat(value, ipAddress, field);

/** Returns 4 or 6, or 0 if the value is not a CIDR. */
export function cidrVersion(value: string): number {
  const match = /^([^/]+)\/(\d{1,3})$/.exec(value);
  const version = ipVersion(match?.[1] ?? '');
  return Number(match?.[2]) <= (version === 4 ? 32 : 128) ? version : 0;
}

/** (IsValidCIDRForLegacyField) */
export function validateCIDR(value: string, field: Field): void {
  if (cidrVersion(value) !== 0) return;
  field.invalid(value, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)');
}

/** (IsValidIP) */
export const validateStrictIP = (value: string, field: Field): void => validateFormat(value, strictIPAddress, field);

/** The rules of newer fields for networks. (IsValidCIDR) */
export function validateStrictCIDR(value: string, field: Field): void {
  if (cidrVersion(value) === 0) {
    validateCIDR(value, field);
    return;
  }
  const prefix = parsed(parsePrefix, value);
  if (prefix === undefined) field.invalid(value, 'must not have leading 0s in IP or prefix length');
  else if (isMapped(prefix.address)) field.invalid(value, 'must not have an IPv4-mapped IPv6 address');
  else if (maskPrefix(prefix).address.bits !== prefix.address.bits) {
    field.invalid(value, 'must not have bits set beyond the prefix length');
  } else validateCanonical(value, prefixText(prefix), field);
}

/** An address with the length of its network's prefix, in canonical form. (IsValidInterfaceAddress) */
export function validateInterfaceAddress(value: string, field: Field): void {
  const prefix = parsePrefixSloppy(value);
  const address = parseAddressSloppy(value.slice(0, value.lastIndexOf('/')));
  if (prefix === undefined || address === undefined) {
    field.invalid(value, 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)');
  } else validateCanonical(value, prefixText({ address, length: prefix.length }), field);
}

const validateCanonical = (value: string, text: string, field: Field): void => validateFormat(value, () => canonical(value, text), field);

/** The caller has checked that the address is valid. (ValidateEndpointIP) */
export function validateEndpointIP(ip: string, field: Field): void {
  const address = parseAddressSloppy(ip);
  if (address === undefined) return;
  const { version, bits } = address;
  const isIn = (network4: bigint, length4: number, network6: bigint, length6: number): boolean =>
    version === 4 ? bits >> BigInt(32 - length4) === network4 : bits >> BigInt(128 - length6) === network6;
  if (bits === 0n) field.invalid(ip, `may not be unspecified (${ip})`);
  if (isIn(127n, 8, 1n, 128)) field.invalid(ip, 'may not be in the loopback range (127.0.0.0/8, ::1/128)');
  if (isIn(0xa9fen, 16, 0x3fan, 10)) {
    field.invalid(ip, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)');
  }
  if (version === 4 ? bits >> 8n === 0xe00000n : ((bits >> 112n) & 0xff0fn) === 0xff02n) {
    field.invalid(ip, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)');
  }
}
