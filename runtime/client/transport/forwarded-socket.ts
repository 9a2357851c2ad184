import { Duplex } from 'node:stream';

/** A connection that looks at the bytes another connection receives before it passes them on. Sent bytes pass unseen. */
export abstract class ForwardedSocket<S extends Duplex = Duplex> extends Duplex {
  protected readonly socket: S;

  constructor(socket: S) {
    super({ allowHalfOpen: true });
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      if (!this.receive(chunk)) socket.pause();
    });
    socket.on('end', () => this.receiveEnd());
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  /** Pushes a received chunk, or destroys the connection. Returns false if the reader has no room for more. */
  protected abstract receive(chunk: Buffer): boolean;

  /** Ends the connection: its peer sends no more. */
  protected abstract receiveEnd(): void;

  override _read(): void {
    this.socket.resume();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.socket.write(chunk, encoding, done);
  }

  override _final(done: () => void): void {
    this.socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.socket.destroy();
    done(error);
  }
}
