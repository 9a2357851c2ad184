import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2SecureServer, Http2ServerRequest, Http2ServerResponse, ServerHttp2Session } from 'node:http2';
import { constants } from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { awaitContinue, isWaiting } from '../http/continue.ts';
import { Connection, type ConnectionOwner } from './connection.ts';
import { HeldPackets } from './held-packets.ts';
import { LastResponse, lastResponseTimeout } from './last-response.ts';
import { badRequest, httpOnHttpsPort, type ParseError, parseErrorRefusal, rawResponse } from './raw-responses.ts';
import { dropRest, type UnreadLimits } from './unread-body.ts';

/** Milliseconds for idle connections to close gracefully. */
const closeTimeout = 100;

/** Returns the TCP socket below TLS. Node has no public name for it. */
const tcpSocketOf = (socket: TLSSocket): Duplex | undefined => Reflect.get(socket, '_parent') as Duplex | undefined;

export type RequestListener = (request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse) => unknown;

/**
 * Resets a stream whose client still sends its body after the response. The reset comes a moment later, because closing
 * at once could lose the end of the response. (net/http2 handlerDone)
 */
function endUnread(request: Http2ServerRequest, limits: UnreadLimits): void {
  if (request.complete) return;
  const { stream } = request;
  const unreadTime = Math.min(limits.unreadTime, lastResponseTimeout);
  dropRest(request, { ...limits, unreadTime }, () => stream.close(constants.NGHTTP2_NO_ERROR));
}

export interface ConnectionLimits extends UnreadLimits {
  /** Milliseconds after which an HTTP/2 connection without requests is closed. */
  readonly idle: number;
  /** Milliseconds between two pings of an HTTP/2 connection. A ping must be acknowledged before the next one. */
  readonly pingInterval: number;
  /** Milliseconds between two checks of all connections. */
  readonly checkInterval: number;
}

/** The connections of a server. Closes connections that are finished, idle or broken. */
export class Connections implements ConnectionOwner {
  readonly #server: Http2SecureServer;
  readonly #limits: ConnectionLimits;
  readonly #onRequest: RequestListener;
  /** Connections by socket: TCP sockets, and the TLS sockets on top of them. */
  readonly #all = new Map<Duplex, Connection>();
  readonly #sessions = new Map<ServerHttp2Session, Connection>();
  readonly #checking: NodeJS.Timeout;
  #draining = false;
  #isUnreferenced = false;
  #closed: Promise<void> | undefined;

  constructor(server: Http2SecureServer, limits: ConnectionLimits, onRequest: RequestListener) {
    this.#server = server;
    this.#onRequest = onRequest;
    this.#limits = limits;
    this.#checking = setInterval(() => this.#check(), limits.checkInterval);
    this.#checking.unref();
    server.on('connection', (socket: Duplex) => this.#add(socket));
    // before Node's own listener, which creates sessions
    server.prependListener('secureConnection', (socket: TLSSocket) => this.#addSecured(socket));
    server.on('sessionError', () => {});
    server.on('clientError', this.#onClientError);
  }

  /** Handles a request. HTTP/1.1 requests first wait for earlier ones on their connection. */
  handle(request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse): void {
    if ('stream' in request) this.#handleStream(request, response as Http2ServerResponse);
    // Node reads a request line without a version as HTTP/0.9
    else if (request.httpVersionMajor === 0) request.socket.end(rawResponse(badRequest));
    else this.#handleHttp1(request, response as ServerResponse);
  }

  #handleHttp1(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#all.get(request.socket) ?? this.#add(request.socket);
    // the connection ends with an earlier response
    if (request.socket.writableEnded) return;
    if (connection.isBusy) connection.enqueue(request, response);
    else this.begin(connection, request, response);
  }

  begin(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    if (this.#draining || connection.isRetired) response.setHeader('Connection', 'close');
    // an unrequested body may still arrive, and could be taken for the next request
    else if (isWaiting(request)) response.setHeader('Connection', 'close');
    // keep-alive is the default of HTTP/1.1, and Go's server does not send the header
    else if (request.httpVersionMinor === 1) response.removeHeader('Connection');
    connection.beginRequest();
    response.on('close', connection.requestCompleted);
    if (hasBody(request)) this.#endBody(connection, request, response);
    this.#onRequest(request, response);
  }

  /**
   * Keeps reading after a response that ended before the body. If the connection is to end, only the server's side
   * closes: a reset would keep a sending client from reading the response.
   */
  #endBody(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    response.once('prefinish', () => {
      if (request.complete) return;
      connection.unread = request;
      dropRest(request, this.#limits, () => connection.socket.destroy());
    });
  }

  /** Handles a request with `Expect: 100-continue`. The connection closes unless the body is requested. */
  handleExpecting(request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse): void {
    awaitContinue(request as IncomingMessage, () => {
      response.writeContinue();
      if (!this.#draining && !this.#all.get(request.socket)?.isRetired) response.removeHeader('Connection');
    });
    this.handle(request, response);
  }

  #handleStream(request: Http2ServerRequest, response: Http2ServerResponse): void {
    const { stream } = request;
    const connection = stream.session && this.#sessions.get(stream.session as ServerHttp2Session);
    if (connection !== undefined) {
      connection.beginRequest();
      response.on('close', connection.requestCompleted);
    }
    if (!stream.endAfterHeaders) stream.once('finish', () => endUnread(request, this.#limits));
    this.#onRequest(request, response);
  }

  becameIdle(connection: Connection): void {
    if (this.#draining) this.#endIdle(connection);
  }

  /** Marks the connection of an upgrade request as busy: it ends with the request. */
  markUpgraded(socket: Duplex): void {
    this.#all.get(socket)?.beginRequest();
  }

  /**
   * Ends connections whose client certificate had no known CA. TLS verifies a certificate once, so a client whose CA
   * has become known needs a new connection. HTTP/1.1 connections end with the next response, so that no request is
   * lost.
   */
  retireUnverified(): void {
    for (const connection of this.#all.values()) {
      const { socket } = connection;
      if (!isTls(socket) || socket.authorized || socket.getPeerX509Certificate() === undefined) continue;
      connection.isRetired = true;
      connection.session?.close();
    }
  }

  /** Stops the port and the connections from keeping the process alive. */
  unref(): void {
    this.#isUnreferenced = true;
    this.#server.unref();
    for (const socket of this.#all.keys()) unreference(socket);
  }

  drain(): void {
    if (this.#draining) return;
    this.#draining = true;
    this.#closed ??= this.#stopListening();
    for (const connection of this.#all.values()) this.#endIdle(connection);
  }

  get isDraining(): boolean {
    return this.#draining;
  }

  /** Destroys the connection of a request, with all other requests on it and without notice to the peer. */
  destroyOf(request: IncomingMessage | Http2ServerRequest): void {
    if (request.httpVersionMajor === 1) {
      request.socket.destroy();
      return;
    }
    const { session } = (request as Http2ServerRequest).stream;
    if (session !== undefined) this.#sessions.get(session as ServerHttp2Session)?.socket.destroy();
  }

  /** Destroys all connections without notice to the peers, and accepts no new ones. Resolves when the port is free. */
  async abort(): Promise<void> {
    this.#closed ??= this.#stopListening();
    clearInterval(this.#checking);
    for (const socket of this.#all.keys()) socket.destroy();
    await this.#closed;
  }

  #stopListening(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  async close(): Promise<void> {
    this.drain();
    // connections end when their last response is sent
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([
      this.#closed,
      new Promise((resolve) => {
        timer = setTimeout(resolve, closeTimeout);
      }),
    ]);
    clearTimeout(timer);
    clearInterval(this.#checking);
    for (const session of this.#sessions.keys()) session.destroy();
    for (const socket of this.#all.keys()) socket.destroy();
    await this.#closed;
  }

  #add(socket: Duplex): Connection {
    const connection = new Connection(socket, this);
    if (this.#isUnreferenced) unreference(socket);
    this.#all.set(socket, connection);
    socket.once('close', () => this.#all.delete(socket));
    return connection;
  }

  #addSecured(socket: TLSSocket): void {
    // Go's server does not support renegotiation
    socket.disableRenegotiation();
    const connection = this.#add(socket);
    // Node's server calls this after the last response
    socket.destroySoon = () => {
      if (connection.unread?.complete === false) socket.end();
      else TLSSocket.prototype.destroySoon.call(socket);
    };
    // ignores clients that disconnect
    socket.on('error', () => socket.destroy());
    // aborted HTTP/2 connections leave the TCP socket open
    const tcpSocket = tcpSocketOf(socket);
    socket.once('close', () => tcpSocket?.destroy());
    if (socket.alpnProtocol !== 'h2') return;
    // the next listener creates the session in this turn of the event loop
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
    // a closing session waits for its streams
    if (session !== undefined) session.close();
    else if (isTls(socket) && !isBusy) socket.end();
  }

  readonly #heldPackets = new HeldPackets();
  readonly #lastResponses = new WeakMap<Duplex, LastResponse>();

  readonly #onClientError = (error: ParseError, socket: Duplex): void => {
    if (error.code === 'ERR_SSL_HTTP_REQUEST') {
      tcpSocketOf(socket as TLSSocket)?.end(httpOnHttpsPort);
      return;
    }
    const last = this.#lastResponses.get(socket);
    if (last !== undefined) {
      last.received();
      return;
    }
    if (this.#heldPackets.hold(error, socket)) return;
    // slow clients and clients without TLS get no response, and without a handshake a socket cannot be ended
    if (socket.writable && this.#all.has(socket) && error.code?.startsWith('HPE_')) {
      this.#lastResponses.set(socket, new LastResponse(socket as Socket, rawResponse(parseErrorRefusal(error)), this.#limits));
    } else {
      socket.destroy();
    }
  };

  /**
   * Closes connections that were finished at the last check and still are. Node would wait forever, and keep the file
   * descriptor, for a peer that violates the protocol or never closes its side.
   */
  #check(): void {
    for (const connection of this.#all.values()) {
      const { session } = connection;
      if (connection.isStillFinished()) connection.socket.destroy();
      else if (session !== undefined && !connection.isFinished) this.#checkSession(connection, session);
    }
  }

  #checkSession(connection: Connection, session: ServerHttp2Session): void {
    connection.idleChecks = connection.takeUsed() ? 0 : connection.idleChecks + 1;
    if (connection.idleChecks * this.#limits.checkInterval >= this.#limits.idle) session.close();
    else if (++connection.checksSincePing * this.#limits.checkInterval >= this.#limits.pingInterval) this.#ping(connection, session);
  }

  /**
   * Destroys a session without an acknowledgment of its last ping: after some protocol violations, Node stops reading
   * and writing without an error. After a GOAWAY, no PING is sent, and the streams have this time to finish.
   */
  #ping(connection: Connection, session: ServerHttp2Session): void {
    if (connection.isPingPending) {
      connection.socket.destroy();
      return;
    }
    connection.checksSincePing = 0;
    connection.isPingPending = true;
    session.ping((error) => {
      if (error === null) connection.isPingPending = false;
    });
  }
}

/** Unreferences sockets. Other streams do not keep the process alive. */
const unreference = (socket: Duplex): void => void (socket as Partial<Socket>).unref?.();

const isTls = (socket: Duplex): socket is TLSSocket => 'encrypted' in socket;

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}
