import type { IncomingMessage } from 'node:http';
import type { Duplex, Writable } from 'node:stream';

interface Events {
  on(event: 'response', listener: (incoming: IncomingMessage) => void): this;
  on(event: 'upgrade', listener: (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void): this;
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): this;
}

/**
 * A request without a response yet: one of Node.js over HTTP/1.1, or one with the same interface over the protocol of
 * the server.
 */
export type PendingRequest = Events &
  Writable & {
    /** The connection has had requests before. */
    readonly reusedSocket: boolean;
    readonly socket: Duplex | null;
    /** Sends the headers before the body. */
    flushHeaders(): void;
  };

/**
 * The code of the error of a request that the server has not processed. (http2 REFUSED_STREAM, or a stream after
 * GOAWAY)
 */
export const refusedStream = 'REFUSED_STREAM';

/** Methods whose requests may be repeated. (http.Request isReplayable) */
const replayable: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Reports whether a request may be repeated, because its connection closed before the server saw it. */
export const isStale = (method: string, { reusedSocket }: PendingRequest, { code }: NodeJS.ErrnoException): boolean =>
  code === refusedStream || (replayable.has(method) && reusedSocket && code === 'ECONNRESET');
