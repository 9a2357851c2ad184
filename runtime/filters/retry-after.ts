import type { ApiMiddleware } from '../http/context.ts';
import { closeConnection } from '../http/go-away.ts';
import { sendBytes } from '../http/respond.ts';

const exemptPaths = ['/readyz', '/livez', '/healthz', '/metrics'];
const message = Buffer.from('The apiserver is shutting down, please try again later.\n');

/** Asks clients of a draining server to try another server, and ends their connections. (apiserver WithRetryAfter) */
export function withRetryAfter(isDraining: () => boolean): ApiMiddleware {
  return (ctx, next) => {
    if (!isDraining()) return next();
    const { path } = ctx.state.requestInfo;
    const isServer = ctx.req.headers['user-agent']?.startsWith('kube-apiserver/');
    if (isServer || exemptPaths.some((exempt) => path.startsWith(exempt))) return next();
    closeConnection(ctx);
    ctx.state.responseHeaders.push('Retry-After', '5', 'X-Content-Type-Options', 'nosniff');
    sendBytes(ctx, 429, 'text/plain; charset=utf-8', message);
  };
}
