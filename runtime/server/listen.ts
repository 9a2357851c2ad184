import { type IncomingMessage, ServerResponse } from 'node:http';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { offerUpgrade, upgradeTaken } from '../http/upgrade.ts';
import { Connections, type RequestListener } from './connections.ts';
import { hostProblem } from './host-header.ts';
import { refuse } from './refusals.ts';
import type { KeyPair } from './x509-certificate.ts';

export interface ListenOptions {
  readonly address: string;
  /** 0 for any free one. */
  readonly port: number;
  readonly serving: KeyPair;
  /** PEM of the authorities that client certificates are checked against. */
  readonly clientAuthorities: readonly string[];
  readonly onRequest: RequestListener;
  readonly limits?: Partial<ListenLimits>;
}

/** What strangers can take of a port; docs/limits.md lists all limits. Times are milliseconds. */
export interface ListenLimits {
  /** Open connections; those beyond are closed before TLS begins. */
  readonly connections: number;
  /** Requests that one HTTP/2 connection may have open. (--http2-max-streams-per-connection) */
  readonly streams: number;
  /** For a handshake, and for the headers of a request. */
  readonly head: number;
  /** For a whole request of HTTP/1.1, body and all: somewhat longer than requests get. */
  readonly request: number;
  /** That a connection is kept between requests. */
  readonly idle: number;
  /** That the peer of an HTTP/2 connection gets to answer a ping; it gets one as often. */
  readonly silence: number;
  /** Between two looks at connections that are over, late or idle. */
  readonly lookEvery: number;
}

export const defaultLimits: ListenLimits = {
  connections: 10_000,
  // as apiserver's SecureServingInfo.Serve
  streams: 100,
  // as its ReadHeaderTimeout
  head: 32_000,
  request: 65_000,
  // longer than Go's client keeps idle connections (90 s, as its IdleTimeout), so that it is the client who closes
  idle: 180_000,
  silence: 30_000,
  lookEvery: 5_000,
};

/** URLs and headers of one request, as Go's server takes them: selectors may be long. (net/http DefaultMaxHeaderBytes) */
const maxHeaderBytes = 1024 * 1024;
/** Headers of one request. Go's server does not count them, Node's leaves out those beyond: who was impersonated, perhaps. */
const maxHeaders = 2000;
/** MiB that answers and frames of one HTTP/2 connection may queue before Node refuses new streams on it. */
const maxSessionMemory = 64;
/** Milliseconds of silence after which TCP asks whether the peer is still there, as Go's listeners do. */
const keepAliveDelay = 180_000;

/** A bound port. */
export interface Listener {
  readonly port: number;
  /** How many connections are open. */
  connections(): Promise<number>;
  /** Takes no new connections, closes idle ones, and the others as they become idle. */
  drain(): void;
  /** Closes every connection, the busy ones too after a moment, and resolves when the port is free. */
  close(): Promise<void>;
}

/** What Node's types leave out: node:http has options for these, which node:http2 does not hand on. */
interface Http1Settings {
  maxHeaderSize: number;
  maxHeadersCount: number;
  headersTimeout: number;
  requestTimeout: number;
  keepAliveTimeout: number;
  connectionsCheckingInterval: number;
}

/**
 * HTTP/2 and HTTP/1.1 by ALPN on one port, TLS 1.2 and later. Client certificates are asked for and never demanded:
 * the authenticators decide.
 */
export async function listen(options: ListenOptions): Promise<Listener> {
  const limits = { ...defaultLimits, ...options.limits };
  const server = createSecureServer({
    allowHTTP1: true,
    cert: options.serving.certificate,
    key: options.serving.key,
    ca: [...options.clientAuthorities],
    requestCert: true,
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
    handshakeTimeout: limits.head,
    settings: {
      maxConcurrentStreams: limits.streams,
      initialWindowSize: 1024 * 1024,
      maxHeaderListSize: maxHeaderBytes,
    },
    maxHeaderListPairs: maxHeaders,
    maxSessionMemory,
    ...{ keepAlive: true, keepAliveInitialDelay: keepAliveDelay },
    // without it small answers wait for the acknowledgement of the ones before
    ...{ noDelay: true },
  });
  server.maxConnections = limits.connections;
  Object.assign(server as unknown as Http1Settings, {
    maxHeaderSize: maxHeaderBytes,
    // one more than is taken, so that it shows
    maxHeadersCount: maxHeaders + 1,
    headersTimeout: limits.head,
    requestTimeout: limits.request,
    keepAliveTimeout: limits.idle,
    connectionsCheckingInterval: limits.lookEvery,
  });
  const onRequest = checked(options.onRequest);
  const connections = new Connections(server, limits, onRequest);
  server.on('request', (request, response) => connections.take(request, response));
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    connections.keep(socket);
    answerUpgrade(request, socket, head, onRequest);
  });
  await bind(server, options.port, options.address);
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => promisify(server.getConnections.bind(server))(),
    drain: () => connections.drain(),
    close: () => connections.close(),
  };
}

/** HTTP/2 has its own rules for the authority, which Node's library checks. */
function checked(onRequest: RequestListener): RequestListener {
  return (request, response) => {
    if (request.httpVersionMajor !== 1) return onRequest(request, response);
    const { rawHeaders, httpVersionMinor } = request;
    if (rawHeaders.length > 2 * maxHeaders) {
      return refuse(response as ServerResponse, 431, 'Request Header Fields Too Large');
    }
    const problem = hostProblem(rawHeaders, httpVersionMinor);
    if (problem !== undefined) return refuse(response as ServerResponse, 400, `Bad Request: ${problem}`);
    return onRequest(request, response);
  };
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

/** An upgrade is a request like any other, whose endpoint may take the socket; if none does, its answer ends the connection. */
function answerUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, onRequest: RequestListener): void {
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
