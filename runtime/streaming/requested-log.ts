import type { ApiContext } from '../http/context.ts';
import type { ConnectOptions } from './node-backend.ts';
import type { LogOptions } from './pod-handlers.ts';

/** Returns the options of a log request. Its signal aborts when the client disconnects. */
export function requestedLog(ctx: ApiContext, container: string, options: ConnectOptions): LogOptions {
  const { limitBytes, tailLines, sinceSeconds, sinceTime, ...flags } = options;
  const gone = new AbortController();
  ctx.state.onAbort(() => gone.abort());
  ctx.res.once('close', () => gone.abort());
  return {
    container,
    limitBytes,
    tailLines,
    signal: gone.signal,
    since: since(ctx.state.receivedAt, sinceSeconds, sinceTime),
    follow: flags.follow ?? false,
    previous: flags.previous ?? false,
    timestamps: flags.timestamps ?? false,
  };
}

/** @param now milliseconds since the epoch */
function since(now: number, seconds: number | undefined, time: string | undefined): Date | undefined {
  if (seconds !== undefined) return new Date(now - 1000 * seconds);
  return time === undefined ? undefined : new Date(time);
}
