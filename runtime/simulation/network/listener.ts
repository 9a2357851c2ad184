import type { Duplex } from 'node:stream';
import type { Endpoint } from './endpoint.ts';
import { connectedPair } from './simulated-socket.ts';

/**
 * Opens a connection to a program, and returns the end of the client.
 *
 * @param from the end of the client
 * @param to the end of the program
 * @throws DialFault
 */
export type Listener = (from: Endpoint, to: Endpoint) => Duplex | Promise<Duplex>;

/**
 * Returns the listener of a program inside the process.
 *
 * @param serve called with the program's end of each connection. With UDP, each chunk is a datagram.
 */
export const serving =
  (serve: (connection: Duplex, from: Endpoint, to: Endpoint) => void | Promise<void>): Listener =>
  (from, to) => {
    const [near, far] = connectedPair(from, to);
    void Promise.resolve(serve(far, from, to)).catch((error: Error) => far.destroy(error));
    return near;
  };
