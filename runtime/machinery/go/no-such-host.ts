import { getServers } from 'node:dns';
import { joinHostPort } from './join-host-port.ts';

/**
 * Returns the error of Go's resolver for a host without addresses: `lookup x.example on 10.0.0.10:53: no such host`.
 * The message omits the name server for hosts that are not domain names, because Go does not look them up.
 * (net.DNSError)
 */
export function noSuchHost(host: string): string {
  return `lookup ${host}${isDomainName(host) ? onNameServer() : ''}: no such host`;
}

/** Returns ` on 10.0.0.10:53`, with the first name server; "" if the system has none. */
export function onNameServer(): string {
  const [first] = getServers();
  if (first === undefined) return '';
  return ` on ${/^\[.*\]:\d+$|^[^:]*:\d+$/.test(first) ? first : joinHostPort(first, 53)}`;
}

const maxNameLength = 254;
const label = /^[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?$/i;

/** Reports whether Go's resolver would look up a name. Digits and dots alone are not a name. (net isDomainName) */
export function isDomainName(name: string): boolean {
  if (name === '.') return true;
  const isTooLong = name.length > maxNameLength || (name.length === maxNameLength && !name.endsWith('.'));
  return (
    !isTooLong &&
    /[^\d.]/.test(name) &&
    name
      .replace(/\.$/, '')
      .split('.')
      .every((each) => label.test(each))
  );
}
