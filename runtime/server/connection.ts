import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerHttp2Session } from 'node:http2';
import type { Duplex } from 'node:stream';

type Exchange = readonly [request: IncomingMessage, response: ServerResponse];

/** Requests of one HTTP/1.1 connection that wait for the one before. Go's server would not read them. */
const mostWaiting = 1000;

/** Who has connections. */
export interface ConnectionOwner {
  /** Answers a request that waited for others. */
  begin(connection: Connection, ...exchange: Exchange): void;
  /** The last request is answered. */
  becameIdle(connection: Connection): void;
}

/** One connection, and what it is busy with. */
export class Connection {
  readonly socket: Duplex;
  /** Of HTTP/2. */
  session: ServerHttp2Session | undefined;
  /** How many looks in a row found no request. */
  idleLooks = 0;
  /** The peer of an HTTP/2 connection has not answered the last ping. */
  isSilent = false;
  /** Looks since that was sent. */
  pingLooks = 0;
  /** A request that was answered before its body was there. */
  unread: IncomingMessage | undefined;
  readonly #owner: ConnectionOwner;
  #requests = 0;
  #used = false;
  /** Bytes that the last look found unsent, if it found the connection over. */
  #unsent: number | undefined;
  readonly #waiting: Exchange[] = [];

  constructor(socket: Duplex, owner: ConnectionOwner) {
    this.socket = socket;
    this.#owner = owner;
  }

  /** Whether there will be no more requests and responses. */
  get isOver(): boolean {
    const { socket, session, unread } = this;
    if (session?.destroyed || unread?.complete === false) return true;
    return socket.writableEnded && (socket.writableLength === 0 || socket.readableEnded);
  }

  /**
   * Whether this look and the last one found the connection over, with nothing sent in between. A write to a TLS peer
   * that reset the connection may never end, and Node reports no error for it.
   */
  isStillOver(): boolean {
    const unsent = this.isOver ? this.socket.writableLength : undefined;
    const isStill = unsent !== undefined && unsent === this.#unsent;
    this.#unsent = unsent;
    return isStill;
  }

  get isBusy(): boolean {
    return this.#requests > 0;
  }

  /** Whether it has had a request since the last time this was asked. */
  takeUsed(): boolean {
    const used = this.#used || this.isBusy;
    this.#used = false;
    return used;
  }

  /** A request begins; `answered` says that it is over. */
  enter(): void {
    this.#requests++;
    this.#used = true;
  }

  /** One function for all answers of the connection: one for each is a hundred bytes of garbage a request. */
  readonly answered = (): void => {
    this.#requests--;
    const next = this.#waiting.shift();
    if (next !== undefined && !this.socket.destroyed) this.#owner.begin(this, ...next);
    if (this.#requests === 0) this.#owner.becameIdle(this);
  };

  /**
   * Keeps a request of HTTP/1.1 until the one before is answered, as Go's server does: whoever sends requests and reads no
   * answers must not have them all made. Node's server reads on meanwhile, so a connection with too many of them is cut.
   */
  wait(...exchange: Exchange): void {
    if (this.#waiting.push(exchange) > mostWaiting) this.socket.destroy();
  }
}
