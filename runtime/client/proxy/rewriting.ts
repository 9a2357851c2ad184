import type { ClientRequest, IncomingMessage } from 'node:http';
import { pipeline, type Readable, Transform } from 'node:stream';
import { createDeflateRaw, createGunzip, createGzip, createInflateRaw } from 'node:zlib';
import { elementAt } from '../../machinery/collections/element-at.ts';
import { internalError } from '../../machinery/errors/status.ts';
import { yieldToEventLoop } from '../../machinery/event-loop/yield.ts';
import { joinPaths } from '../../machinery/go/path.ts';
import { quote } from '../../machinery/go/quote.ts';
import { formatGoURL, type GoURL, parseGoURL } from '../../machinery/go/url.ts';
import type { Headers } from '../transport/transport.ts';
import { HtmlRewriter } from './html/html-rewriter.ts';

/** The address of a proxied server from the client's view. (proxy.Transport) */
export interface ProxiedPlace {
  /** The path under which clients reach the root of the other server. */
  readonly pathPrepend: string;
  /** The other server's host and the host that the client requested, with ports. */
  readonly host: string;
  readonly requestHost: string;
}

/**
 * Rewrites a URL of the other server to lead through the proxy. Relative URLs and URLs of third servers stay unchanged.
 */
export function rewriteURL(url: GoURL, place: ProxiedPlace): string {
  const { host, requestHost } = place;
  const isDifferentHost = url.host !== '' && url.host !== host && url.host !== requestHost;
  if (isDifferentHost || !url.path.startsWith('/')) return formatGoURL(url);
  const near = url.host === requestHost ? url : { ...url, scheme: '', host: '' };
  return formatGoURL({ ...near, path: rewritePath(url.path, place) });
}

/** Rewrites a text like `rewriteURL`. An invalid URL stays unchanged. */
export function rewriteLink(text: string, place: ProxiedPlace): string {
  // most links are paths that need no parser
  if (/^\/(?!\/)[\w\-.~/]*$/.test(text)) return rewritePath(text, place);
  const url = parseGoURL(text);
  return url === undefined ? text : rewriteURL(url, place);
}

function rewritePath(path: string, { pathPrepend }: ProxiedPlace): string {
  if (path.startsWith(pathPrepend)) return path;
  const joined = joinPaths(pathPrepend, path);
  return path.endsWith('/') ? `${joined}/` : joined;
}

/**
 * Makes a response lead through the proxy: changes its Location, or else the URLs of an HTML page. Returns the body.
 * (Transport.RoundTrip)
 *
 * @throws StatusError 500 if Location is not a URL
 */
export function rewriteResponse(place: ProxiedPlace, incoming: IncomingMessage, headers: Headers): Readable {
  const [location = ''] = headers.get('location') ?? [];
  if (location !== '') {
    const url = parseGoURL(location);
    if (url === undefined) {
      throw internalError(`error trying to parse Location header: parse ${quote(location)}: invalid URL`);
    }
    headers.set('location', [rewriteURL(url, place)]);
    return incoming;
  }
  const [type = ''] = headers.get('content-type') ?? [];
  const [encoding = ''] = headers.get('content-encoding') ?? [];
  if (type.split(';', 1).join().trim() !== 'text/html') return incoming;
  const stages = stagesOf(encoding, place);
  if (stages === undefined) return incoming;
  headers.delete('content-length');
  if (!hasBody(incoming)) return incoming;
  pipeline([incoming, ...stages], () => undefined);
  // the last stage emits the errors of all
  return elementAt(stages, stages.length - 1);
}

/** An empty body cannot be decoded. */
function hasBody(incoming: IncomingMessage): boolean {
  const { statusCode, req } = incoming as IncomingMessage & { readonly req?: ClientRequest };
  return statusCode !== 204 && statusCode !== 304 && req?.method !== 'HEAD';
}

/** Returns the stages that decode, rewrite and encode; undefined for an unsupported encoding. */
function stagesOf(encoding: string, place: ProxiedPlace): Transform[] | undefined {
  switch (encoding) {
    case '':
      return [rewriting(place)];
    case 'gzip':
      return [createGunzip(), rewriting(place), createGzip()];
    case 'deflate':
      return [createInflateRaw(), rewriting(place), createDeflateRaw({ level: 9 })];
    default:
      return undefined;
  }
}

function rewriting(place: ProxiedPlace): Transform {
  const rewriter = new HtmlRewriter((text) => rewriteLink(text, place));
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      write(this, rewriter, chunk).then(() => done(), done);
    },
    flush(done) {
      done(null, Buffer.from(rewriter.end(), 'latin1'));
    },
  });
}

/** Bytes that are rewritten in one turn of the event loop. */
const sliceBytes = 4 * 1024;

async function write(stream: Transform, rewriter: HtmlRewriter, chunk: Buffer): Promise<void> {
  for (let at = 0; at < chunk.length; at += sliceBytes) {
    if (at > 0) await yieldToEventLoop();
    const rewritten = rewriter.write(chunk.toString('latin1', at, Math.min(at + sliceBytes, chunk.length)));
    if (rewritten !== '') stream.push(rewritten, 'latin1');
  }
}
