import type { Duplex } from 'node:stream';
import type { ApiContext } from '../../http/context.ts';
import { isUpgradeRequest } from '../../http/upgrade.ts';
import { acceptWebSocketStream, isWebSocketRequest } from '../../http/websocket.ts';
import { offeredProtocols, speaks } from '../../http/websocket-handshake.ts';
import { badRequest } from '../../machinery/errors/status.ts';
import { SpdyConnection } from '../spdy/connection.ts';
import { upgradeToSpdy } from '../spdy-upgrade.ts';
import { serveChannels } from './channels.ts';
import type { PortConnection } from './port-connection.ts';
import { StreamPairs } from './stream-pairs.ts';

export interface PortForward {
  /** The pod, for errors. */
  readonly pod: { readonly name: string; readonly uid: string };
  /** The ports of PodPortForwardOptions, for clients with WebSocket channels. */
  readonly ports: readonly number[];
  /** Resolves when the handler is finished with the connection. */
  forward(port: number, data: Duplex): Promise<void>;
}

const protocol = 'portforward.k8s.io';
/** SPDY in the messages of a WebSocket. (WebsocketsSPDYTunnelingPrefix) */
const tunnel = `SPDY/3.1+${protocol}`;
const maxTunnelMessage = 1024 * 1024;

/** Connects a client to ports of a pod. (portforward.ServePortForward, apiserver pkg/util/proxy TunnelingHandler) */
export async function servePortForward(ctx: ApiContext, forward: PortForward): Promise<void> {
  if (!isUpgradeRequest(ctx)) throw badRequest('Upgrade request required');
  const onConnection = (connection: PortConnection): void => void connect(forward, connection);
  if (isWebSocketRequest(ctx)) {
    if (!offeredProtocols(ctx).includes(tunnel)) return serveChannels(ctx, forward.ports, onConnection);
    const transport = await acceptWebSocketStream(ctx, { handshake: speaks(tunnel), maxMessage: maxTunnelMessage });
    if (transport === undefined) return;
    const pairs = new StreamPairs(onConnection);
    const connection = new SpdyConnection({ transport, role: 'server', onStream: (stream) => pairs.add(stream) });
    return finish(ctx, connection, pairs);
  }
  const pairs = new StreamPairs(onConnection);
  const upgrade = upgradeToSpdy(ctx, [protocol], (stream) => pairs.add(stream));
  if (upgrade !== undefined) await finish(ctx, upgrade.connection, pairs);
}

async function finish(ctx: ApiContext, connection: SpdyConnection, pairs: StreamPairs): Promise<void> {
  ctx.state.onAbort(() => connection.close());
  await connection.closed;
  pairs.close();
}

async function connect({ pod, forward }: PortForward, connection: PortConnection): Promise<void> {
  const { port, data, error } = connection;
  for (const stream of [data, error]) stream.on('error', () => undefined);
  try {
    await forward(port, data);
    data.end();
    error.end();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    error.end(`error forwarding port ${port} to pod ${pod.name}, uid ${pod.uid}: ${why}`, () => connection.reset());
  }
}
