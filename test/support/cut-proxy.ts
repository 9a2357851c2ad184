import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy in front of a server whose connections can be cut, delayed and stalled. */
export class CutProxy {
  readonly #server: Server;
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
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

  /** The address that clients use instead of the server's. */
  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The number of connections so far. */
  get accepted(): number {
    return this.#accepted;
  }

  /** Cuts all connections. New ones wait for `release`. */
  cut(): void {
    this.#held = [];
    for (const socket of this.#sockets) socket.destroy();
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const client of held) this.#join(client);
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
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #join(client: Socket): void {
    if (client.destroyed) return;
    const upstream = connect(Number(this.#target.port), this.#target.hostname);
    this.#keep(upstream);
    client.pipe(upstream).pipe(client);
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroy());
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    // the end of the connection informs the client
    socket.on('error', () => undefined);
  }
}
