import type { ApiContext } from '../http/context.ts';
import { sendBytes } from '../http/respond.ts';

const body = Buffer.from('Too many requests, please try again later.\n');

/** Refuses a request for now, in plain text as upstream: clients go by the code and the header. */
export function respondTooManyRequests(ctx: ApiContext, retryAfterSeconds: number): void {
  if (ctx.res.headersSent) return;
  ctx.res.setHeader('Retry-After', String(retryAfterSeconds));
  ctx.res.setHeader('X-Content-Type-Options', 'nosniff');
  sendBytes(ctx, 429, 'text/plain; charset=utf-8', body);
}
