import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ProxiedRequest } from '../../client/proxy/proxied-request.ts';
import { addressOf, type Backend, checkAddress } from '../../client/proxy/upgrade-aware.ts';
import type { ApiContext } from '../../http/context.ts';
import { acceptWebSocketStream } from '../../http/websocket.ts';
import { offeredProtocols, speaks } from '../../http/websocket-handshake.ts';
import type { Clock } from '../../machinery/clock.ts';
import { plainError } from '../../machinery/errors/status.ts';
import { isSpdyUpgrade, protocolHeader } from './spdy-dialer.ts';

/** (WebsocketsSPDYTunnelingPrefix) */
const prefix = 'SPDY/3.1+';
const maxMessage = 1024 * 1024;

/** (IsWebSocketRequestWithTunnelingProtocol) */
export const isTunneled = (offered: readonly string[]): boolean =>
  offered.some((name) => name.startsWith(prefix) && name.endsWith('.k8s.io'));

/**
 * Forwards SPDY between a kubelet and the WebSocket messages of a client. (apiserver pkg/util/proxy TunnelingHandler)
 *
 * @throws StatusError if the kubelet does not respond
 */
export async function serveTunnel(ctx: ApiContext, backend: Backend, clock: Clock): Promise<void> {
  checkAddress(backend);
  const tunneled = offeredProtocols(ctx).filter((name) => isTunneled([name]));
  const protocols = tunneled.map((name) => name.slice(prefix.length));
  await new ProxiedRequest(ctx, {
    transport: backend.transport,
    address: addressOf(backend),
    clock,
    method: 'POST',
    path: backend.path + (backend.query ?? ''),
    setHeaders(headers) {
      for (const name of ['protocol', 'key', 'version', 'extensions']) headers.delete(`sec-websocket-${name}`);
      headers.set('host', [ctx.req.headers.host ?? '']);
      headers.set('upgrade', ['SPDY/3.1']);
      headers.set(protocolHeader, protocols);
    },
    join: (answer, server, head) => join(ctx, answer, server, head),
  }).run();
}

async function join(ctx: ApiContext, answer: IncomingMessage, server: Duplex, head: Buffer): Promise<void> {
  if (!isSpdyUpgrade(answer)) throw plainError('unable to upgrade: missing upgrade headers in response');
  if (head.length > 0) server.unshift(head);
  const chosen = String(answer.headers[protocolHeader] ?? '').trim();
  const protocol = chosen === '' ? '' : prefix + chosen;
  const client = await acceptWebSocketStream(ctx, { handshake: speaks(protocol), maxMessage });
  if (client === undefined) {
    server.destroy();
    return;
  }
  ctx.state.onAbort(() => client.destroy());
  // the end of one side ends the other
  const end = (): void => {
    client.destroy();
    server.destroy();
  };
  await Promise.all([pipeline(client, server), pipeline(server, client)].map((one) => one.catch(() => undefined).then(end)));
}
