import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import { constants } from 'node:http2';
import { runNextTurn } from '../machinery/event-loop/yield.ts';
import { percentDecode } from '../machinery/percent-decode.ts';
import type { RequestListener } from './connections.ts';
import { hostHeaderRefusal } from './host-header.ts';
import {
  badRequest,
  headersTooLarge,
  type Refusal,
  rejectRequest,
  unsupportedTransferEncoding,
  unsupportedVersion,
} from './raw-responses.ts';

/**
 * The most headers of a request. Go's server has no limit but that of bytes. Node's server drops excess headers, which
 * might impersonate, and needs 30 ms for 20,000.
 */
export const maxHeaders = 20_000;

/**
 * Checks requests as Go's server does before it calls a handler. The target of a request becomes a path and a query:
 * `GET http://proxy.example/version` is served as `/version`. (net/http readRequest, readTransfer)
 */
export function withRequestChecks(onRequest: RequestListener): RequestListener {
  return (request, response) => {
    const target = originForm(request.url ?? '/');
    if ('stream' in request) {
      if (target === undefined) return resetStream(request);
    } else {
      const refusal = refusalOf(request, target);
      if (refusal !== undefined) return refuse(request, response as ServerResponse, refusal);
      if (request.url === '*' && request.method === 'OPTIONS') return emptyResponse(response as ServerResponse);
    }
    request.url = target as string;
    return onRequest(request, response);
  };
}

/** Responds to `OPTIONS *`, which asks about the server as a whole. (net/http globalOptionsHandler) */
function emptyResponse(response: ServerResponse): void {
  response.writeHead(200, ['Content-Length', '0']).end();
}

/** Refuses an HTTP/2 request as the frames of a peer that breaks the protocol. (net/http2 newWriterAndRequest) */
function resetStream({ stream }: Http2ServerRequest): void {
  stream.close(constants.NGHTTP2_PROTOCOL_ERROR);
}

/** Responds in the next turn, unless Node's parser reported the same request right after this event. */
function refuse({ socket }: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  runNextTurn(() => {
    if (!socket.writableEnded) rejectRequest(response, refusal);
  });
}

function refusalOf(request: IncomingMessage, target: string | undefined): Refusal | undefined {
  const { rawHeaders, httpVersionMajor, httpVersionMinor } = request;
  if (httpVersionMajor !== 1) return unsupportedVersion;
  if (rawHeaders.length > 2 * maxHeaders) return headersTooLarge;
  if (target === undefined) return badRequest;
  const hostRefusal = hostHeaderRefusal(rawHeaders, httpVersionMinor);
  if (hostRefusal !== undefined) return { ...badRequest, reason: hostRefusal };
  return httpVersionMinor === 0 ? undefined : transferRefusal(request);
}

const forbiddenTrailers = /^(?:transfer-encoding|trailer|content-length)$/i;

/** Returns the refusal of a body whose end Go's server does not find. (net/http transferReader) */
function transferRefusal({ headers }: IncomingMessage): Refusal | undefined {
  const encoding = headers['transfer-encoding'];
  if (encoding === undefined) return undefined;
  if (encoding.toLowerCase() !== 'chunked') return unsupportedTransferEncoding;
  const trailers = headers.trailer?.split(',') ?? [];
  return trailers.some((name) => forbiddenTrailers.test(name.trim())) ? badRequest : undefined;
}

/** A scheme, an authority without brackets that do not match, and the rest. */
const absoluteForm = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#[\]]*|(?:[^/?#[\]@]*@)?\[[^/?#[\]]*\](?::\d*)?)(?=[/?]|$)(.*)$/is;

/**
 * Returns the path and query of a request's target, or undefined for a malformed target. (net/url ParseRequestURI)
 * The asterisk of `OPTIONS *` stays.
 */
function originForm(target: string): string | undefined {
  if (target === '*') return target;
  const path = target.startsWith('/') ? target : absoluteForm.exec(target)?.[1];
  if (path === undefined) return undefined;
  const mark = path.indexOf('?');
  return percentDecode(mark < 0 ? path : path.slice(0, mark)) === undefined ? undefined : path;
}
