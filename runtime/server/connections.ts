import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2SecureServer, Http2ServerRequest, Http2ServerResponse, ServerHttp2Session } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { Connection, type ConnectionOwner } from './connection.ts';
import { HeldPackets } from './held-packets.ts';
import { malformed, notTls, tooLarge } from './refusals.ts';

/** Milliseconds that a client may go on with a body after it was answered. */
const unreadFor = 1_000;
/** Milliseconds that connections without requests get to close in order. */
const goodbye = 100;

/** The TCP socket below TLS; Node has no public name for it. */
const beneath = (socket: TLSSocket): Duplex | undefined => (socket as unknown as { _parent?: Duplex })._parent;

export type RequestListener = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
) => unknown;

/**
 * Whoever was answered need not send the rest of the body. The stream is closed a while after the answer has been handed
 * over: at once, the end of the answer could be lost with it. (net/http2 handlerDone)
 */
function endUnread(request: Http2ServerRequest): void {
  if (request.complete) return;
  const { stream } = request;
  request.resume();
  const timer = setTimeout(() => stream.close(), unreadFor);
  timer.unref();
  stream.once('close', () => clearTimeout(timer));
}

/**
 * Sends a last response. A peer that reset the connection never takes it, and Node would wait for it for ever, so the
 * connection is closed a while later in any case.
 */
function endWith(socket: Duplex, response: string): void {
  socket.end(response);
  const timer = setTimeout(() => socket.destroy(), unreadFor);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
}

export interface ConnectionLimits {
  /** Milliseconds that an HTTP/2 connection without requests is kept. */
  readonly idle: number;
  /** Milliseconds between two pings of an HTTP/2 connection, and that its peer gets to answer one. */
  readonly silence: number;
  /** Milliseconds between two looks at all connections. */
  readonly lookEvery: number;
}

/** The connections of a server: which are busy, which have to go. */
export class Connections implements ConnectionOwner {
  readonly #server: Http2SecureServer;
  readonly #limits: ConnectionLimits;
  readonly #onRequest: RequestListener;
  /** Those of TCP and those of TLS over them. */
  readonly #all = new Map<Duplex, Connection>();
  readonly #sessions = new Map<ServerHttp2Session, Connection>();
  readonly #looking: NodeJS.Timeout;
  #draining = false;
  #closed: Promise<void> | undefined;

  constructor(server: Http2SecureServer, limits: ConnectionLimits, onRequest: RequestListener) {
    this.#server = server;
    this.#onRequest = onRequest;
    this.#limits = limits;
    this.#looking = setInterval(() => this.#look(), limits.lookEvery);
    this.#looking.unref();
    server.on('connection', (socket: Duplex) => this.#add(socket));
    // before Node's own listener, which makes sessions
    server.prependListener('secureConnection', (socket: TLSSocket) => this.#addSecured(socket));
    server.on('sessionError', () => {});
    server.on('clientError', this.#onClientError);
  }

  /** Begins a request, or lets it wait for the one before on its connection; HTTP/2 has a limit of its own on streams. */
  take(request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse): void {
    if (request.httpVersionMajor === 2)
      this.#takeStream(request as Http2ServerRequest, response as Http2ServerResponse);
    else if (request.httpVersionMajor === 1) this.#takeHttp1(request as IncomingMessage, response as ServerResponse);
    // a first line without a version, which Node takes for HTTP/0.9
    else request.socket.end(malformed);
  }

  #takeHttp1(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#all.get(request.socket) ?? this.#add(request.socket);
    if (connection.isBusy) connection.wait(request, response);
    else this.begin(connection, request, response);
  }

  begin(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    if (this.#draining) response.setHeader('Connection', 'close');
    // connections of HTTP/1.1 are kept anyway, and Go's server does not say so
    else if (request.httpVersionMinor === 1) response.removeHeader('Connection');
    connection.enter();
    response.on('close', connection.answered);
    if (hasBody(request)) {
      response.on('finish', () => {
        if (!request.complete) connection.unread = request;
      });
    }
    this.#onRequest(request, response);
  }

  #takeStream(request: Http2ServerRequest, response: Http2ServerResponse): void {
    const { stream } = request;
    const connection = stream.session && this.#sessions.get(stream.session as ServerHttp2Session);
    if (connection !== undefined) {
      connection.enter();
      response.on('close', connection.answered);
    }
    if (!stream.endAfterHeaders) stream.once('finish', () => endUnread(request));
    this.#onRequest(request, response);
  }

  becameIdle(connection: Connection): void {
    if (this.#draining) this.#endIdle(connection);
  }

  /** A connection that one request has to itself: it is never idle, and ends with it. */
  keep(socket: Duplex): void {
    this.#all.get(socket)?.enter();
  }

  drain(): void {
    if (this.#draining) return;
    this.#draining = true;
    this.#closed = new Promise((resolve) => this.#server.close(() => resolve()));
    for (const connection of this.#all.values()) this.#endIdle(connection);
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
    clearInterval(this.#looking);
    for (const session of this.#sessions.keys()) session.destroy();
    for (const socket of this.#all.keys()) socket.destroy();
    await this.#closed;
  }

  #add(socket: Duplex): Connection {
    const connection = new Connection(socket, this);
    this.#all.set(socket, connection);
    socket.once('close', () => this.#all.delete(socket));
    return connection;
  }

  #addSecured(socket: TLSSocket): void {
    // Go's server knows no renegotiation
    socket.disableRenegotiation();
    const connection = this.#add(socket);
    // a client that hangs up is no news
    socket.on('error', () => socket.destroy());
    // HTTP/2 connections that break off leave theirs open
    const below = beneath(socket);
    socket.once('close', () => below?.destroy());
    if (socket.alpnProtocol !== 'h2') return;
    // made by the next listener, in this turn
    this.#server.once('session', (session) => {
      connection.session = session;
      this.#sessions.set(session, connection);
      session.once('close', () => this.#sessions.delete(session));
      session.on('error', () => session.destroy());
      if (this.#draining) session.close();
    });
  }

  #endIdle(connection: Connection): void {
    const { socket, session, isBusy } = connection;
    // it waits for its streams by itself
    if (session !== undefined) session.close();
    else if ('encrypted' in socket && !isBusy) socket.end();
  }

  readonly #held = new HeldPackets();

  readonly #onClientError = (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (error.code === 'ERR_SSL_HTTP_REQUEST') {
      beneath(socket as TLSSocket)?.end(notTls);
      return;
    }
    if (this.#held.take(error, socket)) return;
    // to those who are slow, or do not speak TLS, nothing is said, and a connection without handshake cannot be ended
    if (socket.writable && this.#all.has(socket) && error.code?.startsWith('HPE_')) {
      endWith(socket, error.code === 'HPE_HEADER_OVERFLOW' ? tooLarge : malformed);
    } else {
      socket.destroy();
    }
  };

  /**
   * Closes what was over at the last look and still is. Where a peer breaks the protocol, or never closes its side, Node
   * waits for it for ever, and the connection keeps its descriptor.
   */
  #look(): void {
    for (const connection of this.#all.values()) {
      const { session } = connection;
      if (connection.isStillOver()) connection.socket.destroy();
      else if (session !== undefined && !connection.isOver) this.#lookAtSession(connection, session);
    }
  }

  #lookAtSession(connection: Connection, session: ServerHttp2Session): void {
    connection.idleLooks = connection.takeUsed() ? 0 : connection.idleLooks + 1;
    if (connection.idleLooks * this.#limits.lookEvery >= this.#limits.idle) session.close();
    else if (++connection.pingLooks * this.#limits.lookEvery >= this.#limits.silence) this.#ping(connection, session);
  }

  /** After some breaches of the protocol Node's library reads and writes nothing more, and tells nobody. */
  #ping(connection: Connection, session: ServerHttp2Session): void {
    if (connection.isSilent) {
      connection.socket.destroy();
      return;
    }
    connection.pingLooks = 0;
    connection.isSilent = true;
    session.ping(() => {
      connection.isSilent = false;
    });
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}
