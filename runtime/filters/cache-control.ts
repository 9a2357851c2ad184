import type { ApiMiddleware } from '../http/context.ts';

/** Answers are for the client that asked, and may change at any time; endpoints may say otherwise. */
export const withCacheControl: ApiMiddleware = (ctx, next) => {
  ctx.state.head.push('Cache-Control', 'no-cache, private');
  return next();
};
