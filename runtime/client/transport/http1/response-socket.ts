import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ForwardedSocket } from '../forwarded-socket.ts';
import { rememberEnds } from '../network-error.ts';
import { ResponseReader } from './response-reader.ts';

/** A socket of TCP or TLS, or another connection without these settings. */
type AnySocket = Duplex & Partial<Pick<Socket, 'timeout' | 'setTimeout' | 'setKeepAlive' | 'setNoDelay' | 'ref' | 'unref'>>;

/** A connection whose responses are read as Go reads them, before Node's parser gets them. */
export class ResponseSocket extends ForwardedSocket<AnySocket> {
  readonly #reader = new ResponseReader();
  /** The server sends no more. */
  #hasEnded = false;
  /** No request is in flight. */
  #isFree = false;

  constructor(socket: Duplex) {
    super(socket);
    rememberEnds(this, socket);
    socket.on('timeout', () => this.emit('timeout'));
    // before the agent takes it back
    this.on('free', () => {
      this.#isFree = true;
      if (this.#hasEnded || this.#reader.hasExtra) this.destroy();
    });
  }

  /** Expects the response to a request with this method. */
  begin(method: string): void {
    this.#isFree = false;
    this.#reader.begin(method);
  }

  /** Milliseconds that the connection may be idle. */
  get timeout(): number | undefined {
    return this.socket.timeout;
  }

  setTimeout(milliseconds: number): this {
    this.socket.setTimeout?.(milliseconds);
    return this;
  }

  setKeepAlive(isOn?: boolean, delay?: number): this {
    this.socket.setKeepAlive?.(isOn, delay);
    return this;
  }

  setNoDelay(isOn?: boolean): this {
    this.socket.setNoDelay?.(isOn);
    return this;
  }

  ref(): this {
    this.socket.ref?.();
    return this;
  }

  unref(): this {
    this.socket.unref?.();
    return this;
  }

  protected override receive(chunk: Buffer): boolean {
    let hasRoom = true;
    try {
      this.#reader.read(chunk, (bytes) => {
        if (bytes.length > 0) hasRoom = this.push(bytes);
      });
      if (this.#isFree && this.#reader.hasExtra) this.destroy();
    } catch (error) {
      this.destroy(error as Error);
    }
    return hasRoom;
  }

  protected override receiveEnd(): void {
    this.#hasEnded = true;
    if (this.#isFree) this.destroy();
    const problem = this.#reader.end();
    if (problem === undefined) this.push(null);
    else this.destroy(problem);
  }
}
