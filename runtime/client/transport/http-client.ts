import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { createGunzip } from 'node:zlib';
import { quote } from '../../machinery/go/quote.ts';
import { formatGoURL, type GoURL, parseGoURL, resolveGoURL } from '../../machinery/go/url.ts';
import { splitURLHost } from '../../machinery/go/url-host.ts';
import { parseGoUrl } from '../../structural/formats-uri.ts';
import type { Address } from './dial.ts';
import { canceled, deadlineExceeded, NetworkError, roundTripError } from './network-error.ts';
import { isStale } from './pending-request.ts';
import { notTLS } from './record-socket.ts';
import type { Headers, Transport } from './transport.ts';

export interface HTTPRequest {
  readonly method: string;
  readonly url: GoURL;
  /** Headers by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
  /** The maximum length of a response. A longer one fails. */
  readonly maxResponseBytes: number;
  /** Aborts the request. A TimeoutError as reason means its deadline. */
  readonly signal: AbortSignal;
  /**
   * The timeout of the request with all redirects, in milliseconds. Its error is that of Go's Client.Timeout. Default:
   * none.
   */
  readonly timeout?: number | undefined;
  /** Asks for an uncompressed response. Default: false. */
  readonly disableCompression?: boolean;
}

export interface HTTPResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The reason for an incomplete body. */
  readonly bodyError?: Error;
}

export interface HTTPClientOptions {
  readonly transport: Transport;
  /** Returns the address for a host and port that no resolver knows. Undefined: the address in the URL. */
  readonly resolve?: (host: string) => Promise<Address> | undefined;
}

const maxRedirects = 10;
const defaultPorts: Readonly<Record<string, number>> = { http: 80, https: 443 };

/** Sends requests and follows redirects like Go. (http.Client) */
export class HTTPClient {
  readonly #options: HTTPClientOptions;

  constructor(options: HTTPClientOptions) {
    this.#options = options;
  }

  /**
   * Returns the last response, with any status.
   *
   * @throws NetworkError in the form `Post "https://...": why`
   */
  async do(asked: HTTPRequest): Promise<HTTPResponse> {
    const { timeout } = asked;
    const late = timeout === undefined ? undefined : AbortSignal.timeout(timeout);
    const request = late === undefined ? asked : { ...asked, signal: AbortSignal.any([asked.signal, late]) };
    const suffix = (during: string): string => (late?.aborted ? ` (Client.Timeout ${during})` : '');
    let hop: Hop = { ...request, isElsewhere: false, isBodyless: false };
    for (let hops = 1; ; hops += 1) {
      const response = await this.#send(hop).catch((error: Error) => {
        throw urlError(request.method, hop.url, withSuffix(schemeMismatch(error), suffix('exceeded while awaiting headers')));
      });
      const location = response.headers.location ?? '';
      if (!redirects.has(response.status) || location === '') {
        const { bodyError } = response;
        const reading = suffix('or context cancellation while reading body');
        return bodyError === undefined ? response : { ...response, bodyError: withSuffix(bodyError, reading) };
      }
      hop = redirected(request, hop, response.status, location);
      if (hops >= maxRedirects) {
        throw new NetworkError(`${verbOf(request.method)} ${quote(location)}: stopped after ${maxRedirects} redirects`);
      }
    }
  }

  async #send(request: HTTPRequest): Promise<HTTPResponse> {
    const { url } = request;
    const defaultPort = defaultPorts[url.scheme];
    if (defaultPort === undefined) throw new NetworkError(`unsupported protocol scheme ${quote(url.scheme)}`);
    const { name, port } = splitURLHost(url.host);
    const named = { host: name, port: Number(port || defaultPort), name, isSecure: url.scheme === 'https' };
    // a proxy resolves the server itself
    const isProxied = this.#options.transport.proxyFor(named) !== undefined;
    const server = { ...named, ...(isProxied ? undefined : await this.#options.resolve?.(url.host)) };
    const response = await this.#attempt(request, server, true);
    return response ?? ((await this.#attempt(request, server, false)) as HTTPResponse);
  }

  /** Returns undefined if the server closed an idle connection before it saw the request. */
  #attempt(
    { method, url, headers, body, maxResponseBytes, signal, disableCompression = false }: HTTPRequest,
    server: Address,
    mayBeStale: boolean,
  ): Promise<HTTPResponse | undefined> {
    const sent: Headers = new Map([['host', [url.host]]]);
    for (const [name, value] of Object.entries(headers)) sent.set(name, [value]);
    if (!sent.has('accept-encoding') && method !== 'HEAD' && !disableCompression) sent.set('accept-encoding', ['gzip']);
    if (body !== undefined) sent.set('content-length', [String(body.length)]);
    return new Promise((resolve, reject) => {
      if (signal.aborted) throw abortError(signal);
      let incoming: IncomingMessage | undefined;
      const outgoing = this.#options.transport.request(server, { method, path: requestPath(url), headers: sent });
      const onAbort = (): void => {
        if (incoming === undefined) reject(abortError(signal));
        else incoming.destroy(abortError(signal));
        outgoing.destroy();
      };
      signal.addEventListener('abort', onAbort, { once: true });
      outgoing.on('close', () => signal.removeEventListener('abort', onAbort));
      outgoing.on('response', (response) => {
        incoming = response;
        readBody(response, maxResponseBytes, signal).then(resolve, reject);
      });
      outgoing.on('upgrade', (answer, socket) => {
        socket.destroy();
        resolve({ status: answer.statusCode ?? 101, headers: answer.headers, body: Buffer.alloc(0) });
      });
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // errors of the body are reported with the body
        if (incoming !== undefined) return;
        if (mayBeStale && isStale(method, outgoing, error)) resolve(undefined);
        else reject(roundTripError(error, outgoing.socket));
      });
      outgoing.end(body);
    });
  }
}

/** A client, unlike its transport, knows HTTP where it wanted TLS. (http.ErrSchemeMismatch) */
export const schemeMismatch = (error: Error): Error =>
  (error as NodeJS.ErrnoException).code === notTLS.http
    ? new NetworkError('http: server gave HTTP response to HTTPS client', notTLS.http)
    : error;

const withSuffix = (error: Error, suffix: string): Error =>
  suffix === '' ? error : new NetworkError(error.message + suffix, (error as NodeJS.ErrnoException).code);

/** The code of the error for a body above the limit. */
export const responseTooLarge = 'RESPONSE_TOO_LARGE';

/** Returns the error for a deadline or a cancellation. */
export const abortError = ({ reason }: AbortSignal): NetworkError =>
  new NetworkError((reason as Error)?.name === 'TimeoutError' ? deadlineExceeded : canceled, 'ABORT_ERR');

function readBody(incoming: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<HTTPResponse> {
  const { statusCode: status = 0 } = incoming;
  const { 'content-encoding': coding, ...rest } = incoming.headers;
  const isCompressed = coding?.toLowerCase() === 'gzip' && incoming.headers['content-length'] !== '0';
  const headers = isCompressed ? rest : incoming.headers;
  const body = isCompressed ? incoming.pipe(createGunzip()) : incoming;
  const chunks: Buffer[] = [];
  let length = 0;
  let compressed = 0;
  return new Promise((resolve) => {
    const end = (bodyError?: Error): void => resolve({ status, headers, body: Buffer.concat(chunks), ...(bodyError && { bodyError }) });
    body.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) chunks.push(chunk);
      else {
        chunks.push(chunk.subarray(0, chunk.length - (length - maxBytes)));
        incoming.destroy(new NetworkError(`the response is larger than ${maxBytes} bytes`, responseTooLarge));
        if (body !== incoming) body.destroy();
      }
    });
    body.on('end', () => end());
    if (body !== incoming) {
      // a header is read whole before it is looked at
      const endIfWhole = (isWhole: boolean): void => {
        if (body.errored !== null && isWhole) end(new NetworkError(gzipProblem(compressed)));
      };
      incoming.on('data', (chunk: Buffer) => {
        compressed += chunk.length;
        endIfWhole(compressed >= gzipHeaderSize);
      });
      incoming.on('end', () => endIfWhole(true));
      body.on('error', () => {
        endIfWhole(compressed >= gzipHeaderSize || incoming.readableEnded);
        incoming.resume();
      });
    }
    incoming.on('error', (error: NodeJS.ErrnoException) => {
      if (signal.aborted) end(abortError(signal));
      else end(error.code === 'ECONNRESET' ? new NetworkError('unexpected EOF') : error);
    });
    incoming.on('close', () => {
      if (!incoming.complete) end(new NetworkError('unexpected EOF'));
    });
  });
}

/**
 * The length of a gzip header in bytes. A shorter body ends too early; any other non-gzip body has an invalid header.
 * (compress/gzip)
 */
const gzipHeaderSize = 10;
const gzipProblem = (length: number): string => (length < gzipHeaderSize ? 'unexpected EOF' : 'gzip: invalid header');

/** `Get` for GET. (urlErrorOp) */
const verbOf = (method: string): string => method.slice(0, 1) + method.slice(1).toLowerCase();

/** (url.Error) */
export const urlError = (method: string, url: GoURL, { message, ...error }: Error): NetworkError =>
  new NetworkError(`${verbOf(method)} ${quote(formatGoURL(withoutPassword(url)))}: ${message}`, (error as NodeJS.ErrnoException).code);

const withoutPassword = (url: GoURL): GoURL =>
  url.userinfo?.includes(':') ? { ...url, userinfo: `${url.userinfo.split(':', 1)[0]}:***` } : url;

/** Returns the path of the request line. */
const requestPath = (url: GoURL): string =>
  formatGoURL({ ...url, scheme: '', host: '', userinfo: undefined, fragment: '' }).replace(/^(?!\/)/, '/');

/** The statuses of redirects. */
export const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const withCredentials: ReadonlySet<string> = new Set([
  'authorization',
  'www-authenticate',
  'cookie',
  'cookie2',
  'proxy-authorization',
  'proxy-authenticate',
]);
const ofBody: ReadonlySet<string> = new Set(['content-encoding', 'content-language', 'content-location', 'content-type']);

/** A request after some redirects, with the parts that they dropped. */
interface Hop extends HTTPRequest {
  /** A redirect has led to another host. */
  readonly isElsewhere: boolean;
  /** A redirect has dropped the body. */
  readonly isBodyless: boolean;
}

/** Returns the problem of a redirect's location, followed or not. */
export function locationProblem(location: string): string | undefined {
  if (parseGoURL(location) !== undefined) return undefined;
  const problem = parseGoUrl(location);
  const text = typeof problem === 'string' ? problem : 'invalid URL';
  return `failed to parse Location header ${quote(location)}: parse ${quote(location)}: ${text}`;
}

/** Returns the request after a redirect. (Client.do) @throws NetworkError for an invalid location */
function redirected(first: HTTPRequest, last: Hop, status: number, location: string): Hop {
  const problem = locationProblem(location);
  if (problem !== undefined) throw urlError(first.method, last.url, new Error(problem));
  const reference = parseGoURL(location) as GoURL;
  const url = resolveGoURL(last.url, reference);
  const isBodyless = last.isBodyless || status < 307;
  const keepsMethod = status >= 307 || last.method === 'GET' || last.method === 'HEAD';
  const isElsewhere = last.isElsewhere || !isWithin(hostNameOf(url), hostNameOf(first.url));
  const isDropped = (name: string): boolean => (isElsewhere && withCredentials.has(name)) || (isBodyless && ofBody.has(name));
  const headers = Object.fromEntries(Object.entries(first.headers).filter(([name]) => !isDropped(name)));
  const isDowngrade = last.url.scheme === 'https' && url.scheme === 'http';
  if (!isDowngrade) headers.referer ??= formatGoURL({ ...last.url, userinfo: undefined });
  return {
    ...first,
    url,
    headers,
    isElsewhere,
    isBodyless,
    method: keepsMethod ? last.method : 'GET',
    body: isBodyless ? undefined : first.body,
  };
}

const hostNameOf = ({ host }: GoURL): string => splitURLHost(host).name.toLowerCase();

/** Reports whether a host equals the parent or is a subdomain of it. (isDomainOrSubdomain) */
const isWithin = (host: string, parent: string): boolean => host === parent || (!/[:%]/.test(host) && host.endsWith(`.${parent}`));
