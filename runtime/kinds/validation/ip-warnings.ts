import { isIPv4, isIPv6 } from 'node:net';
import { quote } from '../../machinery/go/quote.ts';
import { ipv6Text } from '../../machinery/scalars/ipv6.ts';

/**
 * Addresses and blocks that are let pass and should be written otherwise, in fields older than strict parsing.
 * (apimachinery pkg/util/validation/ip.go GetWarningsForIP, GetWarningsForCIDR)
 */

/** Eight groups; of an IPv4 address those of ::ffff:a.b.c.d, as Go's net.IP has it. */
interface Address {
  readonly groups: readonly number[];
  readonly version: 4 | 6;
}

/** The everyday case, told without parsing. */
const plainIPv4 = /^(?:0|[1-9][0-9]{0,2})(?:\.(?:0|[1-9][0-9]{0,2})){3}$/;

const future = 'will be considered invalid in a future Kubernetes release: use';

/** What is said of an address at `path`; nothing of what is no address. */
export function addIPWarnings(path: string, value: string, warnings: string[]): void {
  if (plainIPv4.test(value)) return;
  const address = parseAddress(value);
  if (address === undefined) return;
  const better = quote(addressText(address.groups));
  if (!isStandard(value, address)) {
    warnings.push(`${path}: non-standard IP address ${quote(value)} ${future} ${better}`);
  } else if (quote(value) !== better) {
    warnings.push(`${path}: IPv6 address ${quote(value)} should be in RFC 5952 canonical format (${better})`);
  }
}

/** What is said of a block at `path`; nothing of what is no block. */
export function addCIDRWarnings(path: string, value: string, warnings: string[]): void {
  const match = /^([^/]+)\/([0-9]{1,5})$/.exec(value);
  const address = match ? parseAddress(match[1]) : undefined;
  if (match === null || address === undefined) return;
  const bits = address.version === 4 ? 32 : 128;
  const length = Number(match[2]);
  if (length > bits) return;
  const network = masked(address.groups, 128 - bits + length);
  const block = quote(blockText(network, 128 - bits + length));
  const before = warnings.length;
  if (!network.every((group, index) => group === address.groups[index])) {
    const single = quote(`${addressText(address.groups)}/${bits}`);
    warnings.push(
      `${path}: CIDR value ${quote(value)} is ambiguous in this context (should be ${block} or ${single}?)`,
    );
  }
  if (!isStandard(match[1], address) || String(length) !== match[2]) {
    warnings.push(`${path}: non-standard CIDR value ${quote(value)} ${future} ${block}`);
  }
  if (warnings.length === before && quote(value) !== block) {
    warnings.push(`${path}: IPv6 CIDR value ${quote(value)} should be in RFC 5952 canonical format (${block})`);
  }
}

const withoutZeroes = (text: string): string =>
  text
    .split('.')
    .map((part) => (/^[0-9]+$/.test(part) ? part.replace(/^0+(?=[0-9])/, '') : part))
    .join('.');

/** Leading zeroes of decimal parts are let pass, zones are not. */
function parseAddress(value: string): Address | undefined {
  if (!value.includes(':')) {
    const plain = withoutZeroes(value);
    return isIPv4(plain) ? { groups: [0, 0, 0, 0, 0, 0xffff, ...pairs(plain)], version: 4 } : undefined;
  }
  const tail = value.slice(value.lastIndexOf(':') + 1);
  const plain = tail.includes('.') ? value.slice(0, -tail.length) + withoutZeroes(tail) : value;
  if (!isIPv6(plain) || plain.includes('%')) return undefined;
  const [head, rest] = plain.split('::').map(groupsOf);
  if (rest === undefined) return { groups: head, version: 6 };
  return { groups: [...head, ...new Array<number>(8 - head.length - rest.length).fill(0), ...rest], version: 6 };
}

const groupsOf = (text: string): number[] =>
  text === ''
    ? []
    : text.split(':').flatMap((part) => (part.includes('.') ? pairs(part) : [Number.parseInt(part, 16)]));

/** The two groups of a dotted address. */
function pairs(dotted: string): number[] {
  const [a, b, c, d] = dotted.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
}

const isMapped = (groups: readonly number[]): boolean =>
  groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);

/** Whether strict parsers take the address for what it is: no leading zeroes, no IPv4 address in IPv6's clothing. */
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

/** A block of IPv4 addresses, in whichever clothing, is told with their 32 bits. */
const blockText = (network: readonly number[], length: number): string =>
  `${addressText(network)}/${isMapped(network) ? Math.max(length - 96, 0) : length}`;

/** The canonical text. (RFC 5952) */
function addressText(groups: readonly number[]): string {
  if (isMapped(groups)) return [groups[6] >> 8, groups[6] & 255, groups[7] >> 8, groups[7] & 255].join('.');
  return ipv6Text(groups);
}
