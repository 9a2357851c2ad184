import type { IncomingMessage } from 'node:http';
import type { ClientCredentials, ClientOptions } from './options.ts';
import { type ProxyFor, parseProxy, proxyFromEnvironment } from './transport/proxy-environment.ts';
import type { TLSClientConfig } from './transport/tls-client.ts';
import { Transport as OutgoingTransport } from './transport/transport.ts';

export interface TransportRequest {
  readonly method: string;
  /** Path and query, relative to the server's path. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds to wait for the response headers; 0 for no limit. */
  readonly timeout: number;
}

/** HTTP(S) with persistent connections, which `close` ends. */
export class Transport {
  readonly #base: URL;
  readonly #transport: OutgoingTransport;

  constructor(options: ClientOptions) {
    this.#base = new URL(options.server);
    const isPlain = this.#base.protocol === 'http:';
    const { connect } = options;
    this.#transport = new OutgoingTransport({
      ...(isPlain ? { dial: connect && (() => connect()) } : { tls: tlsClientConfig(options) }),
      ...(connect === undefined && { proxy: proxyOf(options) }),
    });
  }

  /** Resolves with the response headers, before its body is read. Rejects if the connection fails. */
  send({ method, path, headers, body, signal, timeout }: TransportRequest): Promise<IncomingMessage> {
    const { hostname, host, port, protocol, origin, pathname } = this.#base;
    const server = {
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(port || (protocol === 'http:' ? 80 : 443)),
    };
    const sent = new Map(Object.entries({ host, ...headers }).map(([name, value]) => [name, [value]]));
    if (body !== undefined) sent.set('content-length', [String(body.byteLength)]);
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const request = this.#transport.request(server, {
        method,
        path: `${pathname.replace(/\/$/, '')}${path}`,
        headers: sent,
      });
      const abort = (): void => void request.destroy(signal?.reason);
      signal?.addEventListener('abort', abort, { once: true });
      const late = (): void => void request.destroy(new Error(`no response from ${origin} within ${timeout} ms`));
      const timer = timeout > 0 ? setTimeout(late, timeout) : undefined;
      request.on('close', () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      });
      request.on('response', (response) => {
        clearTimeout(timer);
        resolve(response);
      });
      request.on('error', reject);
      request.end(body);
    });
  }

  close(): void {
    this.#transport.close();
  }
}

/** Returns the proxy of a kubeconfig, or the proxies of the environment. */
export function proxyOf({ proxyUrl }: Pick<ClientOptions, 'proxyUrl'>): ProxyFor {
  if (proxyUrl === undefined) return proxyFromEnvironment();
  const proxy = parseProxy(proxyUrl);
  return () => proxy;
}

/** Returns the TLS settings of a client. */
export const tlsClientConfig = (options: ClientCredentials): TLSClientConfig => ({
  ca: options.ca,
  cert: options.cert,
  key: options.key,
  serverName: options.tlsServerName,
  insecure: options.insecureSkipTlsVerify,
});
