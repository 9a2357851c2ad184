import { type ClientRequest, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { type AgentOptions, type RequestOptions, Agent as SecureAgent, request as secureRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect as tlsConnect } from 'node:tls';
import type { Headers } from './headers.ts';
import { mayBeResolved } from './resolvable.ts';

/** Where a server listens. */
export interface Address {
  /** An IP address or a DNS name. */
  readonly host: string;
  readonly port: number;
  /** Finds the IP addresses of the name. Default: the system's resolver. */
  readonly lookup?: LookupFunction;
}

export interface OutgoingRequest {
  readonly method: string;
  /** With the query, escaped. */
  readonly path: string;
  readonly headers: Headers;
  /** Whether the connection is for this request alone. */
  readonly ownConnection?: boolean;
}

/** Opens a connection. Its errors are those of node:net. */
export type Dial = (address: Pick<Address, 'host' | 'port'>) => Duplex;

export interface TransportOptions {
  /** How servers show who they are. Default: connections without TLS. */
  readonly tls?: ConnectionOptions;
  /** Default: over TCP. */
  readonly dial?: Dial | undefined;
  /** Milliseconds until a connection must be there. Default: 30 s, as in Go. */
  readonly dialTimeout?: number | undefined;
}

const defaultDialTimeout = 30_000;
/** Milliseconds that an idle connection is kept, as in Go. */
const idleTimeout = 90_000;
const maxIdleConnections = 25;
/** The most bytes of the headers of a response. (Go: 10 MiB) */
const maxHeaderSize = 1024 * 1024;

/** Connections to servers, which are used again. (http.Transport) */
export class ProxyTransport {
  readonly #options: TransportOptions;
  readonly #agent: PlainAgent;
  readonly #request: typeof plainRequest;

  constructor(options: TransportOptions = {}) {
    this.#options = options;
    this.#agent = newAgent(options, { keepAlive: true, maxFreeSockets: maxIdleConnections, timeout: idleTimeout });
    this.#request = options.tls === undefined ? plainRequest : secureRequest;
  }

  /** Begins a request. Its errors are those of node:https. @throws TypeError for a header that cannot be sent */
  request(address: Address, { method, path, headers, ownConnection }: OutgoingRequest): ClientRequest {
    const options: RequestOptions = {
      ...(mayBeResolved(address.host) ? {} : { lookup: refuseLookup }),
      // whatever Host says
      servername: isIP(address.host) === 0 ? address.host : '',
      ...address,
      ...{ method, path },
      agent: ownConnection ? newAgent(this.#options) : this.#agent,
      headers: Object.fromEntries(
        [...headers].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
      ),
      setHost: false,
      maxHeaderSize,
    };
    return this.#limitDialing(this.#request(options));
  }

  /** Closes idle connections now, and the others when their requests are done. */
  retire(): void {
    this.#agent.maxFreeSockets = 0;
    for (const sockets of Object.values(this.#agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }

  #limitDialing(outgoing: ClientRequest): ClientRequest {
    outgoing.once('socket', (socket) => {
      if (outgoing.reusedSocket) return;
      if (socket.destroyed) {
        // which the request does not notice any more
        outgoing.emit('error', socket.errored ?? new Error('EOF'));
        return;
      }
      const { dialTimeout = defaultDialTimeout } = this.#options;
      const late = Object.assign(new Error('i/o timeout'), { code: 'ETIMEDOUT' });
      const timer = setTimeout(() => outgoing.destroy(late), dialTimeout);
      for (const event of [this.#request === plainRequest ? 'connect' : 'secureConnect', 'close']) {
        socket.once(event, () => clearTimeout(timer));
      }
    });
    return outgoing;
  }
}

/** Fails as the system's resolver. */
const refuseLookup: LookupFunction = (hostname, _options, done) => {
  const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND', hostname });
  process.nextTick(done, error, []);
};

function newAgent({ tls, dial }: TransportOptions, options?: AgentOptions): PlainAgent {
  const agent = tls === undefined ? new PlainAgent(options) : new SecureAgent({ ...options, ...tls });
  if (dial === undefined) return agent;
  const createConnection = ({ host, port, ...address }: AgentAddress): Duplex => {
    const socket = dial({ host, port: Number(port) });
    const secure = tls === undefined ? undefined : tlsConnect({ ...address, host, socket });
    // it may fail before anybody else listens
    socket.on('error', (error) => secure?.destroy(error));
    secure?.on('error', () => undefined);
    return secure ?? socket;
  };
  return Object.assign(agent, { createConnection });
}

/** Where an agent connects to. */
type AgentAddress = Address & ConnectionOptions;

/** The transports of proxies to pods, services and nodes. Nobody verifies certificates there. (CreateProxyTransport) */
export class ProxyTransports {
  readonly http: ProxyTransport;
  readonly https: ProxyTransport;

  constructor(dial?: Dial) {
    this.http = new ProxyTransport({ dial });
    this.https = new ProxyTransport({ dial, tls: { rejectUnauthorized: false } });
  }

  close(): void {
    for (const transport of [this.http, this.https]) transport.retire();
  }
}
