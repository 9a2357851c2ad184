import type { ApiMiddleware } from '../http/context.ts';

/** Notes that CBOR is read and written. (apiserver CBORServingAndStorage) */
export const withCbor: ApiMiddleware = (ctx, next) => {
  ctx.state.cbor = true;
  return next();
};
