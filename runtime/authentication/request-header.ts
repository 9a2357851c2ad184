import type { Clock } from '../machinery/clock.ts';
import { percentDecode } from '../machinery/percent-decode.ts';
import type { UserInfo } from '../machinery/user-info.ts';
import { type AnyRequest, AuthenticationError, type Authenticator } from './authenticator.ts';
import type { CertificatePool } from './x509/ca-bundle.ts';
import { PeerCertificates } from './x509/peer-certificate.ts';
import { commonName } from './x509/x509.ts';

/** The names of headers. Case does not matter. */
export interface RequestHeaderNames {
  readonly username: readonly string[];
  readonly uid: readonly string[];
  readonly group: readonly string[];
  readonly extraPrefix: readonly string[];
}

/** The headers that are removed from every request, with or without a front proxy. */
export const standardRequestHeaders: RequestHeaderNames = {
  username: ['x-remote-user'],
  uid: ['x-remote-uid'],
  group: ['x-remote-group'],
  extraPrefix: ['x-remote-extra-'],
};

/** The trusted front proxies, and the headers in which they name users. */
export interface RequestHeaderConfig {
  readonly names: RequestHeaderNames;
  /** The CAs of the front proxies' certificates. */
  readonly pool: CertificatePool;
  /** The allowed common names of front proxies. Empty for all. */
  readonly allowedNames: readonly string[];
}

/**
 * Accepts the user in a front proxy's headers, if the proxy's certificate is signed by the CA for front proxies and has
 * an allowed name. Refuses certificates of other CAs only if no other authenticator accepts them. (apiserver
 * authentication/request/headerrequest)
 *
 * @param configured returns the current settings; undefined if no front proxy is trusted
 */
export function requestHeaderAuthenticator(configured: () => RequestHeaderConfig | undefined, clock: Pick<Clock, 'now'>): Authenticator {
  const proxies = new PeerCertificates(
    () => configured()?.pool ?? emptyPool,
    () => clock.now(),
    commonName,
  );
  const lowerCased = new WeakMap<RequestHeaderConfig, RequestHeaderNames>();
  return {
    authenticate(request) {
      const config = configured();
      if (config === undefined) return undefined;
      const proxy = proxies.of(request);
      if (proxy === undefined) return undefined;
      const { allowedNames } = config;
      if (allowedNames.length > 0 && !allowedNames.includes(proxy)) {
        throw new AuthenticationError(`x509: subject with cn=${proxy} is not in the allowed list`);
      }
      let names = lowerCased.get(config);
      if (names === undefined) {
        names = lowerCase(config.names);
        lowerCased.set(config, names);
      }
      return userOf(request, names);
    },
  };
}

const emptyPool: CertificatePool = { certificates: [], pem: '' };

function lowerCase({ username, uid, group, extraPrefix }: RequestHeaderNames): RequestHeaderNames {
  const all = (names: readonly string[]): string[] => names.map((name) => name.toLowerCase());
  return { username: all(username), uid: all(uid), group: all(group), extraPrefix: all(extraPrefix) };
}

/** Returns a test for the names of front proxies' headers. Case does not matter. */
export function requestHeaderMatcher(all: readonly RequestHeaderNames[]): (name: string) => boolean {
  const lower = all.map(lowerCase);
  const names = new Set(lower.flatMap(({ username, uid, group }) => [...username, ...uid, ...group]));
  const prefixes = [...new Set(lower.flatMap(({ extraPrefix }) => extraPrefix))];
  // most headers of a request begin with a letter outside this set
  const first = new Set([...names, ...prefixes].map((name) => name.charCodeAt(0)));
  return (name) => {
    const code = name.charCodeAt(0);
    if (!first.has(code) && !first.has(code | 0x20)) return false;
    const wanted = name.toLowerCase();
    return names.has(wanted) || prefixes.some((prefix) => wanted.startsWith(prefix));
  };
}

/** Reads raw headers, because Node joins headers of one name with commas, and a group may contain a comma. */
function userOf({ rawHeaders }: AnyRequest, names: RequestHeaderNames): UserInfo | undefined {
  const headers = new Map<string, string[]>();
  for (const [at, header] of rawHeaders.entries()) {
    const value = rawHeaders[at + 1];
    if (at % 2 === 1 || value === undefined) continue;
    const name = header.toLowerCase();
    const values = headers.get(name);
    if (values === undefined) headers.set(name, [value]);
    else values.push(value);
  }
  const first = (wanted: readonly string[]): string => wanted.map((name) => headers.get(name)?.[0]).find((value) => value) ?? '';
  const name = first(names.username);
  if (name === '') return undefined;
  const extra = new Map<string, string[]>();
  for (const prefix of names.extraPrefix) {
    for (const [header, values] of headers) {
      if (!header.startsWith(prefix)) continue;
      const encoded = header.slice(prefix.length);
      const key = percentDecode(encoded) ?? encoded;
      extra.set(key, [...(extra.get(key) ?? []), ...values]);
    }
  }
  return {
    name,
    uid: first(names.uid),
    groups: names.group.flatMap((group) => headers.get(group) ?? []).filter((group) => group !== ''),
    extra: Object.fromEntries(extra),
  };
}
