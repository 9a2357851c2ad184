import { domainToASCII } from 'node:url';
import { type GoURL, parseGoURL } from '../../machinery/go/url.ts';
import { splitURLHost } from '../../machinery/go/url-host.ts';
import {
  type Address,
  isLoopback,
  isMapped,
  type Prefix,
  parseAddress,
  parsePrefix,
  prefixContains,
  sameAddress,
} from '../../machinery/scalars/netip.ts';

import type { Dial } from './dial.ts';

/** Returns the proxy for a URL; undefined for a direct connection. */
export type ProxyFor = (url: Pick<GoURL, 'scheme' | 'host'>) => GoURL | undefined;

type Environment = Readonly<Record<string, string | undefined>>;

/** Reports whether an entry of NO_PROXY matches a host. */
type Matcher = (host: string, port: string, ip: Address | undefined) => boolean;

const defaultPorts: Readonly<Record<string, string>> = { http: '80', https: '443' };

/**
 * Returns the proxies of an environment: HTTP_PROXY and HTTPS_PROXY, except for the hosts of NO_PROXY, localhost and
 * loopback addresses. Lower-case names count too. (golang.org/x/net/http/httpproxy)
 */
export function proxyFromEnvironment(environment: Environment = process.env): ProxyFor {
  const value = (name: string): string => environment[name] || environment[name.toLowerCase()] || '';
  const proxies: Readonly<Record<string, GoURL | undefined>> = {
    http: environment.REQUEST_METHOD ? undefined : parseProxy(value('HTTP_PROXY')),
    https: parseProxy(value('HTTPS_PROXY')),
  };
  const isDirect = directHosts(value('NO_PROXY'));
  return ({ scheme, host }) => {
    const proxy = proxies[scheme];
    if (proxy === undefined) return undefined;
    const { name, port } = splitURLHost(host);
    return isDirect(name.toLowerCase(), port || defaultPorts[scheme] || '') ? undefined : proxy;
  };
}

/** Returns the proxies of the environment. Undefined for a custom dial function, whose network has no such proxies. */
export const proxyUnlessDialed = (dial: Dial | undefined): ProxyFor | undefined =>
  dial === undefined ? proxyFromEnvironment() : undefined;

/** Parses a URL, or a host and port for HTTP. */
export function parseProxy(text: string): GoURL | undefined {
  if (text === '') return undefined;
  const url = parseGoURL(text);
  return url === undefined || url.scheme === '' || url.host === '' ? parseGoURL(`http://${text}`) : url;
}

function directHosts(text: string): (host: string, port: string) => boolean {
  const matchers = text
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .flatMap((entry) => matcherOf(entry) ?? []);
  return (host, port) => {
    const ip = parsed(host, parseAddress);
    if (host === 'localhost' || (ip !== undefined && isLoopback(ip))) return true;
    return matchers.some((matches) => matches(host, port, ip));
  };
}

function matcherOf(entry: string): Matcher | undefined {
  if (entry === '') return undefined;
  if (entry === '*') return () => true;
  const prefix = entry.includes('/') ? parsed(entry, parsePrefix) : undefined;
  if (prefix !== undefined) return (_host, _port, ip) => ip !== undefined && prefixContains(prefix as Prefix, plain(ip));
  const split = /^\[(.*)\]:(\d*)$/.exec(entry) ?? /^([^:[\]]*):(\d*)$/.exec(entry);
  const [, host = entry, wantedPort = ''] = split ?? [];
  if (host === '') return undefined;
  const isPort = (port: string): boolean => wantedPort === '' || wantedPort === port;
  const address = parsed(host, parseAddress);
  if (address !== undefined) {
    return (_host, port, ip) => ip !== undefined && sameAddress(plain(ip), plain(address)) && isPort(port);
  }
  return domainMatcher(host, isPort);
}

/** `a.b` matches a.b and all subdomains; `.a.b` and `*.a.b` match only subdomains. */
function domainMatcher(entry: string, isPort: (port: string) => boolean): Matcher {
  const domain = entry.replace(/^\*(?=\.)/, '');
  const ascii = /^[\x20-\x7e]*$/.test(domain) ? domain : domainToASCII(domain) || domain;
  const suffix = ascii.startsWith('.') ? ascii : `.${ascii}`;
  return (host, port, ip) => ip === undefined && (host.endsWith(suffix) || (suffix !== ascii && host === ascii)) && isPort(port);
}

const plain = (ip: Address): Address => (isMapped(ip) ? { version: 4, bits: ip.bits & 0xffffffffn, zone: '' } : ip);

function parsed<T>(text: string, parse: (text: string) => T): T | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
