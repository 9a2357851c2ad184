import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ApiContext } from '../../../http/context.ts';
import { respondPlainError, respondText } from '../../../http/respond.ts';
import { abortResponse } from '../../../http/response.ts';
import { isUpgradeRequest } from '../../../http/upgrade.ts';
import type { Clock } from '../../../machinery/clock.ts';
import { joinHostPort } from '../../../machinery/go/join-host-port.ts';
import { quote } from '../../../machinery/go/quote.ts';
import type { UserInfo } from '../../../machinery/user-info.ts';
import type { ServiceAddress } from '../../../resources/service-resolver.ts';
import { goErrorMessage } from '../../../webhook/http.ts';
import {
  appendForwardedFor,
  type Headers,
  removeHopByHop,
  requestHeaders,
  responseHeaders,
  setAuthProxyHeaders,
} from './headers.ts';
import { encodeQuery, escapePath } from './location.ts';
import type { ServiceTransport } from './transport.ts';
import { joinConnections } from './upgrade.ts';

/** Milliseconds that a server has to describe a group-version: kubectl waits for it. (aggregatedDiscoveryTimeout) */
const discoveryTimeout = 5000;

export interface ProxyTarget {
  readonly transport: ServiceTransport;
  readonly address: ServiceAddress;
  readonly clock: Clock;
  /** Whether responses that redirect are refused instead of passed on. */
  readonly rejectForwardingRedirects: boolean;
}

/**
 * Passes one request on to another server, and its response back as it comes. Bodies are streamed both ways. Redirects are
 * not followed. (apimachinery pkg/util/proxy/upgradeaware.go, net/http/httputil/reverseproxy.go)
 */
export class ProxiedRequest {
  readonly #ctx: ApiContext;
  readonly #target: ProxyTarget;
  readonly #isUpgrade: boolean;
  readonly #hasBody: boolean;
  #outgoing: ClientRequest | undefined;
  #error: Error | undefined;
  #done: () => void = () => undefined;

  constructor(ctx: ApiContext, target: ProxyTarget) {
    this.#ctx = ctx;
    this.#target = target;
    this.#isUpgrade = isUpgradeRequest(ctx);
    this.#hasBody = hasBody(ctx.req);
  }

  /** Resolves when the response is complete, whatever becomes of it. */
  run(): Promise<void> {
    const { state } = this.#ctx;
    const { clock } = this.#target;
    const stopTimer = isDiscovery(this.#ctx)
      ? clock.after(discoveryTimeout, () => this.#abort(new DOMException('', 'TimeoutError')))
      : undefined;
    // a watch is the other server's from here on
    state.onWatchInitialized?.();
    state.onAbort(() => this.#abort(new DOMException('', 'AbortError')));
    return new Promise((resolve) => {
      this.#done = () => {
        this.#done = () => undefined;
        stopTimer?.();
        // what nobody wants any more must not keep the client's connection from its next request
        if (this.#hasBody) this.#ctx.req.unpipe().resume();
        resolve();
      };
      this.#send(true);
    });
  }

  #abort(error: Error): void {
    this.#error = error;
    this.#outgoing?.destroy(error);
  }

  #send(mayBeStale: boolean): void {
    const { transport, address } = this.#target;
    try {
      const { method, req, state } = this.#ctx;
      const path = escapePath(state.requestInfo.path) + encodeQuery(state.query);
      const headers = this.#headers(path);
      const outgoing = transport.request(address, { method, path, headers, ownConnection: this.#isUpgrade });
      this.#outgoing = outgoing;
      outgoing.on('response', (incoming) => {
        try {
          this.#respond(incoming);
        } catch (error) {
          // headers that Node cannot send
          incoming.destroy();
          this.#fail(error as Error);
        }
      });
      outgoing.on('upgrade', (answer, server, head) => {
        if (this.#isUpgrade) void joinConnections(this.#ctx, answer, server, head).then(() => this.#done());
        else this.#refuseUpgrade(answer, server);
      });
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // the server has closed an idle connection while the request was on its way
        const isStale = mayBeStale && !this.#hasBody && outgoing.reusedSocket && error.code === 'ECONNRESET';
        if (isStale && this.#error === undefined) this.#send(false);
        else this.#fail(error);
      });
      if (this.#hasBody) req.pipe(outgoing);
      else outgoing.end();
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  #headers(path: string): Headers {
    const { req, state } = this.#ctx;
    const { host, port } = this.#target.address;
    const location = joinHostPort(host, port);
    const headers = requestHeaders(req);
    if (!this.#isUpgrade) {
      removeHopByHop(headers);
      headers.set('x-forwarded-uri', [path.split('?', 1)[0]]);
      headers.set('x-forwarded-host', [location]);
      headers.set('x-forwarded-proto', ['https']);
    }
    appendForwardedFor(headers, req);
    headers.set('host', [location]);
    headers.set('audit-id', [state.auditId]);
    setAuthProxyHeaders(headers, state.user as UserInfo);
    return headers;
  }

  #respond(incoming: IncomingMessage): void {
    const { res, state, method } = this.#ctx;
    const code = incoming.statusCode ?? 502;
    incoming.on('error', () => undefined);
    if (state.isAborted || res.headersSent) {
      incoming.destroy();
      this.#done();
      return;
    }
    if (this.#isUpgrade && code < 400) {
      incoming.destroy();
      this.#respondError(503, `invalid upgrade response: status code ${code}`);
      return;
    }
    if (this.#target.rejectForwardingRedirects && code >= 300 && code <= 399 && incoming.headers.location) {
      incoming.destroy();
      respondText(this.#ctx, 502, 'the backend attempted to redirect this request, which is not permitted');
      this.#done();
      return;
    }
    state.audit?.responseStarted(code);
    res.statusCode = code;
    for (const [name, values] of this.#allHeaders(responseHeaders(incoming))) {
      res.setHeader(name, values.length === 1 ? values[0] : values);
    }
    res.flushHeaders();
    // a client that goes away is noticed by the request's state
    res.on('error', () => undefined);
    if (method === 'HEAD') incoming.resume();
    else incoming.pipe(res, { end: false });
    incoming.on('end', () => {
      res.end();
      this.#done();
    });
    incoming.on('close', () => {
      if (incoming.complete) return;
      abortResponse(res);
      this.#done();
    });
  }

  /** Those of this server come first: upstream adds those of the other one to them. */
  #allHeaders(ofServer: Headers): Headers {
    const { state, res } = this.#ctx;
    const all: Headers = new Map();
    const { responseHeaders: own } = state;
    for (let at = 0; at < own.length; at += 2) {
      if (!res.hasHeader(own[at])) all.set(own[at].toLowerCase(), [own[at + 1]]);
    }
    for (const [name, values] of ofServer) {
      all.set(name, singleHeaders.has(name) ? values.slice(0, 1) : [...(all.get(name) ?? []), ...values]);
    }
    return all;
  }

  #fail(error: NodeJS.ErrnoException): void {
    const { res, state } = this.#ctx;
    if (state.isAborted || res.writableEnded) {
      this.#done();
      return;
    }
    if (res.headersSent) {
      abortResponse(res);
      this.#done();
      return;
    }
    for (const name of res.getHeaderNames()) res.removeHeader(name);
    const { address } = this.#target;
    const why = goErrorMessage(
      this.#error ?? error,
      new URL(`https://${joinHostPort(address.host, address.port)}`),
      address,
    );
    this.#respondError(
      503,
      this.#isUpgrade ? `error dialing backend: ${why}` : `error trying to reach service: ${why}`,
    );
  }

  /** Of a server that was not asked to. (httputil handleUpgradeResponse) */
  #refuseUpgrade({ headers: { upgrade = '' } }: IncomingMessage, server: Duplex): void {
    server.on('error', () => undefined).destroy();
    this.#respondError(503, `backend tried to switch protocol ${quote(upgrade)} when "" was requested`);
  }

  #respondError(code: number, message: string): void {
    try {
      respondPlainError(this.#ctx, code, message);
    } catch {
      // the stream of an HTTP/2 client is gone, which its request does not know yet
      abortResponse(this.#ctx.res);
    }
    this.#done();
  }
}

/** Headers that a response of HTTP/2 can have only once in Node. */
const singleHeaders: ReadonlySet<string> = new Set([
  ...['age', 'content-encoding', 'content-language', 'content-length', 'content-location', 'content-md5'],
  ...['content-range', 'content-type', 'date', 'etag', 'expires', 'last-modified', 'location', 'retry-after', 'tk'],
  'x-content-type-options',
]);

/** A request for the resources of a group-version. (NewRequestForProxy) */
function isDiscovery({ state: { requestInfo } }: ApiContext): boolean {
  return !requestInfo.isResourceRequest && requestInfo.path.replace(/^\/+|\/+$/g, '').split('/').length === 3;
}

function hasBody(req: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = req.headers;
  if (length !== undefined) return length !== '0';
  if (encoding !== undefined) return true;
  const { stream } = req as { stream?: { endAfterHeaders?: boolean } };
  return stream?.endAfterHeaders === false;
}
