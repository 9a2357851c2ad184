import type { IncomingMessage } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { ApiContext } from '../../http/context.ts';
import { sendContinue } from '../../http/continue.ts';
import { respondText } from '../../http/respond.ts';
import { abortResponse } from '../../http/response.ts';
import { isUpgradeRequest } from '../../http/upgrade.ts';
import type { Clock } from '../../machinery/clock.ts';
import { isStatusError, plainError, type StatusError, serviceUnavailable } from '../../machinery/errors/status.ts';
import { quote } from '../../machinery/go/quote.ts';
import type { Address } from '../transport/dial.ts';
import { roundTripError } from '../transport/network-error.ts';
import { isStale, type PendingRequest } from '../transport/pending-request.ts';
import type { Headers, Transport } from '../transport/transport.ts';
import { appendForwardedFor, removeHopByHop, requestHeaders, responseHeaders } from './headers.ts';
import { joinConnections } from './join-connections.ts';

/** The destination of a request, and the changes on the way. (proxy.UpgradeAwareHandler) */
export interface ProxyTarget {
  readonly transport: Pick<Transport, 'request'>;
  readonly address: Address;
  /** Escaped, with the query. */
  readonly path: string;
  /** Default: the client's method. */
  readonly method?: string;
  readonly clock: Clock;
  /** Milliseconds until the whole response must have arrived. Default: no limit. */
  readonly timeout?: number | undefined;
  /** Refuses redirects instead of passing them on. Default: false. */
  readonly rejectForwardingRedirects?: boolean;
  /** Sets headers of the request, including `host`. */
  setHeaders(headers: Headers, isUpgrade: boolean): void;
  /** Handles an upgraded connection. Default: it is joined with the client's. */
  join?(answer: IncomingMessage, server: Duplex, head: Buffer): Promise<void>;
  /**
   * Changes the headers of a response, and returns the body to send. Default: no change.
   *
   * @throws StatusError
   */
  rewrite?(incoming: IncomingMessage, headers: Headers): Readable;
}

/**
 * Passes one request on to another server, and streams its response back. Request bodies are streamed too. Redirects
 * are not followed. (apimachinery pkg/util/proxy/upgradeaware.go, net/http/httputil/reverseproxy.go)
 */
export class ProxiedRequest {
  readonly #ctx: ApiContext;
  readonly #target: ProxyTarget;
  readonly #isUpgrade: boolean;
  readonly #hasBody: boolean;
  #outgoing: PendingRequest | undefined;
  #error: Error | undefined;
  #decompresses = false;
  #done: (error?: StatusError) => void = () => undefined;

  constructor(ctx: ApiContext, target: ProxyTarget) {
    this.#ctx = ctx;
    this.#target = target;
    this.#isUpgrade = isUpgradeRequest(ctx);
    this.#hasBody = hasBody(ctx.req);
  }

  /**
   * Resolves when the response is complete or broken off.
   *
   * @throws StatusError if there is no response to pass on
   */
  run(): Promise<void> {
    const { state } = this.#ctx;
    const { clock, timeout } = this.#target;
    const stopTimer = timeout === undefined ? undefined : clock.after(timeout, () => this.#abort(new DOMException('', 'TimeoutError')));
    // the other server serves a watch from here on
    state.onWatchInitialized?.();
    state.onAbort(() => this.#abort(new DOMException('', 'AbortError')));
    return new Promise((resolve, reject) => {
      this.#done = (error) => {
        this.#done = () => undefined;
        stopTimer?.();
        // an unread body would block the next request on the client's connection
        if (this.#hasBody) this.#ctx.req.unpipe().resume();
        if (error === undefined) resolve();
        else reject(error);
      };
      this.#send(true);
    });
  }

  #abort(error: Error): void {
    this.#error = error;
    this.#outgoing?.destroy(error);
    // a body for a client that has gone never ends
    if (this.#ctx.res.headersSent) this.#done();
  }

  #send(mayBeStale: boolean): void {
    const { transport, address, path, method = this.#ctx.method } = this.#target;
    try {
      const { req } = this.#ctx;
      const headers = this.#headers();
      // upgrades bypass outbound proxies, as in upstream
      const connection = { ownConnection: this.#isUpgrade, isDirect: this.#isUpgrade };
      const outgoing = transport.request(address, { method, path, headers, ...connection });
      this.#outgoing = outgoing;
      outgoing.on('response', (incoming) => {
        try {
          this.#respond(incoming);
        } catch (error) {
          // Node cannot send these headers
          incoming.destroy();
          this.#fail(error as Error);
        }
      });
      outgoing.on('upgrade', (answer, server, head) => {
        try {
          if (this.#isUpgrade) this.#join(answer, server, head);
          else this.#refuseUpgrade(answer, server);
        } catch (error) {
          server.destroy();
          this.#fail(error as Error);
        }
      });
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // the server closed an idle connection while the request was being sent
        const mayRepeat = mayBeStale && !this.#hasBody && isStale(method, outgoing, error);
        if (mayRepeat && this.#error === undefined) this.#send(false);
        else this.#fail(error);
      });
      if (this.#hasBody) {
        // the other server may respond before the body
        outgoing.flushHeaders();
        sendContinue(req);
        req.pipe(outgoing);
      } else outgoing.end();
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  #headers(): Headers {
    const { req } = this.#ctx;
    const headers = requestHeaders(req);
    if (!this.#isUpgrade) removeHopByHop(headers);
    appendForwardedFor(headers, req);
    if (this.#mayCompress(headers)) headers.set('accept-encoding', ['gzip']);
    // a missing User-Agent stays missing (httputil.ReverseProxy)
    if (!this.#isUpgrade && !headers.has('user-agent')) headers.set('user-agent', []);
    this.#target.setHeaders(headers, this.#isUpgrade);
    return headers;
  }

  /**
   * Reports whether to request compression, and undo it, because the client requested none. (net/http
   * persistConn.roundTrip)
   */
  #mayCompress(headers: Headers): boolean {
    const { rewrite, method = this.#ctx.method } = this.#target;
    const isAsked = headers.has('accept-encoding') || headers.has('range');
    this.#decompresses = !isAsked && !this.#isUpgrade && rewrite === undefined && method !== 'HEAD';
    return this.#decompresses;
  }

  /** Returns the body for the client, and adapts the headers. */
  #bodyOf(incoming: IncomingMessage, headers: Headers): Readable {
    const { rewrite } = this.#target;
    if (rewrite !== undefined) return rewrite(incoming, headers);
    if (!this.#decompresses || headers.get('content-encoding')?.join() !== 'gzip') return incoming;
    headers.delete('content-encoding');
    headers.delete('content-length');
    return incoming.pipe(createGunzip());
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
      this.#done(plainError(`invalid upgrade response: status code ${code}`));
      return;
    }
    if (this.#target.rejectForwardingRedirects && code >= 300 && code <= 399 && incoming.headers.location) {
      incoming.destroy();
      respondText(this.#ctx, 502, 'the backend attempted to redirect this request, which is not permitted');
      this.#done();
      return;
    }
    const headers = responseHeaders(incoming);
    const body = this.#bodyOf(incoming, headers);
    state.audit?.responseStarted(code);
    res.statusCode = code;
    for (const [name, values] of this.#allHeaders(headers)) {
      const [only, ...others] = values;
      res.setHeader(name, only !== undefined && others.length === 0 ? only : values);
    }
    res.flushHeaders();
    // the request's state handles a client that goes away
    res.on('error', () => undefined);
    if (method === 'HEAD') body.resume();
    else body.pipe(res, { end: false });
    body.on('end', () => {
      res.end();
      this.#done();
    });
    const breakOff = (): void => {
      abortResponse(res);
      this.#done();
    };
    if (body !== incoming) body.on('error', breakOff);
    incoming.on('close', () => {
      if (!incoming.complete) breakOff();
    });
  }

  /** Merges the headers. This server's come first, as in upstream. */
  #allHeaders(ofServer: Headers): Headers {
    const { state, res } = this.#ctx;
    const all: Headers = new Map();
    const { responseHeaders: own } = state;
    for (let at = 0; at < own.length; at += 2) {
      const [name = '', value = ''] = own.slice(at, at + 2);
      if (!res.hasHeader(name)) all.set(name.toLowerCase(), [value]);
    }
    for (const [name, values] of ofServer) {
      all.set(name, singleHeaders.has(name) ? values.slice(0, 1) : [...(all.get(name) ?? []), ...values]);
    }
    return all;
  }

  #fail(error: NodeJS.ErrnoException | StatusError): void {
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
    if (isStatusError(error)) {
      this.#done(error);
      return;
    }
    const why = roundTripError(this.#error ?? error, this.#outgoing?.socket).message;
    this.#done(this.#isUpgrade ? plainError(`error dialing backend: ${why}`) : serviceUnavailable(`error trying to reach service: ${why}`));
  }

  #join(answer: IncomingMessage, server: Duplex, head: Buffer): void {
    const joined = this.#target.join?.(answer, server, head) ?? joinConnections(this.#ctx, answer, server, head);
    joined.then(
      () => this.#done(),
      (error) => {
        server.destroy();
        this.#fail(error);
      },
    );
  }

  /** Refuses an upgrade that was not requested. (httputil handleUpgradeResponse) */
  #refuseUpgrade({ headers: { upgrade = '' } }: IncomingMessage, server: Duplex): void {
    server.on('error', () => undefined).destroy();
    this.#done(plainError(`backend tried to switch protocol ${quote(upgrade)} when "" was requested`));
  }
}

/** Headers that Node allows only once in a response of HTTP/2. */
const singleHeaders: ReadonlySet<string> = new Set([
  'age',
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-md5',
  'content-range',
  'content-type',
  'date',
  'etag',
  'expires',
  'last-modified',
  'location',
  'retry-after',
  'tk',
  'x-content-type-options',
]);

function hasBody(req: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = req.headers;
  if (length !== undefined) return length !== '0';
  if (encoding !== undefined) return true;
  const { stream } = req as { stream?: { endAfterHeaders?: boolean } };
  return stream?.endAfterHeaders === false;
}
