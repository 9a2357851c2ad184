import type { ApiMiddleware } from '../http/context.ts';
import { isLongRunning, isReadOnly } from '../http/request-info.ts';
import { runFinally } from '../http/run-finally.ts';
import { batchAtEndOfTurn } from '../machinery/event-loop/yield.ts';

import { privilegedGroup, type UserInfo } from '../machinery/user-info.ts';
import { respondTooManyRequests } from './too-many-requests.ts';

export interface InFlightLimits {
  /** Reading requests at once; 0 for no limit. */
  readonly readOnly: number;
  /** Others; 0 for no limit. */
  readonly mutating: number;
}

/**
 * Refuses requests beyond two plain limits; administrators are always answered. What is left of flow control where
 * priority and fairness is switched off. A request counts until the event loop has turned, when answers are sent: those
 * that came together and are answered without waiting would never meet otherwise. (apiserver
 * pkg/server/filters/maxinflight.go)
 */
export function withMaxInFlightLimit(limits: InFlightLimits): ApiMiddleware {
  const running = { readOnly: 0, mutating: 0 };
  const leave = batchAtEndOfTurn((kind: keyof InFlightLimits) => {
    running[kind]--;
  });
  return (ctx, next) => {
    const { requestInfo, user } = ctx.state;
    const kind = isReadOnly(requestInfo) ? 'readOnly' : 'mutating';
    if (limits[kind] === 0 || isLongRunning(requestInfo)) return next();
    if (running[kind] >= limits[kind]) {
      if ((user as UserInfo).groups.includes(privilegedGroup)) return next();
      respondTooManyRequests(ctx, 1);
      return undefined;
    }
    running[kind]++;
    return runFinally(next, leave, kind);
  };
}
