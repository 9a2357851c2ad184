import { finished } from 'node:stream/promises';
import type { ApiContext } from '../../http/context.ts';
import type { SpdyStream } from '../spdy/stream.ts';
import { upgradeToSpdy } from '../spdy-upgrade.ts';
import { type RemoteStreams, type StreamOptions, statusText } from './remote-streams.ts';

/** (remotecommand SupportedStreamingProtocols) */
const protocols = ['v4.channel.k8s.io', 'v3.channel.k8s.io', 'v2.channel.k8s.io', 'channel.k8s.io'];
const [v4, v3, , v1] = protocols;
/** The time in which all streams must be opened, in milliseconds. (DefaultStreamCreationTimeout) */
const creationTimeout = 30_000;

const streamTypes: ReadonlySet<string> = new Set(['error', 'stdin', 'stdout', 'stderr', 'resize']);

/** Returns undefined if the client has its response already, or did not open its streams. (createHTTPStreamStreams) */
export async function openSpdyStreams(ctx: ApiContext, options: StreamOptions): Promise<RemoteStreams | undefined> {
  const streams = new Map<string, SpdyStream>();
  let onStream: () => void = () => undefined;
  const upgrade = upgradeToSpdy(ctx, protocols, (stream) => {
    stream.reply();
    const { streamtype = '' } = stream.headers;
    if (streamTypes.has(streamtype)) streams.set(streamtype, stream);
    onStream();
  });
  if (upgrade === undefined) return undefined;
  const { connection, protocol } = upgrade;
  const hasResize = options.tty && (protocol === v4 || protocol === v3);
  const expected = 1 + [options.stdin, options.stdout, options.stderr, hasResize].filter(Boolean).length;
  const areThere = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), creationTimeout);
    const answer = (answered: boolean): void => {
      clearTimeout(timer);
      resolve(answered);
    };
    onStream = () => {
      if (streams.size >= expected) answer(true);
    };
    void connection.closed.then(() => answer(false));
    onStream();
  });
  const error = streams.get('error');
  if (!areThere || error === undefined) {
    connection.close();
    return undefined;
  }
  // the first version cannot end its input
  if (protocol === v1) streams.get('stdin')?.end();
  return {
    stdin: streams.get('stdin'),
    stdout: streams.get('stdout'),
    stderr: streams.get('stderr'),
    resize: streams.get('resize'),
    async finish(status) {
      error.end(statusText(status, protocol === v4));
      const outputs = [streams.get('stdout'), streams.get('stderr')].flatMap((stream) => stream?.end() ?? []);
      await Promise.all([error, ...outputs].map((stream) => finished(stream, { readable: false }).catch(() => undefined)));
      connection.close();
      await connection.closed;
    },
    closed: connection.closed,
  };
}
