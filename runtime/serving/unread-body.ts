import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';

/**
 * The limits for reading and dropping a body after the response, which lets a client that still sends read the
 * response.
 */
export interface UnreadLimits {
  readonly unreadBytes: number;
  /** Milliseconds. */
  readonly unreadTime: number;
}

/**
 * Reads the rest of a body and drops it.
 *
 * @param onExceeded called when the limits are exceeded
 */
export function dropRest(
  request: IncomingMessage | Http2ServerRequest,
  { unreadBytes, unreadTime }: UnreadLimits,
  onExceeded: () => void,
): void {
  let dropped = 0;
  const timer = setTimeout(exceed, unreadTime);
  timer.unref();
  function end(): void {
    clearTimeout(timer);
    request.off('data', onData);
  }
  function exceed(): void {
    end();
    onExceeded();
  }
  function onData(chunk: Buffer): void {
    dropped += chunk.length;
    if (dropped > unreadBytes) exceed();
  }
  request.once('end', end).once('close', end).on('data', onData);
  // Node's server drops the body of an unread request without counting it
  request.read(0);
  request.resume();
}
