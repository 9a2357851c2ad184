import { Agent, type ClientRequest, type ClientRequestArgs, request as startRequest } from 'node:http';
import type { OutgoingHttpHeaders } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { joinHostPort } from '../../machinery/go/join-host-port.ts';
import type { GoURL } from '../../machinery/go/url.ts';
import { proxyAuthorization, tunnel } from './connect-proxy.ts';
import { type Address, type Dial, dialAddress } from './dial.ts';
import { ResponseSocket } from './http1/response-socket.ts';
import { Http2Connection } from './http2-connection.ts';
import { NegotiatedRequest, SpeaksHttp2 } from './negotiated-request.ts';
import { canceled, isNetworkError, NetworkError } from './network-error.ts';
import type { PendingRequest } from './pending-request.ts';
import type { ProxyFor } from './proxy-environment.ts';
import { proxyAddress } from './proxy-url.ts';
import { notTLS } from './record-socket.ts';
import { isSocks, socksConnect } from './socks-proxy.ts';
import { TLSClient, type TLSClientConfig } from './tls-client.ts';

/**
 * Headers by name, in the case in which they are sent. Each value is a separate header. A header without values, or its
 * default, is not sent.
 */
export type Headers = Map<string, string[]>;

/** A server and its protocol. */
export interface Server extends Address {
  /** TLS is used. Default: whether the transport has a TLS configuration. */
  readonly isSecure?: boolean;
  /** The expected name in certificates. Default: the host. */
  readonly name?: string | undefined;
}

export interface OutgoingRequest {
  readonly method: string;
  /** The escaped path, with the query. */
  readonly path: string;
  /** The headers, including `host`. */
  readonly headers: Headers;
  /** The request has a connection for itself. It may be upgraded, so it speaks HTTP/1.1. */
  readonly ownConnection?: boolean;
  /** No proxy is used. */
  readonly isDirect?: boolean;
}

export interface TransportOptions {
  /** The TLS configuration. Undefined: no TLS, except for a secure server. */
  readonly tls?: TLSClientConfig | undefined;
  /** Default: over TCP. */
  readonly dial?: Dial | undefined;
  /** Returns the proxy of a request. Default: no proxies. */
  readonly proxy?: ProxyFor | undefined;
  /** The timeout of connecting, in milliseconds. Default: 30 s, as in Go. */
  readonly dialTimeout?: number | undefined;
}

/** Milliseconds before an idle connection closes, as in Go. */
const idleTimeout = 90_000;
const maxIdleConnections = 25;
/** The maximum bytes of a response's headers. (Go: 10 MiB) */
const maxHeaderSize = 1024 * 1024;

/** Headers of HTTP/1.1 connections, which HTTP/2 forbids. (http2 encodeHeaders) */
const ofConnection: ReadonlySet<string> = new Set(['host', 'connection', 'proxy-connection', 'transfer-encoding', 'upgrade', 'keep-alive']);
/** Reports whether HTTP/2 is disabled for all servers. (apimachinery pkg/util/net SetTransportDefaults) */
const isHttp2Disabled = (): boolean => (process.env.DISABLE_HTTP2 ?? '') !== '';

/** The arguments of an agent for a new connection. */
interface ConnectionArgs extends ClientRequestArgs {
  readonly server: Server;
  readonly isOwn: boolean;
  readonly isDirect: boolean;
  readonly pending: PendingConnection;
}

/** A request that waits for a connection. `cancel` ends its wait. */
interface PendingConnection {
  cancel: () => void;
}

type OnConnection = (error: Error | null, socket: Duplex) => void;

/** A pool of connections to servers. (http.Transport) */
export class Transport {
  readonly #options: TransportOptions;
  readonly #agent: TransportAgent;
  readonly #tls: TLSClient | undefined;
  readonly #http2: boolean;
  readonly #connections = new Map<string, Http2Connection[]>();
  #laterTls: TLSClient | undefined;
  #isClosed = false;

  /** @throws Error for an unusable certificate or key */
  constructor(options: TransportOptions = {}) {
    this.#options = options;
    this.#tls = options.tls && new TLSClient(options.tls);
    this.#http2 = options.tls?.nextProtos?.includes('h2') ?? !isHttp2Disabled();
    this.#agent = new TransportAgent((args) => this.#connect(args), {
      keepAlive: true,
      maxFreeSockets: maxIdleConnections,
      timeout: idleTimeout,
      scheduling: 'lifo',
    });
  }

  /** Begins a request. `roundTripError` translates its errors. @throws TypeError for an invalid header */
  request(server: Server, outgoing: OutgoingRequest): PendingRequest {
    if (!this.#http2 || outgoing.ownConnection || !this.#isSecure(server)) return this.#begin(server, outgoing);
    return new NegotiatedRequest({
      connection: this.#connections.get(nameOf(server))?.find(({ hasRoom }) => hasRoom),
      begin: () => this.#begin(server, outgoing),
      headers: () => http2Headers(outgoing),
    });
  }

  #begin(server: Server, outgoing: OutgoingRequest): ClientRequest {
    const { method, path, headers, ownConnection: isOwn = false, isDirect = false } = outgoing;
    const found = isDirect || this.#isSecure(server) ? undefined : this.proxyFor(server);
    const proxy = found === undefined || isSocks(found) ? undefined : found;
    const authorization = proxy && proxyAuthorization(proxy);
    if (authorization !== undefined) headers.set('proxy-authorization', [authorization]);
    const pending: PendingConnection = { cancel: () => undefined };
    const args: ConnectionArgs = {
      server,
      isOwn,
      isDirect,
      pending,
      host: server.host,
      port: server.port,
      method,
      maxHeaderSize,
      setHost: false,
      // a proxy without a tunnel needs the whole URL
      path: proxy === undefined ? path : `http://${headers.get('host')?.[0] ?? ''}${path}`,
      agent: isOwn ? new TransportAgent((one) => this.#connect(one)) : this.#agent,
      headers: sentHeaders(headers, 'Go-http-client/1.1'),
    };
    const request = startRequest(args);
    request.once('socket', (socket) => {
      if (socket instanceof ResponseSocket) socket.begin(method);
    });
    // what breaks a body off is told to its reader before the request ends
    request.once('response', (incoming) => {
      request.prependListener('error', (error) => {
        if (isNetworkError(error)) incoming.destroy(error);
      });
    });
    const destroy = request.destroy.bind(request);
    request.destroy = (error) => {
      destroy(error);
      pending.cancel();
      return request;
    };
    return request;
  }

  /** Closes idle connections now, and the others after their requests. */
  retire(): void {
    this.#agent.maxFreeSockets = 0;
    for (const sockets of Object.values(this.#agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
    for (const connection of [...this.#connections.values()].flat()) connection.retire();
  }

  /** Closes all connections; requests fail. */
  close(): void {
    this.#isClosed = true;
    this.#agent.destroy();
    for (const connection of [...this.#connections.values()].flat()) connection.destroy();
  }

  /** @throws SpeaksHttp2 for an HTTP/2 connection */
  async #connect({ server, isOwn, isDirect }: ConnectionArgs): Promise<Duplex> {
    const isSecure = this.#isSecure(server);
    const { name = server.host } = server;
    const proxy = isDirect ? undefined : this.proxyFor(server);
    const dial = (): Promise<Duplex> => (proxy === undefined ? this.#dial(server) : this.#dialProxy(proxy, server, isSecure));
    const protocols = this.#http2 && !isOwn ? http2First : http1Only;
    const connection = isSecure ? await this.#tlsClient().secure(dial, name, protocols) : await dial();
    if (connection.destroyed) throw new NetworkError('EOF', 'EOF');
    if (this.#isClosed) {
      connection.destroy();
      throw new NetworkError('http: client connection closed', 'ECONNRESET');
    }
    if (isSecure && (connection as TLSSocket).alpnProtocol === 'h2') {
      throw new SpeaksHttp2(this.#add(nameOf(server), connection as TLSSocket));
    }
    return isOwn ? connection : new ResponseSocket(connection);
  }

  /** Returns an existing connection with room in preference to the new one. (http2 addConnIfNeeded) */
  #add(name: string, socket: TLSSocket): Http2Connection {
    const connections = this.#connections.get(name) ?? [];
    const other = connections.find(({ hasRoom }) => hasRoom);
    if (other !== undefined) {
      socket.destroy();
      return other;
    }
    const connection = new Http2Connection(socket, () => {
      const others = (this.#connections.get(name) ?? []).filter((one) => one !== connection);
      if (others.length === 0) this.#connections.delete(name);
      else this.#connections.set(name, others);
    });
    this.#connections.set(name, [...connections, connection]);
    return connection;
  }

  /** Returns the proxy for a server; undefined for a direct connection. */
  proxyFor(server: Server): GoURL | undefined {
    const { name = server.host, port } = server;
    const scheme = this.#isSecure(server) ? 'https' : 'http';
    return this.#options.proxy?.({ scheme, host: joinHostPort(name, port) });
  }

  #isSecure({ isSecure = this.#tls !== undefined }: Server): boolean {
    return isSecure;
  }

  #dial(address: Address): Promise<Duplex> {
    const { dial, dialTimeout } = this.#options;
    return dialAddress(address, address.dial ?? dial, dialTimeout);
  }

  async #dialProxy(proxy: GoURL, { name, host, port }: Server, isSecure: boolean): Promise<Duplex> {
    const address = proxyAddress(proxy);
    const dial = (): Promise<Duplex> => this.#dial(address);
    const dialed = proxy.scheme === 'https' ? this.#tlsClient().secure(dial, address.host, http1Only) : dial();
    const socket = await dialed.catch(({ message, code }: NetworkError) => {
      throw new NetworkError(`proxyconnect tcp: ${message}`, code === notTLS.http ? notTLS.other : code);
    });
    if (isSocks(proxy)) return socksConnect(socket, proxy, name ?? host, port);
    return isSecure ? tunnel(socket, proxy, joinHostPort(name ?? host, port)) : socket;
  }

  #tlsClient(): TLSClient {
    this.#laterTls ??= this.#tls ?? new TLSClient();
    return this.#laterTls;
  }
}

const http2First = ['h2', 'http/1.1'];
const http1Only = ['http/1.1'];

const nameOf = ({ isSecure, name = '', host, port }: Server): string => `${isSecure ?? ''} ${name} ${host} ${port}`;

function http2Headers({ method, path, headers }: OutgoingRequest): OutgoingHttpHeaders {
  const kept = new Map([...headers].filter(([name]) => !ofConnection.has(name)));
  return {
    ':method': method,
    ':scheme': 'https',
    ':path': path,
    ':authority': headers.get('host')?.[0] ?? '',
    ...sentHeaders(kept, 'Go-http-client/2.0'),
  };
}

/** Adds net/http's default User-Agent. */
function sentHeaders(headers: Headers, userAgent: string): OutgoingHttpHeaders {
  const sent = [...headers].filter(([, values]) => values.length > 0);
  return {
    ...(!headers.has('user-agent') && { 'user-agent': userAgent }),
    ...Object.fromEntries(sent.map(([name, values]) => [name, values.length === 1 ? values[0] : values])),
  };
}

/** An agent that gives requests only ready connections, after the TLS handshake. */
class TransportAgent extends Agent {
  readonly #connect: (args: ConnectionArgs) => Promise<Duplex>;

  constructor(connect: (args: ConnectionArgs) => Promise<Duplex>, options?: ConstructorParameters<typeof Agent>[0]) {
    super(options);
    this.#connect = connect;
  }

  override getName(args?: ClientRequestArgs): string {
    return nameOf((args as ConnectionArgs).server);
  }

  override createConnection(args: ClientRequestArgs, done?: OnConnection): undefined {
    const { pending } = args as ConnectionArgs;
    let isOver = false;
    const end = (error: Error | null, socket?: Duplex): void => {
      if (isOver) socket?.destroy();
      else (done as OnConnection)(error, socket as Duplex);
      isOver = true;
    };
    pending.cancel = () => end(new NetworkError(canceled));
    this.#connect(args as ConnectionArgs).then(
      (socket) => end(null, socket),
      (error: Error) => end(error),
    );
  }
}
