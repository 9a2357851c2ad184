import { isIPv4, isIPv6 } from 'node:net';
import { quote } from '../../machinery/go/quote.ts';
import { ipv6Text } from '../../machinery/scalars/ipv6.ts';

/**
 * Warnings about addresses and CIDRs that are valid only in fields older than strict parsing, or not canonical.
 * (apimachinery pkg/util/validation/ip.go)
 */

/** Eight groups. An IPv4 address is stored as ::ffff:a.b.c.d, as in Go's net.IP. */
interface Address {
  readonly groups: readonly number[];
  readonly version: 4 | 6;
}

/** Addresses that need no warning, recognized without parsing. */
const plainIPv4 = /^(?:0|[1-9][0-9]{0,2})(?:\.(?:0|[1-9][0-9]{0,2})){3}$/;

const future = 'will be considered invalid in a future Kubernetes release: use';

/** Adds the warnings about an IP address. Adds none if the value is not an address. (GetWarningsForIP) */
export function addIPWarnings(path: string, value: string, warnings: string[]): void {
  if (plainIPv4.test(value)) return;
  const address = parseAddress(value);
  if (address === undefined) return;
  const canonical = quote(addressText(address.groups));
  if (!isStandard(value, address)) {
    warnings.push(`${path}: non-standard IP address ${quote(value)} ${future} ${canonical}`);
  } else if (quote(value) !== canonical) {
    warnings.push(`${path}: IPv6 address ${quote(value)} should be in RFC 5952 canonical format (${canonical})`);
  }
}

/** Adds the warnings about a CIDR. Adds none if the value is not a CIDR. (GetWarningsForCIDR) */
export function addCIDRWarnings(path: string, value: string, warnings: string[]): void {
  const [, written, bits = ''] = /^([^/]+)\/([0-9]{1,5})$/.exec(value) ?? [];
  const address = written === undefined ? undefined : parseAddress(written);
  if (written === undefined || address === undefined) return;
  const width = address.version === 4 ? 32 : 128;
  const length = Number(bits);
  if (length > width) return;
  const network = masked(address.groups, 128 - width + length);
  const cidr = quote(cidrText(network, 128 - width + length));
  const before = warnings.length;
  if (!network.every((group, index) => group === address.groups[index])) {
    const single = quote(`${addressText(address.groups)}/${width}`);
    warnings.push(`${path}: CIDR value ${quote(value)} is ambiguous in this context (should be ${cidr} or ${single}?)`);
  }
  if (!isStandard(written, address) || String(length) !== bits) {
    warnings.push(`${path}: non-standard CIDR value ${quote(value)} ${future} ${cidr}`);
  }
  if (warnings.length === before && quote(value) !== cidr) {
    warnings.push(`${path}: IPv6 CIDR value ${quote(value)} should be in RFC 5952 canonical format (${cidr})`);
  }
}

const withoutLeadingZeros = (text: string): string =>
  text
    .split('.')
    .map((part) => (/^[0-9]+$/.test(part) ? part.replace(/^0+(?=[0-9])/, '') : part))
    .join('.');

/** Parses an address. Accepts leading zeros of decimal parts, but no zones. */
function parseAddress(value: string): Address | undefined {
  if (!value.includes(':')) {
    const plain = withoutLeadingZeros(value);
    return isIPv4(plain) ? { groups: [0, 0, 0, 0, 0, 0xffff, ...pairs(plain)], version: 4 } : undefined;
  }
  const tail = value.slice(value.lastIndexOf(':') + 1);
  const plain = tail.includes('.') ? value.slice(0, -tail.length) + withoutLeadingZeros(tail) : value;
  if (!isIPv6(plain) || plain.includes('%')) return undefined;
  const [head = [], rest] = plain.split('::').map(groupsOf);
  if (rest === undefined) return { groups: head, version: 6 };
  return { groups: [...head, ...new Array<number>(8 - head.length - rest.length).fill(0), ...rest], version: 6 };
}

const groupsOf = (text: string): number[] =>
  text === '' ? [] : text.split(':').flatMap((part) => (part.includes('.') ? pairs(part) : [Number.parseInt(part, 16)]));

/** Returns the two groups of a dotted IPv4 address. */
function pairs(dotted: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = dotted.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
}

const isMapped = (groups: readonly number[]): boolean => groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);

/**
 * Reports whether strict parsers accept the address: it has no leading zeros, and is not an IPv4 address written as
 * IPv6.
 */
function isStandard(value: string, { groups, version }: Address): boolean {
  if (version === 4) return plainIPv4.test(value);
  const tail = value.slice(value.lastIndexOf(':') + 1);
  return !isMapped(groups) && (!tail.includes('.') || plainIPv4.test(tail));
}

const masked = (groups: readonly number[], length: number): number[] =>
  groups.map((group, index) => {
    const kept = Math.min(Math.max(length - 16 * index, 0), 16);
    return group & ((0xffff << (16 - kept)) & 0xffff);
  });

/** Returns the canonical text. A CIDR of IPv4 addresses has at most 32 bits, even if it is written as IPv6. */
const cidrText = (network: readonly number[], length: number): string =>
  `${addressText(network)}/${isMapped(network) ? Math.max(length - 96, 0) : length}`;

/** Returns the canonical text. (RFC 5952) */
function addressText(groups: readonly number[]): string {
  const [high = 0, low = 0] = groups.slice(6);
  if (isMapped(groups)) return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return ipv6Text(groups);
}
