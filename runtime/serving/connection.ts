import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerHttp2Session } from 'node:http2';
import type { Duplex } from 'node:stream';

type Exchange = readonly [request: IncomingMessage, response: ServerResponse];

/** The most HTTP/1.1 requests of a connection that wait for an earlier one. Go's server would not read them. */
const maxQueued = 1000;

/** The owner of connections, which handles their events. */
export interface ConnectionOwner {
  /** Handles a queued request. */
  begin(connection: Connection, ...exchange: Exchange): void;
  /** Called after the last request of a connection. */
  becameIdle(connection: Connection): void;
}

/** One connection and its requests. */
export class Connection {
  readonly socket: Duplex;
  /** Whether the next response ends the connection. */
  isRetired = false;
  /** Only for HTTP/2. */
  session: ServerHttp2Session | undefined;
  /** The number of consecutive checks without a request. */
  idleChecks = 0;
  /** Whether the last ping of an HTTP/2 connection lacks its acknowledgment. */
  isPingPending = false;
  /** Checks since the last ping. */
  checksSincePing = 0;
  /** The last request whose response ended before its body. The rest of the body is dropped. */
  unread: IncomingMessage | undefined;
  readonly #owner: ConnectionOwner;
  #requests = 0;
  #used = false;
  /** The number of unsent bytes at the last check, if the connection was finished then. */
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
    // this wait has its own time limit
    if (unread?.complete === false) return false;
    return socket.writableEnded && (socket.writableLength === 0 || socket.readableEnded);
  }

  /**
   * Reports whether this check and the last one found the connection finished, with no bytes sent in between. A write
   * to a TLS peer that reset the connection may never end, and Node reports no error.
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

  /** Reports whether the connection had a request since the last call. */
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

  /** One function for all requests of the connection. One for each would be a hundred bytes of garbage. */
  readonly requestCompleted = (): void => {
    this.#requests--;
    const next = this.#queue.shift();
    if (next !== undefined && !this.socket.destroyed) this.#owner.begin(this, ...next);
    if (this.#requests === 0) this.#owner.becameIdle(this);
  };

  /**
   * Queues an HTTP/1.1 request until the earlier one is complete, as Go's server does: a client that sends requests
   * without reading responses must not have all of them handled. Node's server keeps reading, so too many requests end
   * the connection.
   */
  enqueue(...exchange: Exchange): void {
    if (this.#queue.push(exchange) > maxQueued) this.socket.destroy();
  }
}
