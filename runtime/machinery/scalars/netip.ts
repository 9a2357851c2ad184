import { spend } from '../event-loop/budget.ts';
import { quote } from '../go/quote.ts';
import { ipv6Text } from './ipv6.ts';

/** An IP address as parsed by Go's net/netip. */
export interface Address {
  readonly version: 4 | 6;
  /** 32 or 128 bits. */
  readonly bits: bigint;
  readonly zone: string;
}

const lengths = { 4: 32, 6: 128 } as const;
export const bitLength = ({ version }: Address): number => lengths[version];

/** An address does not parse. The message is Go's. */
export class AddressError extends Error {
  readonly isAddressError = true;
}

export function isAddressError(error: unknown): error is AddressError {
  return (error as AddressError | undefined)?.isAddressError === true;
}

function fail(text: string, reason: string, at?: string): never {
  throw new AddressError(`ParseAddr(${quote(text)}): ${reason}${at === undefined ? '' : ` (at ${quote(at)})`}`);
}

/**
 * Parses an IPv4 or IPv6 address, which may have a zone.
 *
 * @throws AddressError
 */
export function parseAddress(text: string): Address {
  spend(text.length * 0.1);
  const first = /[.:%]/.exec(text)?.[0];
  if (first === '.') return { version: 4, bits: parseIPv4(text, text), zone: '' };
  if (first === ':') return parseIPv6(text);
  if (first === '%') fail(text, 'missing IPv6 address');
  return fail(text, 'unable to parse IP');
}

function parseIPv4(whole: string, text: string): bigint {
  const parts = text.split('.');
  let bits = 0n;
  for (const part of parts) {
    if (!/^[0-9]*$/.test(part)) fail(whole, 'unexpected character', text.slice(text.search(/[^0-9.]/)));
    if (part === '') fail(whole, 'IPv4 field must have at least one digit', text);
    if (part.length > 1 && part.startsWith('0')) fail(whole, 'IPv4 field has octet with leading zero');
    if (Number(part) > 255) fail(whole, 'IPv4 field has value >255');
    if (parts.length === 4) bits = (bits << 8n) | BigInt(part);
  }
  if (parts.length > 4) fail(whole, 'IPv4 address too long');
  if (parts.length < 4) fail(whole, 'IPv4 address too short');
  return bits;
}

/** Parses from left to right, so that errors point to the right position. */
function parseIPv6(whole: string): Address {
  const percent = whole.indexOf('%');
  const zone = percent < 0 ? '' : whole.slice(percent + 1);
  if (percent >= 0 && zone === '') fail(whole, 'zone must be a non-empty string');
  let rest = percent < 0 ? whole : whole.slice(0, percent);
  const groups: bigint[] = [];
  let gap: number | undefined;
  if (rest.startsWith('::')) {
    gap = 0;
    rest = rest.slice(2);
  }
  while (rest !== '' && groups.length < 8) {
    const digits = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? '';
    if (digits.length > 4) fail(whole, 'each group must have 4 or less digits', rest);
    if (digits === '') fail(whole, 'each colon-separated field must have at least one digit', rest);
    if (rest[digits.length] === '.') {
      if (gap === undefined && groups.length !== 6) {
        fail(whole, 'embedded IPv4 address must replace the final 2 fields of the address', rest);
      }
      if (groups.length > 6) {
        fail(whole, 'too many hex fields to fit an embedded IPv4 at the end of the address', rest);
      }
      const v4 = parseIPv4(whole, rest);
      groups.push(v4 >> 16n, v4 & 0xffffn);
      rest = '';
      break;
    }
    groups.push(BigInt(`0x${digits}`));
    rest = rest.slice(digits.length);
    if (rest === '') break;
    if (!rest.startsWith(':')) fail(whole, 'unexpected character, want colon', rest);
    if (rest === ':') fail(whole, 'colon must be followed by more characters', rest);
    rest = rest.slice(1);
    if (!rest.startsWith(':')) continue;
    if (gap !== undefined) fail(whole, 'multiple :: in address', rest);
    gap = groups.length;
    rest = rest.slice(1);
  }
  if (rest !== '') fail(whole, 'trailing garbage after address', rest);
  if (groups.length < 8 && gap === undefined) fail(whole, 'address string too short');
  if (groups.length === 8 && gap !== undefined) {
    fail(whole, 'the :: must expand to at least one field of zeros');
  }
  const zeroes = new Array<bigint>(8 - groups.length).fill(0n);
  const all = [...groups.slice(0, gap), ...zeroes, ...groups.slice(gap ?? groups.length)];
  return { version: 6, bits: all.reduce((sum, group) => (sum << 16n) | group, 0n), zone };
}

/** Reports whether an address is an IPv4-mapped IPv6 address, as ::ffff:1.2.3.4. */
export const isMapped = ({ version, bits }: Address): boolean => version === 6 && bits >> 32n === 0xffffn;

/** The canonical form. */
export function addressText({ version, bits }: Address): string {
  if (version === 4) return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join('.');
  return ipv6Text(Array.from({ length: 8 }, (_, i) => Number((bits >> BigInt(112 - 16 * i)) & 0xffffn)));
}

/** A network: an address and the length of its prefix in bits. */
export interface Prefix {
  readonly address: Address;
  readonly length: number;
}

/**
 * Parses `10.0.0.0/8`.
 *
 * @throws AddressError
 */
export function parsePrefix(text: string): Prefix {
  const broken = (reason: string): never => {
    throw new AddressError(`netip.ParsePrefix(${quote(text)}): ${reason}`);
  };
  const slash = text.lastIndexOf('/');
  if (slash < 0) return broken("no '/'");
  let address: Address;
  try {
    address = parseAddress(text.slice(0, slash));
  } catch (error) {
    if (isAddressError(error)) return broken(error.message);
    throw error;
  }
  if (address.zone !== '') return broken('IPv6 zones cannot be present in a prefix');
  const length = text.slice(slash + 1);
  if (!/^(?:0|[1-9][0-9]*)$/.test(length)) return broken(`bad bits after slash: ${quote(length)}`);
  if (Number(length) > bitLength(address)) return broken('prefix length out of range');
  return { address, length: Number(length) };
}

export function maskPrefix({ address, length }: Prefix): Prefix {
  const free = BigInt(bitLength(address) - length);
  return { address: { ...address, bits: (address.bits >> free) << free }, length };
}

export function prefixContains({ address, length }: Prefix, other: Address): boolean {
  if (address.version !== other.version) return false;
  const free = BigInt(bitLength(address) - length);
  return address.bits >> free === other.bits >> free;
}

export const prefixText = ({ address, length }: Prefix): string => `${addressText(address)}/${length}`;

/**
 * Parses like `parseAddress`, but accepts leading zeros in IPv4 addresses, which older fields may contain. Returns
 * undefined for other text and for zones. (ParseIPSloppy)
 */
export function parseAddressSloppy(text: string): Address | undefined {
  const plain = text.includes(':') ? text : text.replace(/(^|\.)0+(?=\d)/g, '$1');
  try {
    const address = parseAddress(plain);
    if (address.zone !== '') return undefined;
    return isMapped(address) ? { version: 4, bits: address.bits & 0xffffffffn, zone: '' } : address;
  } catch (error) {
    if (isAddressError(error)) return undefined;
    throw error;
  }
}

/**
 * Parses like `parsePrefix`, but accepts leading zeros in IPv4 addresses and masks the network. Returns undefined for
 * other text. (ParseCIDRSloppy)
 */
export function parsePrefixSloppy(text: string): Prefix | undefined {
  const slash = text.lastIndexOf('/');
  const address = parseAddressSloppy(text.slice(0, Math.max(slash, 0)));
  const length = text.slice(slash + 1);
  if (address === undefined || !/^[0-9]{1,3}$/.test(length) || Number(length) > bitLength(address)) return undefined;
  return maskPrefix({ address, length: Number(length) });
}

/** Returns the address with all host bits set: the broadcast address of an IPv4 network. */
export function lastAddress(prefix: Prefix): Address {
  const { address, length } = maskPrefix(prefix);
  return addOffset(address, (1n << BigInt(bitLength(address) - length)) - 1n);
}

/** Returns the address `offset` places after another. The result must not pass the last address of the family. */
export const addOffset = (address: Address, offset: bigint): Address => ({ ...address, bits: address.bits + offset });

export const sameAddress = (a: Address, b: Address): boolean => a.version === b.version && a.bits === b.bits;

/** Reports whether two networks share addresses. */
export const prefixesOverlap = (a: Prefix, b: Prefix): boolean =>
  a.length <= b.length ? prefixContains(a, b.address) : prefixContains(b, a.address);

const top = ({ bits, version }: Address, count: number): number => Number(bits >> BigInt((version === 4 ? 32 : 128) - count));

export const isUnspecified = ({ bits }: Address): boolean => bits === 0n;
export const isLoopback = (address: Address): boolean => (address.version === 4 ? top(address, 8) === 127 : address.bits === 1n);
const isMulticast = (address: Address): boolean => (address.version === 4 ? top(address, 4) === 0xe : top(address, 8) === 0xff);
export const isLinkLocalMulticast = (address: Address): boolean =>
  address.version === 4 ? top(address, 24) === 0xe00000 : (top(address, 16) & 0xff0f) === 0xff02;
export const isLinkLocalUnicast = (address: Address): boolean =>
  address.version === 4 ? top(address, 16) === 0xa9fe : top(address, 10) === 0x3fa;

/** Reports whether hosts of other networks may have the address, private networks included. (IP.IsGlobalUnicast) */
export function isGlobalUnicast(address: Address): boolean {
  if (address.version === 4 && (address.bits === 0n || address.bits === 0xffffffffn)) return false;
  return !isUnspecified(address) && !isLoopback(address) && !isMulticast(address) && !isLinkLocalUnicast(address);
}
