import { Duplex } from 'node:stream';
import type { Endpoint } from './endpoint.ts';

/** One end of a connection inside the process, with the members of sockets that node:http uses. */
export class SimulatedSocket extends Duplex {
  readonly localAddress: string;
  readonly localPort: number;
  readonly remoteAddress: string;
  readonly remotePort: number;
  connecting = false;
  #peer: SimulatedSocket | undefined;
  #pending: (() => void) | undefined;
  #hasEnded = false;

  constructor(local: Endpoint, remote: Endpoint) {
    // a datagram stays whole
    super({ objectMode: remote.protocol !== 'TCP' });
    this.localAddress = local.address;
    this.localPort = local.port;
    this.remoteAddress = remote.address;
    this.remotePort = remote.port;
  }

  /** Connects both ends. */
  join(peer: SimulatedSocket): void {
    this.#peer = peer;
    peer.#peer = this;
  }

  override _read(): void {
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    if (this.#peer?.destroyed === false) this.#peer.receive(chunk, done);
    else done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' }));
  }

  override _final(done: () => void): void {
    this.#peer?.receive(null, done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.();
    // what has been written is still read
    if (error !== null) this.#peer?.destroy();
    else this.#peer?.receive(null, () => undefined);
    done(error);
  }

  /** @param done called when the reader has room for more */
  receive(chunk: Buffer | null, done: () => void): void {
    const isOver = this.destroyed || this.#hasEnded;
    this.#hasEnded ||= chunk === null;
    if (isOver || this.push(chunk) || chunk === null) done();
    else this.#pending = done;
  }

  setTimeout(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

/** Returns the two ends of a new connection: that of the client, and that of the server. */
export function connectedPair(client: Endpoint, server: Endpoint): [SimulatedSocket, SimulatedSocket] {
  const [near, far] = [new SimulatedSocket(client, server), new SimulatedSocket(server, client)];
  near.join(far);
  // the reader of the other end handles the error
  far.on('error', () => undefined);
  return [near, far];
}
