import type { IncomingMessage } from 'node:http';
import type { Duplex, Writable } from 'node:stream';

interface Events {
  on(event: 'response', listener: (incoming: IncomingMessage) => void): this;
  on(event: 'upgrade', listener: (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void): this;
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): this;
}

/** A request on its way: one of Node's over HTTP/1.1, or one that behaves as these do over whatever the server speaks. */
export type PendingRequest = Events &
  Writable & {
    /** Whether the connection has had requests before. */
    readonly reusedSocket: boolean;
    readonly socket: Duplex | null;
    /** Sends the headers before there is a body. */
    flushHeaders(): void;
  };

/** The code of an error of a request that the server has not looked at. (http2 REFUSED_STREAM, or a stream after GOAWAY) */
export const refusedStream = 'REFUSED_STREAM';

/** Methods whose requests may be sent twice. (http.Request isReplayable) */
const replayable: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Whether a request may be sent once more, because its connection was closed before the server has seen it. */
export const isStale = (method: string, { reusedSocket }: PendingRequest, { code }: NodeJS.ErrnoException): boolean =>
  code === refusedStream || (replayable.has(method) && reusedSocket && code === 'ECONNRESET');
