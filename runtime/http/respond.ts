import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { encodeCbor } from '../codec/cbor.ts';
import { prettyJson } from '../codec/json/pretty.ts';
import { encodeJson, encodeJsonLine } from '../codec/json.ts';
import { encodeYaml } from '../codec/yaml.ts';
import type { ApiContext } from './context.ts';
import { isPretty, mediaTypes } from './negotiation.ts';
import type { RequestState } from './request-state.ts';
import { writeHead } from './response.ts';
import { endInBatch } from './response-batch.ts';
import { setWarningHeaders } from './warning-header.ts';

/** Larger responses are compressed for clients that accept gzip. (apiserver defaultGzipThresholdBytes) */
export const gzipThreshold = 128 * 1024;
/** The cheapest level; higher ones gain little. (apiserver defaultGzipContentEncodingLevel) */
export const gzipLevel = 1;

const compress = promisify(gzip);

/**
 * Sends a whole response: one header block with the length, and one write. Returns a promise only if it compresses the
 * body. Does nothing if a response has already begun, for example after a timeout.
 */
export function respondBytes(ctx: ApiContext, code: number, contentType: string, bytes: Uint8Array): void | Promise<void> {
  if (ctx.state.acceptsGzip && bytes.length > gzipThreshold) return respondCompressed(ctx, code, contentType, bytes);
  sendBytes(ctx, code, contentType, bytes);
}

async function respondCompressed(ctx: ApiContext, code: number, contentType: string, bytes: Uint8Array): Promise<void> {
  const body = await compress(bytes, { level: gzipLevel });
  if (!ctx.res.headersSent) {
    ctx.res.setHeader('Content-Encoding', 'gzip');
    ctx.res.appendHeader('Vary', 'Accept-Encoding');
  }
  sendBytes(ctx, code, contentType, body);
}

/** Sends a whole response without compression. Does nothing if a response has already begun. */
export function sendBytes(ctx: ApiContext, code: number, contentType: string, body: Uint8Array): void {
  const { res } = ctx;
  if (res.headersSent || res.writableEnded) return;
  const sends = (ctx.state as RequestState | undefined)?.sendsResponse;
  if (sends === 'whenAudited' && !ctx.state.isTimedOut) {
    ctx.state.heldResponse = { code, contentType, body };
    return;
  }
  setWarningHeaders(ctx);
  const hasBody = code !== 204 && code !== 304;
  writeHead(ctx, code, contentType, hasBody ? body.length : undefined);
  // a request whose URL cannot be parsed has no state
  if (ctx.state !== undefined) ctx.state.bytesSent = body.length;
  if (ctx.method === 'HEAD' || !hasBody) res.end();
  else if (sends === 'atEndOfTurn' || ctx.req.httpVersionMajor === 1) endInBatch(res, body);
  else res.end(body);
}

/**
 * Sends a JSON value in the given encoding. Endpoints encode kinds with a protobuf message themselves, and send them
 * with respondBytes.
 *
 * @param encoding Default: JSON, indented if the client prefers that
 */
export async function respondObject(
  ctx: ApiContext,
  code: number,
  object: unknown,
  encoding: ObjectEncoding = {
    mediaType: mediaTypes.json,
    pretty: isPretty(ctx),
  },
): Promise<void> {
  await respondBytes(ctx, code, encoding.mediaType, encodeObject(object, encoding));
}

/** The media type of one object in a response. */
export interface ObjectEncoding {
  readonly mediaType: string;
  /** Indents JSON. */
  readonly pretty: boolean;
}

/** Encodes a JSON value as YAML, CBOR or, for every other media type, JSON. */
export function encodeObject(object: unknown, { mediaType, pretty }: ObjectEncoding): Uint8Array {
  if (mediaType === mediaTypes.yaml) return encodeYaml(object);
  if (mediaType === mediaTypes.cbor) return encodeCbor(object);
  if (pretty) return prettyJson(encodeJson(object));
  return encodeJsonLine(object);
}

/** Sends plain text, for health checks and metrics. */
export function respondText(ctx: ApiContext, code: number, text: string): void {
  sendBytes(ctx, code, 'text/plain; charset=utf-8', Buffer.from(text));
}

/** Sends an error as plain text, which browsers must not interpret as another type. (http.Error) */
export function respondPlainError(ctx: ApiContext, code: number, message: string): void {
  ctx.res.setHeader('X-Content-Type-Options', 'nosniff');
  respondText(ctx, code, `${message}\n`);
}
