import { Duplex } from 'node:stream';
import type { ApiContext } from '../../http/context.ts';
import { badRequest } from '../../machinery/errors/status.ts';
import { type ChannelProtocol, WebSocketChannels } from '../websocket-channels.ts';
import type { PortConnection } from './port-connection.ts';

/** (portforward websocket.go) */
const protocols: readonly ChannelProtocol[] = [
  { name: '', isBase64: false, hasClose: false },
  { name: 'v4.base64.channel.k8s.io', isBase64: true, hasClose: false },
  { name: 'v4.channel.k8s.io', isBase64: false, hasClose: false },
];

/**
 * Serves one connection to each port over two channels of a WebSocket, for data and for errors. Each channel begins
 * with the port.
 */
export async function serveChannels(
  ctx: ApiContext,
  ports: readonly number[],
  onConnection: (connection: PortConnection) => void,
): Promise<void> {
  if (ports.length === 0) throw badRequest('query parameter "port" is required');
  const wrong = ports.find((port) => !Number.isInteger(port) || port < 1 || port > 65_535);
  if (wrong !== undefined) throw badRequest(`port "${wrong}" must be > 0`);
  const channels = await WebSocketChannels.accept(ctx, protocols);
  if (channels === undefined) return;
  for (const [at, port] of ports.entries()) {
    const [data, error] = [2 * at, 2 * at + 1];
    const number = Buffer.alloc(2);
    number.writeUInt16LE(port);
    const stream = Duplex.from({ readable: channels.readable(data), writable: channels.writable(data) });
    for (const channel of [data, error]) channels.send(channel, number);
    onConnection({ port, data: stream, error: channels.writable(error), reset: () => stream.destroy() });
  }
  ctx.state.onAbort(() => channels.close());
  await channels.closed;
}
