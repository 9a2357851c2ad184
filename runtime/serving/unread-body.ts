import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';

/** How much of a body is read and dropped after the response, so that a client that is still sending can read the response. */
export interface UnreadLimits {
  readonly unreadBytes: number;
  /** In milliseconds. */
  readonly unreadTime: number;
}

/**
 * Reads what is left of a body and drops it.
 *
 * @param onExceeded called when there is more, or it takes longer
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
  // Node's server drops the body of a request that was never read without counting it
  request.read(0);
  request.resume();
}
