import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** The direction of data on a connection: requests or responses. */
export type Direction = 'requests' | 'responses';

/** A TCP proxy for a server. Its connections can be cut, delayed, held in one direction, and stalled. */
export class CutProxy {
  readonly #server: Server;
  #target: URL;
  readonly #sockets = new Set<Socket>();
  readonly #gates: Record<Direction, Gate> = { requests: new Gate(), responses: new Gate() };
  #held: Socket[] | undefined;
  #accepted = 0;

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((client) => {
      this.#accepted++;
      this.#keep(client);
      if (this.#held) this.#held.push(client);
      else this.#join(client);
    });
  }

  static async for(url: string): Promise<CutProxy> {
    const proxy = new CutProxy(url);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** The proxy's address, for clients. */
  get url(): string {
    return `${this.#target.protocol}//127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The number of connections so far. */
  get accepted(): number {
    return this.#accepted;
  }

  /** Directs new connections to another address. */
  aim(url: string): void {
    this.#target = new URL(url);
  }

  /** Cuts all connections. New ones wait for `release`. */
  cut(): void {
    this.#held = [];
    this.reset();
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const client of held) this.#join(client);
  }

  /** Ends all connections. New ones are made at once. */
  reset(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /**
   * Holds all data in one direction, including the ends of connections, so that they are half open. `let` delivers the
   * data, as a network delivers repeated packets.
   */
  hold(direction: Direction): void {
    this.#gates[direction].hold();
  }

  let(direction: Direction): void {
    this.#gates[direction].open();
  }

  /** Delays every piece of a stream, at most 64 KiB, by `ms`, in order. */
  delay(direction: Direction, ms: number): void {
    this.#gates[direction].delay = ms;
  }

  /** Stops reading from the connections to the server, like a slow client. */
  stall(): () => void {
    const stalled = [...this.#sockets];
    for (const socket of stalled) socket.pause();
    return () => {
      for (const socket of stalled) socket.resume();
    };
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.let('requests');
    this.let('responses');
    this.reset();
    await closed;
  }

  #join(client: Socket): void {
    if (client.destroyed) return;
    const upstream = connect(Number(this.#target.port), this.#target.hostname);
    this.#keep(upstream);
    this.#carry(client, upstream, this.#gates.requests);
    this.#carry(upstream, client, this.#gates.responses);
  }

  #carry(from: Socket, to: Socket, gate: Gate): void {
    const pieces = new Transform({
      transform: (piece, _, done) => gate.pass(() => done(null, piece)),
      flush: (done) => gate.pass(done),
    });
    from.pipe(pieces).pipe(to);
    // an orderly end arrives through the pipe, after the earlier data
    from.once('close', () => {
      if (!from.readableEnded) gate.pass(() => to.destroy());
    });
  }

  #keep(socket: Socket): void {
    socket.setNoDelay(true);
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    // the end of the connection informs the client
    socket.on('error', () => undefined);
  }
}

/** All data of all connections in one direction passes through it. */
class Gate {
  delay = 0;
  #waiting: (() => void)[] | undefined;

  hold(): void {
    this.#waiting ??= [];
  }

  open(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const send of waiting) send();
  }

  pass(send: () => void): void {
    if (this.#waiting !== undefined) this.#waiting.push(send);
    else if (this.delay > 0) setTimeout(() => this.pass(send), this.delay).unref();
    else send();
  }
}
