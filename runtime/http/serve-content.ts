import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ApiContext } from './context.ts';
import { gzipLevel, sendBytes } from './respond.ts';
import { setRecordedHeaders } from './response.ts';

/** A document that clients may ask for by its version, and in part. */
export interface Content {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** A quoted strong validator. */
  readonly etag?: string;
  /** When it was made, in milliseconds. */
  readonly modifiedAt: number;
}

const compress = promisify(gzip);

/** Smaller documents are not compressed. (gziphandler DefaultMinSize) */
const minCompressed = 1400;

/**
 * Sends a document, a part of it, or a 304. (net/http ServeContent)
 *
 * @param compresses whether to compress it for clients that accept gzip, as its header `Vary` says. Default: false
 */
export async function serveContent(ctx: ApiContext, content: Content, compresses = false): Promise<void> {
  const { res } = ctx;
  const { bytes, contentType, etag, modifiedAt } = content;
  if (etag !== undefined) res.setHeader('ETag', etag);
  if (isFailed(ctx, content)) return respondEmpty(ctx, 412);
  if (isKnown(ctx, content)) {
    if (etag === undefined) res.setHeader('Last-Modified', dateText(modifiedAt));
    return respondEmpty(ctx, 304);
  }
  res.setHeader('Last-Modified', dateText(modifiedAt));
  res.setHeader('Accept-Ranges', 'bytes');
  const range = rangeOf(ctx, content);
  if (range === 'unsatisfiable') {
    res.setHeader('Content-Range', `bytes */${bytes.length}`);
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.removeHeader('Last-Modified');
    res.removeHeader('ETag');
    return sendBytes(ctx, 416, 'text/plain; charset=utf-8', Buffer.from('invalid range: failed to overlap\n'));
  }
  if (range !== undefined) {
    const [start, end] = range;
    res.setHeader('Content-Range', `bytes ${start}-${end - 1}/${bytes.length}`);
    return sendBytes(ctx, 206, contentType, bytes.subarray(start, end));
  }
  if (!compresses || !ctx.state.acceptsGzip || bytes.length < minCompressed) return sendBytes(ctx, 200, contentType, bytes);
  const compressed = await compress(bytes, { level: gzipLevel });
  if (!res.headersSent) res.setHeader('Content-Encoding', 'gzip');
  sendBytes(ctx, 200, contentType, compressed);
}

/** Sends a status alone, without even a content type. Does nothing if a response has already begun. */
export function respondEmpty(ctx: ApiContext, code: number): void {
  if (ctx.res.headersSent) return;
  setRecordedHeaders(ctx);
  ctx.res.writeHead(code).end();
}

const dateText = (time: number): string => new Date(time).toUTCString();

/** Whether the client wants another version to be the one that is there. (checkIfMatch, checkIfUnmodifiedSince) */
function isFailed({ req }: ApiContext, { etag = '', modifiedAt }: Content): boolean {
  const { 'if-match': wanted, 'if-unmodified-since': since } = req.headers;
  if (wanted !== undefined) return !tagsOf(wanted).some((tag) => tag === '*' || (tag === etag && !tag.startsWith('W/')));
  return since !== undefined && seconds(modifiedAt) > seconds(Date.parse(since));
}

/** Whether the client has this version. (checkIfNoneMatch, checkIfModifiedSince) */
function isKnown({ req }: ApiContext, { etag = '', modifiedAt }: Content): boolean {
  const { 'if-none-match': known, 'if-modified-since': since } = req.headers;
  if (known !== undefined) return tagsOf(known).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
  return since !== undefined && seconds(modifiedAt) <= seconds(Date.parse(since));
}

const tagsOf = (header: string): string[] => header.split(',').map((tag) => tag.trim());

const seconds = (time: number): number => Math.floor(time / 1000);

/** Returns the start and the end of the wanted part. Several parts are the whole document. */
function rangeOf({ req }: ApiContext, { bytes, etag, modifiedAt }: Content): readonly [number, number] | 'unsatisfiable' | undefined {
  const { range, 'if-range': condition } = req.headers;
  if (range === undefined) return undefined;
  const isCurrent = condition === undefined || condition === etag || seconds(Date.parse(String(condition))) === seconds(modifiedAt);
  const [, first = '', last = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/.exec(range) ?? [];
  if (!isCurrent || (first === '' && last === '')) return undefined;
  const { length } = bytes;
  const start = first === '' ? Math.max(0, length - Number(last)) : Number(first);
  const end = first === '' || last === '' ? length : Math.min(length, Number(last) + 1);
  return start < length && start < end ? [start, end] : 'unsatisfiable';
}
