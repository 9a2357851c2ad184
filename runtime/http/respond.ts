import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { encodeCbor } from '../codec/cbor.ts';
import { prettyJson } from '../codec/json/pretty.ts';
import { encodeJson } from '../codec/json.ts';
import { encodeYaml } from '../codec/yaml.ts';
import type { ApiContext } from './context.ts';
import { isPretty, mediaTypes } from './negotiation.ts';
import { writeHead } from './response.ts';
import { endInBatch } from './response-batch.ts';
import { setWarningHeaders } from './warning-header.ts';

/** Answers larger than this are compressed for clients that take gzip. (apiserver defaultGzipThresholdBytes) */
export const gzipThreshold = 128 * 1024;
/** The cheapest level; the others gain little. (apiserver defaultGzipContentEncodingLevel) */
export const gzipLevel = 1;

const compress = promisify(gzip);

/**
 * Sends one whole answer: one header block with its length, one write. A promise where it has to be compressed first. Does nothing when
 * an answer is on its way already, as after a timeout.
 */
export function respondBytes(
  ctx: ApiContext,
  code: number,
  contentType: string,
  bytes: Uint8Array,
): void | Promise<void> {
  if (ctx.state.gzip && bytes.length > gzipThreshold) return respondCompressed(ctx, code, contentType, bytes);
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

/** The last step of respondBytes. */
export function sendBytes(ctx: ApiContext, code: number, contentType: string, body: Uint8Array): void {
  const { res } = ctx;
  if (res.headersSent || res.writableEnded) return;
  setWarningHeaders(ctx);
  const hasBody = code !== 204 && code !== 304;
  writeHead(ctx, code, contentType, hasBody ? body.length : undefined);
  if (ctx.method === 'HEAD' || !hasBody) res.end();
  else if (ctx.req.httpVersionMajor === 1) endInBatch(res, body);
  else res.end(body);
}

/**
 * Sends a JSON-shaped value as JSON (with a newline at the end, or indented for people) or YAML. Kinds with a protobuf
 * form are encoded by their endpoint and sent by respondBytes.
 */
export async function respondObject(
  ctx: ApiContext,
  code: number,
  object: unknown,
  form: { readonly mediaType: string; readonly pretty: boolean } = {
    mediaType: mediaTypes.json,
    pretty: isPretty(ctx),
  },
): Promise<void> {
  await respondBytes(ctx, code, form.mediaType, encodeObject(object, form));
}

/** A JSON-shaped value in JSON, YAML or CBOR. */
export function encodeObject(
  object: unknown,
  form: { readonly mediaType: string; readonly pretty: boolean },
): Uint8Array {
  if (form.mediaType === mediaTypes.yaml) return encodeYaml(object);
  if (form.mediaType === mediaTypes.cbor) return encodeCbor(object);
  if (form.pretty) return prettyJson(encodeJson(object));
  return Buffer.concat([encodeJson(object), newline]);
}

/** Plain text, for health checks and metrics. */
export function respondText(ctx: ApiContext, code: number, text: string): void {
  sendBytes(ctx, code, 'text/plain; charset=utf-8', Buffer.from(text));
}

const newline = Buffer.from('\n');
