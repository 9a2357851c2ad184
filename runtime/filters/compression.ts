import type { ApiMiddleware } from '../http/context.ts';

/**
 * Notes that a large answer may be compressed: the client takes gzip, and this is no watch. What is large, and the
 * compressing itself, is where answers are written. (apiserver APIResponseCompression)
 */
export const withCompression: ApiMiddleware = (ctx, next) => {
  const { state } = ctx;
  const accepted = ctx.req.headers['accept-encoding'];
  if (accepted !== undefined && state.requestInfo.verb !== 'watch') {
    state.gzip = String(accepted)
      .split(',')
      .some((token) => token.trim() === 'gzip');
  }
  return next();
};
