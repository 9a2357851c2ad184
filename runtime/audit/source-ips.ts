import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { BoundedMap } from '../machinery/collections/bounded-map.ts';
import { ipv6Text } from '../machinery/scalars/ipv6.ts';

/**
 * Returns the distinct source addresses of a request: from X-Forwarded-For, X-Real-Ip, and the peer. Clients can forge
 * all but the last. (apimachinery pkg/util/net SourceIPs)
 */
export function sourceIPs({ headers, rawHeaders, socket }: IncomingMessage): readonly string[] {
  if (headers['x-forwarded-for'] === undefined && headers['x-real-ip'] === undefined) return peerOnly(socket);
  const ips: string[] = [];
  if (headers['x-forwarded-for'] !== undefined) {
    for (const part of firstHeader(rawHeaders, 'x-forwarded-for').split(',')) {
      const ip = canonicalIP(part.trim());
      if (ip !== undefined) ips.push(ip);
    }
  }
  if (headers['x-real-ip'] !== undefined) {
    const ip = canonicalIP(firstHeader(rawHeaders, 'x-real-ip'));
    if (ip !== undefined && !ips.includes(ip)) ips.push(ip);
  }
  const [remote] = peerOnly(socket);
  if (remote !== undefined && ips.at(-1) !== remote) ips.push(remote);
  return ips;
}

/** Results by peer address: most requests come from few peers. */
const peers = new BoundedMap<string, readonly string[]>(256);

function peerOnly({ remoteAddress = '' }: IncomingMessage['socket']): readonly string[] {
  let peer = peers.get(remoteAddress);
  if (peer === undefined) {
    const ip = canonicalIP(remoteAddress);
    peer = ip === undefined ? [] : [ip];
    peers.set(remoteAddress, peer);
  }
  return peer;
}

function firstHeader(rawHeaders: readonly string[], name: string): string {
  for (const [at, header] of rawHeaders.entries()) {
    if (at % 2 === 0 && header.toLowerCase() === name) return rawHeaders[at + 1] ?? '';
  }
  return '';
}

const decimals = /^(\d{1,10})\.(\d{1,10})\.(\d{1,10})\.(\d{1,10})$/;

/**
 * Returns the address in Go's notation; undefined for other text. Numbers with leading zeroes are decimal.
 * (ParseIPSloppy)
 */
function canonicalIP(text: string): string | undefined {
  const match = decimals.exec(text);
  if (match !== null) {
    const numbers = match.slice(1).map(Number);
    return numbers.some((number) => number > 255) ? undefined : numbers.join('.');
  }
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const groups = ipv6Groups(text);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (!isMapped) return ipv6Text(groups);
  const [high = 0, low = 0] = groups.slice(6);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Returns the eight groups of a valid address. */
function ipv6Groups(text: string): number[] {
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text);
  let hex = text;
  if (dotted !== null) {
    const [a = 0, b = 0, c = 0, d = 0] = dotted.slice(1).map(Number);
    hex = `${text.slice(0, dotted.index)}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  }
  const [head, tail] = hex.split('::');
  const groups = (part: string | undefined): number[] => (part ? part.split(':').map((group) => Number.parseInt(group, 16)) : []);
  const [before, after] = [groups(head), groups(tail)];
  return [...before, ...Array(8 - before.length - after.length).fill(0), ...after];
}
