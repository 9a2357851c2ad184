import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { rememberEnds } from '../network-error.ts';
import { ResponseReader } from './response-reader.ts';

/** A socket of TCP or TLS, or a connection of another kind, which cannot be tuned. */
type AnySocket = Duplex & Partial<Pick<Socket, 'timeout' | 'setTimeout' | 'setKeepAlive' | 'setNoDelay' | 'ref' | 'unref'>>;

/** A connection whose responses are read as Go does, before Node's parser gets them. */
export class ResponseSocket extends Duplex {
  readonly #socket: AnySocket;
  readonly #reader = new ResponseReader();
  /** Whether the server will send no more. */
  #hasEnded = false;
  /** Whether no request is under way. */
  #isFree = false;

  constructor(socket: Duplex) {
    super({ allowHalfOpen: true });
    this.#socket = socket;
    rememberEnds(this, socket);
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('end', () => this.#end());
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
    socket.on('timeout', () => this.emit('timeout'));
    // before the agent takes it back
    this.on('free', () => {
      this.#isFree = true;
      if (this.#hasEnded || this.#reader.hasExtra) this.destroy();
    });
  }

  /** Says what is asked next. */
  begin(method: string): void {
    this.#isFree = false;
    this.#reader.begin(method);
  }

  /** Milliseconds that the connection may be idle. */
  get timeout(): number | undefined {
    return this.#socket.timeout;
  }

  setTimeout(milliseconds: number): this {
    this.#socket.setTimeout?.(milliseconds);
    return this;
  }

  setKeepAlive(isOn?: boolean, delay?: number): this {
    this.#socket.setKeepAlive?.(isOn, delay);
    return this;
  }

  setNoDelay(isOn?: boolean): this {
    this.#socket.setNoDelay?.(isOn);
    return this;
  }

  ref(): this {
    this.#socket.ref?.();
    return this;
  }

  unref(): this {
    this.#socket.unref?.();
    return this;
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, encoding, done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }

  #receive(chunk: Buffer): void {
    let hasRoom = true;
    try {
      this.#reader.read(chunk, (bytes) => {
        if (bytes.length > 0) hasRoom = this.push(bytes);
      });
      if (this.#isFree && this.#reader.hasExtra) this.destroy();
      if (!hasRoom) this.#socket.pause();
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  #end(): void {
    this.#hasEnded = true;
    if (this.#isFree) this.destroy();
    const problem = this.#reader.end();
    if (problem === undefined) this.push(null);
    else this.destroy(problem);
  }
}
