import type { Duplex } from 'node:stream';

interface ParseError extends Error {
  readonly code?: string | undefined;
  readonly rawPacket?: Buffer;
}

/**
 * Holds packets that HTTP/1.1 clients send during a response, and passes them to the parser when it resumes. Node
 * pauses the parser of such a connection, but still delivers decrypted data and reports it as a client error.
 */
export class HeldPackets {
  readonly #held = new WeakMap<Duplex, Buffer[]>();

  /** Returns false if the error has another cause. */
  hold({ code, rawPacket }: ParseError, socket: Duplex): boolean {
    if (code !== 'HPE_PAUSED' || rawPacket === undefined) return false;
    const held = this.#held.get(socket);
    if (held !== undefined) held.push(rawPacket);
    else this.#holdUntilDrain(socket, [rawPacket]);
    return true;
  }

  #holdUntilDrain(socket: Duplex, packets: Buffer[]): void {
    this.#held.set(socket, packets);
    // Node's own listener ran before, so its parser has resumed
    socket.once('drain', () => {
      this.#held.delete(socket);
      while (packets.length > 0) {
        if (isPaused(socket)) return this.#holdUntilDrain(socket, packets);
        socket.emit('data', packets.shift());
      }
    });
  }
}

/** Reports whether Node's HTTP server has paused the socket. It asserts that paused sockets emit no data. */
const isPaused = (socket: Duplex): boolean => (socket as { _paused?: boolean })._paused === true;
