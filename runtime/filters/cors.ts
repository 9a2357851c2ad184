import type { ApiMiddleware } from '../http/context.ts';
import { setRecordedHeaders } from '../http/response.ts';
import { patternOf } from '../machinery/patterns/pattern.ts';

const headers = Object.entries({
  'Access-Control-Allow-Methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
  'Access-Control-Allow-Headers':
    'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
  'Access-Control-Expose-Headers': 'Date',
  'Access-Control-Allow-Credentials': 'true',
}).flat();

/**
 * Lets pages of some origins read responses, and answers preflight requests. (apiserver WithCORS)
 *
 * @param allowedOrigins regular expressions
 */
export function withCORS(allowedOrigins: readonly string[]): ApiMiddleware {
  const patterns = allowedOrigins.map(patternOf);
  return (ctx, next) => {
    const { origin } = ctx.req.headers;
    if (!origin || !patterns.some((pattern) => pattern.test(origin))) return next();
    ctx.state.responseHeaders.push('Access-Control-Allow-Origin', origin, ...headers);
    if (ctx.method !== 'OPTIONS') return next();
    setRecordedHeaders(ctx);
    ctx.res.writeHead(204);
    ctx.res.end();
  };
}
