import type { ApiContext } from '../../http/context.ts';
import { setRecordedHeaders } from '../../http/response.ts';
import { isUpgradeRequest } from '../../http/upgrade.ts';
import type { Clock } from '../../machinery/clock.ts';
import { badRequest, plainError } from '../../machinery/errors/status.ts';
import { joinHostPort } from '../../machinery/go/join-host-port.ts';
import { joinPaths } from '../../machinery/go/path.ts';
import type { Address } from '../transport/dial.ts';
import type { Transport } from '../transport/transport.ts';
import { backendUrlProblem } from './backend-url.ts';
import { escapePath } from './location.ts';
import { ProxiedRequest } from './proxied-request.ts';
import { type ProxiedPlace, rewriteResponse } from './rewriting.ts';

/** The destination of a request. */
export interface Backend {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  /** Undefined for the default port of the scheme. */
  readonly port: number | undefined;
  readonly lookup?: Address['lookup'];
  /** Unescaped. */
  readonly path: string;
  /** For upgrades, with its `?`; other requests keep the client's query. Default: no query. */
  readonly query?: string;
  readonly transport: Transport;
}

const defaultPorts = { http: 80, https: 443 } as const;

export const addressOf = ({ scheme, host, port = defaultPorts[scheme], lookup }: Omit<Backend, 'path'>): Address => ({
  host,
  port,
  ...(lookup && { lookup }),
});

/**
 * Passes a request on to a server, and rewrites its pages to work through the proxy. Connections may be upgraded.
 * (proxy.UpgradeAwareHandler, with WrapTransport)
 *
 * @throws StatusError if the server does not respond
 */
export async function serveProxy(ctx: ApiContext, backend: Backend, clock: Clock): Promise<void> {
  if (isUpgradeRequest(ctx)) return serveUpgrade(ctx, backend, clock);
  const { method, req, state } = ctx;
  const { path: clientPath } = state.requestInfo;
  const query = queryOf(req.url ?? '');
  const { path: inner } = backend;
  const path = !inner.endsWith('/') && clientPath.endsWith('/') ? `${inner}/` : inner;
  if (path === '' && (method === 'GET' || method === 'HEAD')) {
    return redirect(ctx, `${escapePath(clientPath)}/${query}`);
  }
  const place: ProxiedPlace = {
    pathPrepend: withoutSuffix(clientPath, path),
    host: hostOf(backend),
    requestHost: requestHostOf(ctx),
  };
  const forwardedUri = joinPaths(place.pathPrepend, escapePath(path));
  await new ProxiedRequest(ctx, {
    transport: backend.transport,
    address: addressOf(backend),
    clock,
    path: (escapePath(path) || '/') + query,
    setHeaders(headers) {
      headers.set('host', [place.requestHost]);
      headers.set('x-forwarded-uri', [path.endsWith('/') ? `${forwardedUri}/` : forwardedUri]);
    },
    rewrite: (incoming, headers) => rewriteResponse(place, incoming, headers),
  }).run();
}

/**
 * Joins the connection of an upgrade request with a connection to another server. (UpgradeAwareHandler.tryUpgrade)
 *
 * @throws StatusError if the server does not respond, 400 if the request is not an upgrade
 */
export async function serveUpgrade(ctx: ApiContext, backend: Backend, clock: Clock): Promise<void> {
  if (!isUpgradeRequest(ctx)) throw badRequest('Upgrade request required');
  checkAddress(backend);
  await new ProxiedRequest(ctx, {
    transport: backend.transport,
    address: addressOf(backend),
    clock,
    path: (escapePath(backend.path) || '/') + (backend.query ?? ''),
    setHeaders: (headers) => void headers.set('host', [requestHostOf(ctx)]),
  }).run();
}

/** @throws StatusError 500 if the address does not form a URL */
export function checkAddress(backend: Backend): void {
  const problem = backendUrlProblem({ ...backend, ...addressOf(backend) });
  if (problem !== undefined) throw plainError(`error dialing backend: ${problem}`);
}

function redirect(ctx: ApiContext, location: string): void {
  const { res } = ctx;
  setRecordedHeaders(ctx);
  res.setHeader('Location', location);
  res.setHeader('Content-Length', 0);
  res.writeHead(301);
  res.end();
}

/** Returns the host as URLs for clients show it. */
const hostOf = ({ host, port }: Backend): string => {
  if (port !== undefined) return joinHostPort(host, port);
  return host.includes(':') ? `[${host}]` : host;
};

function requestHostOf({ req }: ApiContext): string {
  return req.headers.host ?? String(req.headers[':authority'] ?? '');
}

const withoutSuffix = (text: string, suffix: string): string => (text.endsWith(suffix) ? text.slice(0, text.length - suffix.length) : text);

/** Returns the query as written, with its `?`. */
function queryOf(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 || mark === url.length - 1 ? '' : url.slice(mark);
}
