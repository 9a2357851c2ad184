import { getServers } from 'node:dns';
import { joinHostPort } from './join-host-port.ts';

/**
 * Says in the words of Go's resolver that a host has no addresses: `lookup x.example on 10.0.0.10:53: no such host`. The name server is
 * left out for hosts that are not domain names, about which nobody is asked. (net.DNSError)
 */
export function noSuchHost(host: string): string {
  return `lookup ${host}${isDomainName(host) ? onNameServer() : ''}: no such host`;
}

/** ` on 10.0.0.10:53`, the name server that is asked first; "" if there is none. */
export function onNameServer(): string {
  const [first] = getServers();
  if (first === undefined) return '';
  return ` on ${/^\[.*\]:\d+$|^[^:]*:\d+$/.test(first) ? first : joinHostPort(first, 53)}`;
}

const maxNameLength = 254;
const label = /^[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?$/i;

/** Whether a resolver asks about a name. Digits and dots alone are not a name. (net isDomainName) */
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
