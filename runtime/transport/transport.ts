import { Agent, type ClientRequest, type ClientRequestArgs, request as startRequest } from 'node:http';
import type { Duplex } from 'node:stream';
import { joinHostPort } from '../machinery/go/join-host-port.ts';
import type { GoURL } from '../machinery/go/url.ts';
import { proxyAddress, proxyAuthorization, tunnel } from './connect-proxy.ts';
import { type Address, type Dial, dialAddress } from './dial.ts';
import { canceled, NetworkError } from './network-error.ts';
import type { ProxyFor } from './proxy-environment.ts';
import { TLSClient, type TLSClientConfig } from './tls-client.ts';

/** Headers by name as they are sent. Each value is a header of its own. */
export type Headers = Map<string, string[]>;

/** A server, and how it is spoken to. */
export interface Server extends Address {
  /** Default: whether the transport has a configuration for it. */
  readonly isSecure?: boolean;
  /** The name that certificates must have. Default: the host. */
  readonly name?: string | undefined;
}

export interface OutgoingRequest {
  readonly method: string;
  /** With the query, escaped. */
  readonly path: string;
  /** Among them `host`. */
  readonly headers: Headers;
  /** Whether the connection is for this request alone. */
  readonly ownConnection?: boolean;
}

export interface TransportOptions {
  /** How servers show who they are. Undefined: connections without TLS, unless a server is secure. */
  readonly tls?: TLSClientConfig | undefined;
  /** Default: over TCP. */
  readonly dial?: Dial | undefined;
  /** Through which proxies requests go. Default: none. */
  readonly proxy?: ProxyFor | undefined;
  /** Milliseconds until a connection must be there. Default: 30 s, as in Go. */
  readonly dialTimeout?: number | undefined;
}

/** Milliseconds that an idle connection is kept, as in Go. */
const idleTimeout = 90_000;
const maxIdleConnections = 25;
/** The most bytes of the headers of a response. (Go: 10 MiB) */
const maxHeaderSize = 1024 * 1024;

/** What an agent is asked for a connection with. */
interface ConnectionArgs extends ClientRequestArgs {
  readonly server: Server;
  readonly pending: PendingConnection;
}

/** A request that waits for a connection: nobody else would tell it that it was ended meanwhile. */
interface PendingConnection {
  cancel: () => void;
}

type OnConnection = (error: Error | null, socket: Duplex) => void;

/** Connections to servers, which are used again. (http.Transport) */
export class Transport {
  readonly #options: TransportOptions;
  readonly #agent: TransportAgent;
  readonly #tls: TLSClient | undefined;
  #laterTls: TLSClient | undefined;
  #isClosed = false;

  /** @throws Error for a certificate or a key that cannot be used */
  constructor(options: TransportOptions = {}) {
    this.#options = options;
    this.#tls = options.tls && new TLSClient(options.tls);
    this.#agent = new TransportAgent((server) => this.#connect(server), {
      ...{ keepAlive: true, maxFreeSockets: maxIdleConnections, timeout: idleTimeout, scheduling: 'lifo' },
    });
  }

  /** Begins a request. `roundTripError` tells what its errors mean. @throws TypeError for a header that cannot be sent */
  request(server: Server, { method, path, headers, ownConnection }: OutgoingRequest): ClientRequest {
    const proxy = this.#isSecure(server) ? undefined : this.proxyFor(server);
    const authorization = proxy && proxyAuthorization(proxy);
    if (authorization !== undefined) headers.set('proxy-authorization', [authorization]);
    const pending: PendingConnection = { cancel: () => undefined };
    const args: ConnectionArgs = {
      ...{ server, pending, host: server.host, port: server.port, method, maxHeaderSize, setHost: false },
      // a proxy without a tunnel is told the whole URL
      path: proxy === undefined ? path : `http://${headers.get('host')?.[0] ?? ''}${path}`,
      agent: ownConnection ? new TransportAgent((one) => this.#connect(one)) : this.#agent,
      headers: Object.fromEntries(
        [...headers].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
      ),
    };
    const outgoing = startRequest(args);
    const destroy = outgoing.destroy.bind(outgoing);
    outgoing.destroy = (error) => {
      destroy(error);
      pending.cancel();
      return outgoing;
    };
    return outgoing;
  }

  /** Closes idle connections now, and the others when their requests are done. */
  retire(): void {
    this.#agent.maxFreeSockets = 0;
    for (const sockets of Object.values(this.#agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }

  /** Closes all connections; requests fail. */
  close(): void {
    this.#isClosed = true;
    this.#agent.destroy();
  }

  async #connect(server: Server): Promise<Duplex> {
    const isSecure = this.#isSecure(server);
    const { name = server.host } = server;
    const proxy = this.proxyFor(server);
    const socket = proxy === undefined ? await this.#dial(server) : await this.#dialProxy(proxy, server, isSecure);
    const connection = isSecure ? await this.#tlsClient().secure(socket, name) : socket;
    if (connection.destroyed) throw new NetworkError('EOF', 'EOF');
    if (!this.#isClosed) return connection;
    connection.destroy();
    throw new NetworkError('http: client connection closed', 'ECONNRESET');
  }

  /** The proxy that a server is asked through; undefined for none. */
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
    return dialAddress(address, dial, dialTimeout);
  }

  async #dialProxy(proxy: GoURL, { name, host, port }: Server, isSecure: boolean): Promise<Duplex> {
    const address = proxyAddress(proxy);
    const socket = await this.#dial(address).catch(({ message, code }: NetworkError) => {
      throw new NetworkError(`proxyconnect tcp: ${message}`, code);
    });
    const secured = proxy.scheme === 'https' ? await this.#tlsClient().secure(socket, address.host) : socket;
    return isSecure ? tunnel(secured, proxy, joinHostPort(name ?? host, port)) : secured;
  }

  #tlsClient(): TLSClient {
    this.#laterTls ??= this.#tls ?? new TLSClient();
    return this.#laterTls;
  }
}

/** Connections that are ready, TLS included, before a request gets them. */
class TransportAgent extends Agent {
  readonly #connect: (server: Server) => Promise<Duplex>;

  constructor(connect: (server: Server) => Promise<Duplex>, options?: ConstructorParameters<typeof Agent>[0]) {
    super(options);
    this.#connect = connect;
  }

  override getName(args?: ClientRequestArgs): string {
    const { server } = args as ConnectionArgs;
    return `${server.isSecure ?? ''} ${server.name ?? ''} ${server.host} ${server.port}`;
  }

  override createConnection(args: ClientRequestArgs, done?: OnConnection): undefined {
    const { server, pending } = args as ConnectionArgs;
    let isOver = false;
    const end = (error: Error | null, socket?: Duplex): void => {
      if (isOver) socket?.destroy();
      else (done as OnConnection)(error, socket as Duplex);
      isOver = true;
    };
    pending.cancel = () => end(new NetworkError(canceled));
    this.#connect(server).then(
      (socket) => end(null, socket),
      (error: Error) => end(error),
    );
  }
}
