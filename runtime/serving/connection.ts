import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerHttp2Session } from 'node:http2';
import type { Duplex } from 'node:stream';

type Exchange = readonly [request: IncomingMessage, response: ServerResponse];

/** The most requests of an HTTP/1.1 connection that may wait for the one before. Go's server would not read them. */
const maxQueued = 1000;

/** The owner of connections. */
export interface ConnectionOwner {
  /** Handles a request that waited for others. */
  begin(connection: Connection, ...exchange: Exchange): void;
  /** The last request is completed. */
  becameIdle(connection: Connection): void;
}

/** One connection and its requests. */
export class Connection {
  readonly socket: Duplex;
  /** Whether the next response ends the connection. */
  isRetired = false;
  /** Only for HTTP/2. */
  session: ServerHttp2Session | undefined;
  /** How many checks in a row found no request. */
  idleChecks = 0;
  /** The peer of an HTTP/2 connection has not acknowledged the last ping. */
  isPingPending = false;
  /** Checks since the last ping. */
  checksSincePing = 0;
  /** The last request whose response was complete before its body, of which the rest is dropped. */
  unread: IncomingMessage | undefined;
  readonly #owner: ConnectionOwner;
  #requests = 0;
  #used = false;
  /** The bytes that the last check found unsent, if it found the connection finished. */
  #unsent: number | undefined;
  readonly #queue: Exchange[] = [];

  constructor(socket: Duplex, owner: ConnectionOwner) {
    this.socket = socket;
    this.#owner = owner;
  }

  /** Whether the connection will have no more requests or responses. */
  get isFinished(): boolean {
    const { socket, session, unread } = this;
    if (session?.destroyed) return true;
    // has a time of its own
    if (unread?.complete === false) return false;
    return socket.writableEnded && (socket.writableLength === 0 || socket.readableEnded);
  }

  /**
   * Whether this check and the last one found the connection finished, with nothing sent in between. A write to a TLS peer
   * that reset the connection may never end, and Node reports no error for it.
   */
  isStillFinished(): boolean {
    const unsent = this.isFinished ? this.socket.writableLength : undefined;
    const isStill = unsent !== undefined && unsent === this.#unsent;
    this.#unsent = unsent;
    return isStill;
  }

  get isBusy(): boolean {
    return this.#requests > 0;
  }

  /** Whether the connection had a request since the last call. */
  takeUsed(): boolean {
    const used = this.#used || this.isBusy;
    this.#used = false;
    return used;
  }

  /** Begins a request; `requestCompleted` ends it. */
  beginRequest(): void {
    this.#requests++;
    this.#used = true;
  }

  /** One function for all requests of the connection: one for each would be a hundred bytes of garbage. */
  readonly requestCompleted = (): void => {
    this.#requests--;
    const next = this.#queue.shift();
    if (next !== undefined && !this.socket.destroyed) this.#owner.begin(this, ...next);
    if (this.#requests === 0) this.#owner.becameIdle(this);
  };

  /**
   * Queues an HTTP/1.1 request until the one before is completed, as Go's server does: a client that sends requests but reads
   * no responses must not have all of them handled. Node's server continues to read, so too many requests end the connection.
   */
  enqueue(...exchange: Exchange): void {
    if (this.#queue.push(exchange) > maxQueued) this.socket.destroy();
  }
}
