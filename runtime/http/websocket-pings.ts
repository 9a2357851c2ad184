import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { runNextTurn } from '../machinery/event-loop/yield.ts';

/**
 * Answers the pings of a client: the last one of each turn of the event loop, and none before the client has read what was sent to it.
 * So pings take no more memory than one, however many come. (RFC 6455, 5.5.3)
 *
 * @param connection below the WebSocket
 */
export function answerPings(socket: WebSocket, connection: Duplex): void {
  let last: Buffer | undefined;
  const answer = (): void => {
    if (last === undefined || socket.readyState !== socket.OPEN) return;
    if (connection.writableNeedDrain) {
      connection.once('drain', answer);
      return;
    }
    socket.pong(last);
    last = undefined;
  };
  socket.on('ping', (data) => {
    const isWaiting = last !== undefined;
    // the bytes are a part of everything that came with them
    last = Buffer.from(data);
    if (!isWaiting) runNextTurn(answer);
  });
}
