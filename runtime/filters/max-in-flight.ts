import type { ApiContext, ApiMiddleware } from '../http/context.ts';
import { isLongRunning, isReadOnly } from '../http/request-info.ts';
import { requireUser } from '../http/request-state.ts';
import { sendBytes } from '../http/respond.ts';
import { runFinally } from '../http/run-finally.ts';
import { batchAtEndOfTurn } from '../machinery/event-loop/yield.ts';
import { privilegedGroup } from '../machinery/user-info.ts';

export interface InFlightLimits {
  /** The limit for concurrent requests that change nothing; 0 for no limit. */
  readonly readOnly: number;
  /** The limit for concurrent mutating requests; 0 for no limit. */
  readonly mutating: number;
}

/**
 * Rejects requests beyond two plain limits, except those of administrators. Replaces disabled priority and fairness. A
 * request counts until the end of the turn of the event loop, when responses are sent. Otherwise requests that arrive
 * together and need no wait would never be concurrent. (apiserver pkg/server/filters/maxinflight.go)
 */
export function withMaxInFlightLimit(limits: InFlightLimits): ApiMiddleware {
  const inFlight = { readOnly: 0, mutating: 0 };
  const release = batchAtEndOfTurn((kind: keyof InFlightLimits) => {
    inFlight[kind]--;
  });
  return (ctx, next) => {
    const { requestInfo } = ctx.state;
    const kind = isReadOnly(requestInfo) ? 'readOnly' : 'mutating';
    if (limits[kind] === 0 || isLongRunning(requestInfo)) return next();
    if (inFlight[kind] >= limits[kind]) {
      if (requireUser(ctx.state).groups.includes(privilegedGroup)) return next();
      respondTooManyRequests(ctx, 1);
      return undefined;
    }
    inFlight[kind]++;
    return runFinally(next, release, kind);
  };
}

const tooManyRequests = Buffer.from('Too many requests, please try again later.\n');

/** Responds with 429, in plain text as upstream: clients rely on the code and the Retry-After header. */
export function respondTooManyRequests(ctx: ApiContext, retryAfterSeconds: number): void {
  if (ctx.res.headersSent) return;
  ctx.res.setHeader('Retry-After', String(retryAfterSeconds));
  ctx.res.setHeader('X-Content-Type-Options', 'nosniff');
  sendBytes(ctx, 429, 'text/plain; charset=utf-8', tooManyRequests);
}
