import { finished } from 'node:stream/promises';
import type { ApiContext } from '../../http/context.ts';
import { type ChannelProtocol, WebSocketChannels } from '../websocket-channels.ts';
import { type RemoteStreams, type StreamOptions, statusText } from './remote-streams.ts';

const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const;

const protocol = (name: string): ChannelProtocol => ({
  name,
  isBase64: name.includes('base64'),
  hasClose: name.startsWith('v5'),
});

/** (remotecommand createWebSocketStreams, apiserver pkg/util/proxy createWebSocketStreams) */
const protocols: readonly ChannelProtocol[] = [
  ...['', 'channel.k8s.io', 'base64.channel.k8s.io', 'v4.channel.k8s.io', 'v4.base64.channel.k8s.io'].map(protocol),
  protocol('v5.channel.k8s.io'),
];

/** Returns undefined if the client has its response already. */
export async function openWebSocketStreams(ctx: ApiContext, options: StreamOptions): Promise<RemoteStreams | undefined> {
  const connection = await WebSocketChannels.accept(ctx, protocols);
  if (connection === undefined) return undefined;
  const first = options.stdout ? channels.stdout : options.stderr ? channels.stderr : channels.error;
  // an empty message tells the client that it is connected
  connection.send(first, Buffer.alloc(0));
  const stdout = options.stdout ? connection.writable(channels.stdout) : undefined;
  const stderr = options.stderr ? connection.writable(channels.stderr) : undefined;
  const { name } = connection.protocol;
  return {
    stdin: options.stdin ? connection.readable(channels.stdin) : undefined,
    stdout,
    stderr,
    resize: options.tty ? connection.readable(channels.resize) : undefined,
    async finish(status) {
      const outputs = [stdout, stderr].flatMap((stream) => stream?.end() ?? []);
      await Promise.all(outputs.map((stream) => finished(stream).catch(() => undefined)));
      connection.send(channels.error, statusText(status, name.startsWith('v')));
      connection.close();
      await connection.closed;
    },
    closed: connection.closed,
  };
}
