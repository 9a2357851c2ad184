import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { runNextTurn } from '../machinery/event-loop/yield.ts';

/**
 * Answers a client's pings: the last one of each turn of the event loop, and only after the client has read all sent
 * data. Any number of pings therefore takes the memory of one. (RFC 6455, 5.5.3)
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
    // a copy, because the bytes belong to the larger buffer in which they arrived
    last = Buffer.from(data);
    if (!isWaiting) runNextTurn(answer);
  });
}
