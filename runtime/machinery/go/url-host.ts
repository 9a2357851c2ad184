import { isAddressError, parseAddress } from '../scalars/netip.ts';

/** Formats the host of a URL, with its port, as Go does. (net/url escape, encodeHost) */
export const escapeHost = (host: string): string =>
  host.replace(/[^A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]/gu, (char) =>
    [...Buffer.from(char)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );

/**
 * Returns Go's error for a URL with this host and port. Returns undefined for a valid host. (net/url parseHost)
 *
 * @param host as escapeHost writes it
 */
export function hostProblem(host: string): string | undefined {
  const end = host.lastIndexOf(']');
  if (!host.startsWith('[') || end < 0) return escapeProblem(host);
  const literal = host.slice(1, end);
  const zone = literal.indexOf('%25');
  const problem = escapeProblem(zone < 0 ? literal : literal.slice(0, zone));
  if (problem !== undefined) return problem;
  if (/[[\]]/.test(literal)) return 'invalid IP-literal';
  try {
    parseAddress(zone < 0 ? literal : `${literal.slice(0, zone)}%${literal.slice(zone + 3)}`);
    return undefined;
  } catch (error) {
    if (isAddressError(error)) return `invalid host: ${error.message}`;
    throw error;
  }
}

/** The percent sign is the only ASCII character that may be escaped in a host. */
function escapeProblem(host: string): string | undefined {
  const wrong = /%(?!25|[89A-F][0-9A-F])../.exec(host);
  return wrong === null ? undefined : `invalid URL escape "${wrong[0]}"`;
}

/**
 * Splits a URL's host into its name or address, without brackets, and its port. An absent part is "". (url.URL
 * Hostname, Port)
 */
export function splitURLHost(host: string): { readonly name: string; readonly port: string } {
  const [, name = '', port = ''] = /^(.*?)(?::(\d*))?$/s.exec(host) as RegExpExecArray;
  return { name: name.replace(/^\[(.*)\]$/s, '$1'), port };
}
