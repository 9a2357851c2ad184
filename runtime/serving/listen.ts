import { type IncomingMessage, ServerResponse } from 'node:http';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { offerUpgrade, upgradeTaken } from '../http/upgrade.ts';
import { Connections, type RequestListener } from './connections.ts';
import { expectationFailed } from './raw-responses.ts';
import { maxHeaders, withRequestChecks } from './request-checks.ts';
import { type ServedCertificates, TlsContexts, type TlsSettings } from './tls/contexts.ts';

export interface ListenOptions {
  readonly address: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly certificates: ServedCertificates;
  readonly tls?: TlsSettings;
  readonly onRequest: RequestListener;
  /** Called when a TLS handshake fails. */
  readonly onHandshakeError?: () => void;
  readonly limits?: Partial<ListenLimits>;
}

/** Limits for clients; docs/limits.md lists all of them. Times are in milliseconds. */
export interface ListenLimits {
  /** The most open connections. Further ones are closed before the TLS handshake. */
  readonly connections: number;
  /** The most concurrent requests of one HTTP/2 connection. (--http2-max-streams-per-connection) */
  readonly streams: number;
  /** The time for a handshake, and for the headers of a request. */
  readonly headers: number;
  /** The time to receive a whole HTTP/1.1 request; somewhat longer than the request timeout. */
  readonly request: number;
  /** The time until an idle connection is closed. */
  readonly idle: number;
  /** The time between two pings of an HTTP/2 connection. A ping must be acknowledged before the next one. */
  readonly pingInterval: number;
  /** The most bytes of a body read after the response, and the time for them. */
  readonly unreadBytes: number;
  readonly unreadTime: number;
  /** The time between two checks for finished, late and idle connections. */
  readonly checkInterval: number;
}

const defaultLimits: ListenLimits = {
  connections: 10_000,
  // as apiserver's SecureServingInfo.Serve
  streams: 100,
  // as ReadHeaderTimeout there
  headers: 32_000,
  request: 65_000,
  // Go's client closes idle connections earlier, after 90 s
  idle: 180_000,
  pingInterval: 30_000,
  unreadBytes: 16 * 1024 * 1024,
  unreadTime: 10_000,
  checkInterval: 5_000,
};

/** The most bytes of a request's URL and headers, as in Go: selectors can be long. (net/http DefaultMaxHeaderBytes) */
const maxHeaderBytes = 1024 * 1024;
/** MiB of queued responses and frames per HTTP/2 connection, above which Node refuses new streams. */
const maxSessionMemory = 64;
/** Milliseconds until TCP keep-alive probes begin, as in Go. */
const keepAliveDelay = 180_000;

/** A bound port. */
export interface Listener {
  readonly port: number;
  /** The number of open connections. */
  connections(): Promise<number>;
  /**
   * Changes the certificates for later connections.
   *
   * @throws Error for an invalid certificate
   */
  setCertificates(changes: Partial<ServedCertificates>): void;
  /** See Connections.destroyOf. */
  destroyConnectionOf(request: IncomingMessage): void;
  /**
   * Destroys all connections and closes the port for `ms` milliseconds. Resolves when the port is open again, or after
   * `drain`.
   */
  interrupt(ms: number): Promise<void>;
  /** Stops the port and connections from keeping the process alive. */
  unref(): void;
  /** Accepts no new connections, and closes connections as they become idle. */
  drain(): void;
  /** Closes all connections, busy ones after a moment. Resolves when the port is free. */
  close(): Promise<void>;
}

/** Options of node:http that node:http2 neither passes on nor declares. */
interface Http1Settings {
  maxHeaderSize: number;
  maxHeadersCount: number;
  headersTimeout: number;
  requestTimeout: number;
  keepAliveTimeout: number;
  connectionsCheckingInterval: number;
}

/**
 * Serves HTTP/2 and HTTP/1.1, negotiated by ALPN, on one port with TLS 1.2 or later. Client certificates are requested but
 * not required: the authenticators decide.
 */
export async function listen(options: ListenOptions): Promise<Listener> {
  const limits = { ...defaultLimits, ...options.limits };
  const contexts = new TlsContexts(options.certificates, options.tls ?? {});
  let { server, connections } = openServer(options, contexts, limits);
  await bind(server, options.port, options.address);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    connections: () => promisify(server.getConnections.bind(server))(),
    setCertificates(changes) {
      contexts.update(changes);
      server.setSecureContext(contexts.default);
      if (changes.clientAuthorities !== undefined) connections.retireUnverified();
    },
    destroyConnectionOf: (request) => connections.destroyOf(request),
    async interrupt(ms) {
      await connections.abort();
      await setTimeout(ms);
      if (connections.isDraining) return;
      ({ server, connections } = openServer(options, contexts, limits));
      await bind(server, port, options.address);
    },
    unref: () => connections.unref(),
    drain: () => connections.drain(),
    close: () => connections.close(),
  };
}

interface OpenServer {
  readonly server: Http2SecureServer;
  readonly connections: Connections;
}

function openServer(options: ListenOptions, contexts: TlsContexts, limits: ListenLimits): OpenServer {
  const server = createSecureServer({
    allowHTTP1: true,
    ...contexts.default,
    SNICallback: contexts.sniCallback,
    requestCert: true,
    rejectUnauthorized: false,
    handshakeTimeout: limits.headers,
    settings: {
      maxConcurrentStreams: limits.streams,
      initialWindowSize: 1024 * 1024,
      maxHeaderListSize: maxHeaderBytes,
    },
    maxHeaderListPairs: maxHeaders,
    maxSessionMemory,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveDelay,
    // without this, small responses wait for the acknowledgement of earlier ones
    noDelay: true,
  });
  server.maxConnections = limits.connections;
  const http1: Http1Settings = {
    maxHeaderSize: maxHeaderBytes,
    // one above the limit, so that excess headers are detected
    maxHeadersCount: maxHeaders + 1,
    headersTimeout: limits.headers,
    requestTimeout: limits.request,
    keepAliveTimeout: limits.idle,
    connectionsCheckingInterval: limits.checkInterval,
  };
  Object.assign(server, http1);
  const onRequest = withRequestChecks(options.onRequest);
  const connections = new Connections(server, limits, onRequest);
  server.on('tlsClientError', () => options.onHandshakeError?.());
  server.on('request', (request, response) => connections.handle(request, response));
  server.on('checkContinue', (request, response) => connections.handleExpecting(request, response));
  server.on('checkExpectation', (_request, response: ServerResponse) => expectationFailed(response));
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    connections.markUpgraded(socket);
    handleUpgrade(request, socket, head, onRequest);
  });
  return { server, connections };
}

function bind(server: Http2SecureServer, port: number, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Handles an upgrade as a request. Its endpoint can take the socket; otherwise the response ends the connection. */
export function handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, onRequest: RequestListener): void {
  socket.on('error', () => socket.destroy());
  offerUpgrade(request, socket, head);
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as TLSSocket);
  response.on('finish', () => {
    if (!upgradeTaken(request)) socket.end();
  });
  onRequest(request, response);
}
