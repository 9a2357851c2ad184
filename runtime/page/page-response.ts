import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';

export type PageResponse = ServerResponse | Http2ServerResponse;

/**
 * What the page may load and do: its own files, and requests to its own server. No inline scripts or styles, no markup
 * from strings, no frames around it.
 */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** For all other responses, which no browser is to show as a document. */
const nothingPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** For the response that sets the cookie: a document that only leads on. */
const leadingPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const policies = { page: pagePolicy, nothing: nothingPolicy, leading: leadingPolicy } as const;

/** Sets the headers that limit what a browser does with a response. */
export function guardResponse(response: PageResponse, policy: keyof typeof policies): void {
  response.setHeader('Content-Security-Policy', policies[policy]);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
}

export interface PageContent {
  readonly status: number;
  readonly mediaType: string;
  readonly content: Buffer | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a whole response that no cache keeps, unless its headers say otherwise. */
export function send(response: PageResponse, isHead: boolean, { status, mediaType, content, headers }: PageContent): void {
  response.statusCode = status;
  response.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  response.setHeader('Content-Type', mediaType);
  response.setHeader('Content-Length', Buffer.byteLength(content));
  response.end(isHead ? '' : content);
}

/** Refuses a request in one line of text. */
export function refuse(response: PageResponse, isHead: boolean, status: 401 | 403 | 404 | 405, why: string): void {
  guardResponse(response, 'nothing');
  send(response, isHead, { status, mediaType: 'text/plain; charset=utf-8', content: `${why}\n` });
}
