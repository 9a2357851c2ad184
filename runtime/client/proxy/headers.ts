import type { IncomingMessage } from 'node:http';
import type { Headers } from '../transport/transport.ts';

/** Headers of one connection, which no proxy forwards. (net/http/httputil/reverseproxy.go) */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Headers that the proxy sets itself (authorization, host) or has handled already (expect). */
const neverForwarded: ReadonlySet<string> = new Set(['authorization', 'host', 'expect']);

/** CORS headers, which only this server may send to browsers. (corsRemovingTransport) */
const corsHeaders: ReadonlySet<string> = new Set(
  ['credentials', 'headers', 'methods', 'origin'].map((what) => `access-control-allow-${what}`),
);

/**
 * Returns the client's headers by lower-case name. Leaves out headers that filters have removed: these are still in
 * `rawHeaders`, but not in `headers`.
 */
export function requestHeaders({ rawHeaders, headers }: IncomingMessage): Headers {
  const result: Headers = new Map();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? '';
    if (name.startsWith(':') || neverForwarded.has(name) || headers[name] === undefined) continue;
    add(result, name, rawHeaders[at + 1] ?? '');
  }
  // a filter removes the token from this header
  const protocol = headers['sec-websocket-protocol'];
  if (protocol !== undefined) result.set('sec-websocket-protocol', [String(protocol)]);
  return result;
}

/** Removes headers of the connection, and headers that the Connection header names. */
export function removeHopByHop(headers: Headers): void {
  for (const value of headers.get('connection') ?? []) {
    for (const name of value.split(',')) headers.delete(name.trim().toLowerCase());
  }
  const acceptsTrailers = headers.get('te')?.some((value) => /(?:^|,)\s*trailers\s*(?:,|$)/.test(value));
  for (const name of hopByHop) headers.delete(name);
  if (acceptsTrailers) headers.set('te', ['trailers']);
}

/** Appends the client's address to x-forwarded-for. (utilnet.AppendForwardedForHeader) */
export function appendForwardedFor(headers: Headers, { socket }: IncomingMessage): void {
  const { remoteAddress } = socket;
  if (remoteAddress === undefined) return;
  headers.set('x-forwarded-for', [[...(headers.get('x-forwarded-for') ?? []), remoteAddress].join(', ')]);
}

/** Returns the headers of a response that the proxy passes on. */
export function responseHeaders({ rawHeaders }: IncomingMessage): Headers {
  const result: Headers = new Map();
  for (let at = 0; at < rawHeaders.length; at += 2) add(result, rawHeaders[at]?.toLowerCase() ?? '', rawHeaders[at + 1] ?? '');
  removeHopByHop(result);
  for (const name of corsHeaders) result.delete(name);
  return result;
}

function add(headers: Headers, name: string, value: string): void {
  const values = headers.get(name);
  if (values === undefined) headers.set(name, [value]);
  else values.push(value);
}
