import type { ApiMiddleware } from '../http/context.ts';
import { closeConnection } from '../http/go-away.ts';

/**
 * Ends the HTTP/2 connection of a random share of requests, so that clients behind a load balancer spread out.
 * (apiserver WithProbabilisticGoaway)
 *
 * @param chance from 0 to 1
 * @param random returns a number from 0 to 1
 */
export function withProbabilisticGoaway(chance: number, random: () => number): ApiMiddleware {
  return (ctx, next) => {
    if (ctx.req.httpVersionMajor === 2 && random() < chance) closeConnection(ctx);
    return next();
  };
}
