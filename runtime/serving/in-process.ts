import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import type { Authenticator } from '../authentication/authenticator.ts';
import type { UserInfo } from '../machinery/user-info.ts';
import type { RequestListener } from './connections.ts';
import { handleUpgrade, type Listener } from './listen.ts';

/** The user of the administrator's certificate. */
export const administrator: UserInfo = { name: 'kubernetes-admin', uid: '', groups: ['system:masters'], extra: {} };

/** Connections from inside this process, in the administrator's name: HTTP/1.1 without TLS or a port. */
export class InProcessConnections {
  readonly #sockets = new Set<Duplex>();
  #onRequest: RequestListener = () => undefined;
  #server: Server | undefined;
  #closed = false;

  /** Sets the handler of requests, before the first connection. */
  serve(onRequest: RequestListener): void {
    this.#onRequest = onRequest;
  }

  /** Returns the client's side of a new connection. */
  connect(): Duplex {
    if (this.#closed) throw new Error('the server is closed');
    const pair = duplexPair();
    const [client, server] = [asSocket(pair[0]), asSocket(pair[1])];
    this.#sockets.add(server);
    server.once('close', () => {
      this.#sockets.delete(server);
      client.destroy();
    });
    client.once('close', () => server.destroy());
    this.#http().emit('connection', server);
    return client;
  }

  /** Authenticates requests on these connections that have no credentials. */
  readonly authenticator: Authenticator = {
    authenticate: ({ socket, headers }) => (headers.authorization === undefined && this.#sockets.has(socket) ? administrator : undefined),
  };

  /** Returns a listener without a port, for a server that only this process can reach. */
  listener(): Listener {
    return {
      port: 0,
      connections: async () => this.#sockets.size,
      setCertificates: () => undefined,
      destroyConnectionOf: (request) => void this.destroyOf(request),
      interrupt: async () => this.#destroyAll(),
      unref: () => undefined,
      drain: () => undefined,
      close: async () => undefined,
    };
  }

  /** Returns false for requests of other connections. */
  destroyOf({ socket }: IncomingMessage): boolean {
    if (!this.#sockets.has(socket)) return false;
    socket.destroy();
    return true;
  }

  close(): void {
    this.#closed = true;
    this.#destroyAll();
    this.#server?.close();
  }

  #destroyAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #http(): Server {
    if (this.#server !== undefined) return this.#server;
    // timeouts only protect against remote clients
    const server = createServer({ connectionsCheckingInterval: 2 ** 30, keepAliveTimeout: 0, requestTimeout: 0 });
    server.on('request', (request, response) => {
      // Go's server does not send the header
      response.removeHeader('Connection');
      this.#onRequest(request, response);
    });
    server.on('upgrade', (request, socket, head) => handleUpgrade(request, socket, head, this.#onRequest));
    this.#server = server;
    return server;
  }
}

/** Adds the methods that Node's HTTP calls on network sockets, without effect. */
function asSocket(duplex: Duplex): Duplex {
  const same = (): Duplex => duplex;
  return Object.assign(duplex, { setTimeout: same, setKeepAlive: same, setNoDelay: same, ref: same, unref: same });
}
