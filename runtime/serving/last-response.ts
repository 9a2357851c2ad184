import type { Socket } from 'node:net';
import type { UnreadLimits } from './unread-body.ts';

/** Milliseconds for a peer to read a last response. */
export const lastResponseTimeout = 1_000;

/**
 * The last response to a client that sends invalid HTTP. Further data is dropped, so that the client can read the
 * response. A peer that reset the connection never reads it, and Node would wait forever, so a timer destroys the
 * socket.
 */
export class LastResponse {
  readonly #socket: Socket;
  readonly #timer: NodeJS.Timeout;
  readonly #lastByte: number;
  readonly #lastTime: number;

  constructor(socket: Socket, response: string, { unreadBytes, unreadTime }: UnreadLimits) {
    this.#socket = socket;
    this.#lastByte = socket.bytesRead + unreadBytes;
    this.#lastTime = Date.now() + unreadTime;
    socket.end(response);
    this.#timer = setTimeout(() => socket.destroy(), lastResponseTimeout);
    this.#timer.unref();
    socket.once('close', () => clearTimeout(this.#timer));
  }

  /** Notes that the client has sent more. */
  received(): void {
    if (this.#socket.bytesRead > this.#lastByte || Date.now() > this.#lastTime) this.#socket.destroy();
    else this.#timer.refresh();
  }
}
