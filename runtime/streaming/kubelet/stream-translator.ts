import { pipeline, type Readable } from 'node:stream';
import type { Backend } from '../../client/proxy/upgrade-aware.ts';
import type { ApiContext } from '../../http/context.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import type { ConnectOptions } from '../node-backend.ts';
import { type CommandStatus, nonZeroExit, type RemoteStreams, type StreamOptions } from '../remotecommand/remote-streams.ts';
import { openWebSocketStreams } from '../remotecommand/websocket-streams.ts';
import type { SpdyStream } from '../spdy/stream.ts';
import { decodeError } from './error-decoder.ts';
import { type DialedConnection, dialSpdy } from './spdy-dialer.ts';

const protocols = [5, 4, 3, 2].map((version) => `v${version}.channel.k8s.io`).concat('channel.k8s.io');

/**
 * Reports whether the client offers v5, in which it can end its input. Kubelets support that only over SPDY.
 * (StreamProtocolV5Name)
 */
export const isTranslated = (offered: readonly string[]): boolean => offered.includes('v5.channel.k8s.io');

/**
 * Runs a command on a kubelet over SPDY for a WebSocket client. Errors become the status of the command. (apiserver
 * pkg/util/proxy StreamTranslatorHandler)
 */
export async function translateStreams(ctx: ApiContext, backend: Backend, options: ConnectOptions): Promise<void> {
  const { tty = false, stdin = false, stdout = false, stderr = false } = options;
  const wanted: StreamOptions = { tty, stdin, stdout, stderr: stderr && !tty };
  const client = await openWebSocketStreams(ctx, wanted);
  if (client === undefined) return;
  const gone = new AbortController();
  void client.closed.then(() => gone.abort());
  ctx.state.onAbort(() => gone.abort());
  for (const stream of [client.stdout, client.stderr]) stream?.on('error', () => undefined);
  await client.finish(await statusOf(client, backend, wanted, gone.signal));
}

async function statusOf(client: RemoteStreams, backend: Backend, wanted: StreamOptions, signal: AbortSignal): Promise<CommandStatus> {
  let dialed: DialedConnection | undefined;
  try {
    dialed = await dialSpdy(backend, protocols, signal);
    const { connection } = dialed;
    signal.addEventListener('abort', () => connection.close(), { once: true });
    const code = await run(client, dialed, wanted);
    return code === 0 ? { status: 'Success' } : nonZeroExit(code, `command terminated with exit code ${code}`);
  } catch (error) {
    const { message } = error as Error;
    return {
      status: 'Failure',
      reason: 'InternalError',
      code: 500,
      message: `Internal error occurred: ${message}`,
      details: { causes: [{ message }] },
    };
  } finally {
    dialed?.connection.close();
  }
}

/**
 * Returns the exit code. @throws Error for any other failure that the kubelet reports (client-go remotecommand
 * streamProtocolV4)
 */
async function run(client: RemoteStreams, { connection, protocol }: DialedConnection, wanted: StreamOptions): Promise<number> {
  const open = (type: string): Promise<SpdyStream> => connection.open({ streamtype: type });
  const hasResize = wanted.tty && /^v[345]\./.test(protocol);
  const errors = await open('error');
  const message = textOf(errors);
  const stdin = wanted.stdin ? await open('stdin') : undefined;
  const stdout = wanted.stdout ? await open('stdout') : undefined;
  const stderr = wanted.stderr ? await open('stderr') : undefined;
  const resize = hasResize ? await open('resize') : undefined;
  // a command may end before it has read everything
  for (const [from, to] of [
    [client.stdin, stdin],
    [client.resize, resize],
  ] as const) {
    if (from !== undefined && to !== undefined) pipeline(from, to, () => undefined);
  }
  const copied = [copy(stdout, client.stdout), copy(stderr, client.stderr)];
  await Promise.all(copied);
  return decodeError(await message, /^v[45]\./.test(protocol));
}

/** Resolves when everything is written. The client's stream stays open for its status. */
async function copy(from: SpdyStream | undefined, to: RemoteStreams['stdout']): Promise<void> {
  if (from === undefined || to === undefined) return;
  await new Promise<void>((resolve) => {
    from.on('end', resolve).on('close', resolve);
    to.on('close', resolve);
    from.pipe(to, { end: false });
  });
}

/** The maximum length of the message about a command's end, in bytes. */
const maxMessage = 64 * 1024;

async function textOf(stream: Readable): Promise<string> {
  let text = '';
  try {
    for await (const chunk of stream) if (text.length < maxMessage) text += chunk;
  } catch (error) {
    throw new Error(`error reading from error stream: ${messageOf(error)}`);
  }
  return text;
}
