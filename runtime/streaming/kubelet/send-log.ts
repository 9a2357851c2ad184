import type { IncomingMessage } from 'node:http';
import { backendUrl, backendUrlProblem } from '../../client/proxy/backend-url.ts';
import { beginRequest } from '../../client/proxy/begin-request.ts';
import { escapePath } from '../../client/proxy/location.ts';
import { addressOf, type Backend } from '../../client/proxy/upgrade-aware.ts';
import { roundTripError } from '../../client/transport/network-error.ts';
import { isStale } from '../../client/transport/pending-request.ts';
import type { Headers } from '../../client/transport/transport.ts';
import type { ApiContext } from '../../http/context.ts';
import { openByteStream } from '../../http/message-stream.ts';
import { genericError } from '../../machinery/errors/generic-error.ts';
import { badRequest, internalError, plainError, type StatusError, worded } from '../../machinery/errors/status.ts';
import { joinHostPort } from '../../machinery/go/join-host-port.ts';
import { quote } from '../../machinery/go/quote.ts';
import { escapeHost } from '../../machinery/go/url-host.ts';
import { responseText } from './response-text.ts';

/**
 * Sends the log of a pod from its kubelet. (genericrest.LocationStreamer, GenericHttpResponseChecker)
 *
 * @throws StatusError for a refusal of the kubelet; 500 if the kubelet does not respond
 */
export async function sendKubeletLog(ctx: ApiContext, pod: string, backend: Backend): Promise<void> {
  const incoming = await get(ctx, backend);
  const { statusCode: code = 0 } = incoming;
  if (code >= 200 && code <= 206) return send(ctx, incoming);
  const text = await responseText(incoming);
  if (code === 500) throw internalError(text);
  if (code === 400) throw badRequest(text);
  const [reason, message] = genericError(code, text);
  throw worded({
    message: `${message} ( pods/log ${pod})`,
    reason: reason === 'AlreadyExists' ? 'Conflict' : reason,
    code,
    details: { kind: 'pods/log', name: pod },
  });
}

/** Sends the response. A broken response ends the log without an error. (responsewriters.StreamObject) */
async function send(ctx: ApiContext, incoming: IncomingMessage): Promise<void> {
  const writer = await openByteStream(ctx, 'text/plain');
  if (writer === undefined) {
    incoming.destroy();
    return;
  }
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      if (writer.closed) break;
      if (!writer.write(chunk)) await writer.drained();
    }
  } catch {
    // the kubelet or the client has gone
  }
  writer.end();
}

/** @param mayBeStale whether a reused connection may have been closed meanwhile */
async function get(ctx: ApiContext, { transport, ...backend }: Backend, mayBeStale = true): Promise<IncomingMessage> {
  const address = addressOf({ ...backend, transport });
  const place = { ...backend, ...address };
  const url = backendUrl(place);
  const problem = backendUrlProblem(place);
  if (problem !== undefined) throw plainError(`failed to construct request for ${url}, got ${problem}`);
  const path = escapePath(backend.path) + (backend.query ?? '');
  const headers: Headers = new Map([['host', [escapeHost(joinHostPort(address.host, address.port))]]]);
  const failure = (why: string): StatusError => plainError(`Get ${quote(url)}: ${why}`);
  const outgoing = beginRequest(
    () => transport.request(address, { method: 'GET', path, headers }),
    (error) => failure(roundTripError(error).message),
  );
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(failure(why));
    ctx.state.onAbort(() => outgoing.destroy());
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      const mayRepeat = mayBeStale && isStale('GET', outgoing, error) && !ctx.state.isAborted;
      if (mayRepeat) resolve(get(ctx, { transport, ...backend }, false));
      else fail(roundTripError(error, outgoing.socket).message);
    });
    outgoing.on('upgrade', (_answer, socket) => {
      socket.destroy();
      fail('unexpected upgrade');
    });
    outgoing.on('response', (incoming) => {
      const isRedirect = [301, 302, 303, 307, 308].includes(incoming.statusCode ?? 0) && incoming.headers.location;
      if (!isRedirect) {
        resolve(incoming);
        return;
      }
      incoming.destroy();
      fail('redirects forbidden');
    });
    outgoing.end();
  });
}
