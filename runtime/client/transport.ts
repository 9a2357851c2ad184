import { type AgentOptions, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import type { ConnectionOptions } from 'node:tls';
import { type ProxyFor, parseProxy, proxyFromEnvironment } from '../transport/proxy-environment.ts';
import type { TLSClientConfig } from '../transport/tls-client.ts';
import type { ClientCredentials, ClientOptions } from './options.ts';

export interface TransportRequest {
  readonly method: string;
  /** Path and query, relative to the server's path. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly signal?: AbortSignal;
  /** Milliseconds to wait for the response headers; 0 for no limit. */
  readonly timeout: number;
}

/** HTTP(S) with persistent connections, which `close` ends. */
export class Transport {
  readonly #base: URL;
  readonly #agent: HttpAgent | HttpsAgent;

  constructor(options: ClientOptions) {
    this.#base = new URL(options.server);
    const keep = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, scheduling: 'lifo' as const };
    this.#agent =
      this.#base.protocol === 'http:'
        ? httpAgent(keep, options.connect)
        : new HttpsAgent({ ...keep, ...tlsOptions(options) });
  }

  /** Resolves with the response headers, before its body is read. Rejects if the connection fails. */
  send({ method, path, headers, body, signal, timeout }: TransportRequest): Promise<IncomingMessage> {
    const url = new URL(`${this.#base.pathname.replace(/\/$/, '')}${path}`, this.#base);
    const start = url.protocol === 'http:' ? httpRequest : httpsRequest;
    const length = body === undefined ? {} : { 'content-length': String(body.byteLength) };
    return new Promise((resolve, reject) => {
      const request = start(url, { method, agent: this.#agent, headers: { ...headers, ...length }, signal }, resolve);
      request.on('error', reject);
      if (timeout > 0)
        request.setTimeout(timeout, () =>
          request.destroy(new Error(`no response from ${url.origin} within ${timeout} ms`)),
        );
      request.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** The proxy of a kubeconfig, or those of the environment. */
export function proxyOf({ proxyUrl }: Pick<ClientOptions, 'proxyUrl'>): ProxyFor {
  if (proxyUrl === undefined) return proxyFromEnvironment();
  const proxy = parseProxy(proxyUrl);
  return () => proxy;
}

/** How to connect with TLS. */
export const tlsClientConfig = (options: ClientCredentials): TLSClientConfig => ({
  ...{ ca: options.ca, cert: options.cert, key: options.key },
  ...{ serverName: options.tlsServerName, insecure: options.insecureSkipTlsVerify },
});

/** How to connect with TLS, for agents of node:https. */
export const tlsOptions = (options: ClientCredentials): ConnectionOptions => ({
  ca: bytes(options.ca),
  cert: bytes(options.cert),
  key: bytes(options.key),
  // an agent's own name, even an undefined one, goes before that of a request
  ...(options.tlsServerName !== undefined && { servername: options.tlsServerName }),
  rejectUnauthorized: options.insecureSkipTlsVerify !== true,
});

function bytes(pem: string | Uint8Array | undefined): string | Buffer | undefined {
  return pem === undefined || typeof pem === 'string' ? pem : Buffer.from(pem);
}

function httpAgent(options: AgentOptions, connect: (() => Duplex) | undefined): HttpAgent {
  const agent = new HttpAgent(options);
  if (connect !== undefined) agent.createConnection = () => connect();
  return agent;
}
