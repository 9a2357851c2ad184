import type { ApiMiddleware } from '../http/context.ts';

/** By default, only the client itself may cache a response, and must revalidate it. (apiserver WithCacheControl) */
export const withCacheControl: ApiMiddleware = (ctx, next) => {
  ctx.state.responseHeaders.push('Cache-Control', 'no-cache, private');
  return next();
};

/** Tells browsers to use HTTPS only. (apiserver WithHSTS) @param directives as `max-age=31536000` */
export function withHSTS(directives: readonly string[]): ApiMiddleware {
  const value = directives.join('; ');
  return (ctx, next) => {
    ctx.state.responseHeaders.push('Strict-Transport-Security', value);
    return next();
  };
}

/**
 * Records that a large response may be compressed: the client accepts gzip, and the request is no watch. The code that
 * writes responses compresses them. (apiserver APIResponseCompression)
 */
export const withCompression: ApiMiddleware = (ctx, next) => {
  const { state } = ctx;
  const accepted = ctx.req.headers['accept-encoding'];
  if (accepted !== undefined && state.requestInfo.verb !== 'watch') {
    state.acceptsGzip = String(accepted)
      .split(',')
      .some((token) => token.trim() === 'gzip');
  }
  return next();
};

/** Enables CBOR for requests and responses. (apiserver CBORServingAndStorage) */
export const withCbor: ApiMiddleware = (ctx, next) => {
  ctx.state.cborEnabled = true;
  return next();
};
