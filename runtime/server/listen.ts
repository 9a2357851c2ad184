import { type IncomingMessage, ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { offerUpgrade, upgradeTaken } from '../http/upgrade.ts';
import { HeldPackets } from './held-packets.ts';
import type { KeyPair } from './x509-certificate.ts';

export type RequestListener = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
) => unknown;

export interface ListenOptions {
  readonly address: string;
  /** 0 for any free one. */
  readonly port: number;
  readonly serving: KeyPair;
  /** PEM of the authorities that client certificates are checked against. */
  readonly clientAuthorities: readonly string[];
  readonly onRequest: RequestListener;
}

/** URLs and headers of one request, as Go's server takes them: selectors may be long. */
const maxHeaderBytes = 1024 * 1024;

/** A bound port. */
export interface Listener {
  readonly port: number;
  /** Takes no new connections, closes idle ones, and the others as they become idle. */
  drain(): void;
  /** Closes every connection, the busy ones too after a moment, and resolves when the port is free. */
  close(): Promise<void>;
}

/**
 * HTTP/2 and HTTP/1.1 by ALPN on one port, TLS 1.2 and later. Client certificates are asked for and never demanded:
 * the authenticators decide.
 */
export async function listen(options: ListenOptions): Promise<Listener> {
  const server = createSecureServer({
    allowHTTP1: true,
    cert: options.serving.certificate,
    key: options.serving.key,
    ca: [...options.clientAuthorities],
    requestCert: true,
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
    // a controller manager opens a few hundred watches on one connection
    settings: { maxConcurrentStreams: 1000, initialWindowSize: 1024 * 1024, maxHeaderListSize: maxHeaderBytes },
    // MiB a connection may queue before Node refuses new streams on it
    maxSessionMemory: 256,
  });
  // node:https does the same; without it small answers wait for the acknowledgement of the ones before
  server.on('secureConnection', (socket: TLSSocket) => socket.setNoDelay(true));
  const connections = new Connections(server);
  server.on('request', (request, response) => {
    connections.busy(request, response);
    options.onRequest(request, response);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    connections.keep(socket);
    answerUpgrade(request, socket, head, options.onRequest);
  });
  // node:http has an option for it, which node:http2 does not hand on
  (server as unknown as { maxHeaderSize: number }).maxHeaderSize = maxHeaderBytes;
  await bind(server, options.port, options.address);
  // longer than Go's client keeps idle connections, so that it is the client who closes
  (server as unknown as { keepAliveTimeout: number }).keepAliveTimeout = 180_000;
  return {
    port: (server.address() as AddressInfo).port,
    drain: () => connections.drain(),
    close: () => connections.close(),
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

/** Milliseconds that connections without requests get to close in order. */
const goodbye = 100;

/** What Go's server says to those who speak HTTP without TLS, and to those who do not speak HTTP. */
const notTls = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';
const refusal = (status: string): string =>
  `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${status}`;
const malformed = refusal('400 Bad Request');
const tooLarge = refusal('431 Request Header Fields Too Large');

/** The socket that a failed handshake leaves open; Node has no public name for it. */
const beneath = (socket: TLSSocket): Duplex | undefined => (socket as unknown as { _parent?: Duplex })._parent;

class Connections {
  readonly #server: Http2SecureServer;
  readonly #sockets = new Map<Duplex, number>();
  readonly #sessions = new Set<ServerHttp2Session>();
  #draining = false;
  #closed: Promise<void> | undefined;

  constructor(server: Http2SecureServer) {
    this.#server = server;
    server.on('connection', (socket: Duplex) => {
      this.#sockets.set(socket, 0);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('secureConnection', (socket: TLSSocket) => {
      this.#sockets.set(socket, 0);
      socket.once('close', () => this.#sockets.delete(socket));
      // a client that hangs up is no news
      socket.on('error', () => socket.destroy());
    });
    server.on('session', (session) => {
      this.#sessions.add(session);
      session.once('close', () => this.#sessions.delete(session));
      session.on('error', () => session.destroy());
      if (this.#draining) session.close();
    });
    server.on('sessionError', () => {});
    server.on('tlsClientError', (error: NodeJS.ErrnoException, socket: TLSSocket) => {
      if (error.code === 'ERR_SSL_HTTP_REQUEST') beneath(socket)?.end(notTls);
    });
    const held = new HeldPackets();
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
      if (held.take(error, socket)) return;
      if (socket.writable) socket.end(error.code === 'HPE_HEADER_OVERFLOW' ? tooLarge : malformed);
      else socket.destroy();
    });
  }

  /** Counts the requests of an HTTP/1.1 connection; HTTP/2 sessions count for themselves. */
  busy(request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse): void {
    if (request.httpVersionMajor !== 1) return;
    const { socket } = request;
    if (this.#draining) (response as ServerResponse).setHeader('Connection', 'close');
    // connections of HTTP/1.1 are kept anyway, and Go's server does not say so
    else if (request.httpVersionMinor === 1) response.removeHeader('Connection');
    this.#sockets.set(socket, (this.#sockets.get(socket) ?? 0) + 1);
    response.on('close', this.#whenAnswered);
  }

  /** A connection that one request has to itself: it is never idle, and ends with it. */
  keep(socket: Duplex): void {
    if (this.#sockets.has(socket)) this.#sockets.set(socket, 1);
  }

  /** One for all answers: a function for each is a hundred bytes of garbage a request. */
  readonly #whenAnswered = (() => {
    const idle = (socket: Duplex): void => this.#idle(socket);
    return function (this: ServerResponse): void {
      idle(this.req.socket);
    };
  })();

  #idle(socket: Duplex): void {
    const left = (this.#sockets.get(socket) ?? 1) - 1;
    if (this.#sockets.has(socket)) this.#sockets.set(socket, left);
    if (this.#draining && left === 0) socket.end();
  }

  drain(): void {
    if (this.#draining) return;
    this.#draining = true;
    this.#closed = new Promise((resolve) => this.#server.close(() => resolve()));
    for (const session of this.#sessions) session.close();
    const secured = new Set([...this.#sessions].map((session) => session.socket as Duplex));
    for (const [socket, requests] of this.#sockets) {
      const isHttp1 = 'encrypted' in socket && !secured.has(socket) && (socket as TLSSocket).alpnProtocol !== 'h2';
      if (isHttp1 && requests === 0) socket.end();
    }
  }

  async close(): Promise<void> {
    this.drain();
    // connections whose last answer is on its way end by themselves
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([
      this.#closed,
      new Promise((resolve) => {
        timer = setTimeout(resolve, goodbye);
      }),
    ]);
    clearTimeout(timer);
    for (const session of this.#sessions) session.destroy();
    for (const socket of this.#sockets.keys()) socket.destroy();
    await this.#closed;
  }
}
