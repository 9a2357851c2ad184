import type { Duplex } from 'node:stream';

interface ParseError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/**
 * What HTTP/1.1 clients send while their last answer still leaves the process. Node pauses the parser of such a
 * connection, but not what TLS has decrypted already, and takes the rest of a large request for an error of the client's.
 * Here it is kept, and given to the parser when it goes on.
 */
export class HeldPackets {
  readonly #held = new WeakMap<Duplex, Buffer[]>();

  /** False for a packet that is wrong indeed. */
  take({ code, rawPacket }: ParseError, socket: Duplex): boolean {
    if (code !== 'HPE_PAUSED' || rawPacket === undefined) return false;
    const held = this.#held.get(socket);
    if (held !== undefined) held.push(rawPacket);
    else this.#holdFrom(socket, [rawPacket]);
    return true;
  }

  #holdFrom(socket: Duplex, packets: Buffer[]): void {
    this.#held.set(socket, packets);
    // Node's own listener is there since the connection was made: its parser goes on before this is called
    socket.once('drain', () => {
      this.#held.delete(socket);
      while (packets.length > 0) {
        if (isPaused(socket)) return this.#holdFrom(socket, packets);
        socket.emit('data', packets.shift());
      }
    });
  }
}

/** As Node's HTTP server notes it, which asserts that no data come meanwhile. */
const isPaused = (socket: Duplex): boolean => (socket as { _paused?: boolean })._paused === true;
