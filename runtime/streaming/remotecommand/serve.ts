import type { ApiContext } from '../../http/context.ts';
import { respondPlainError } from '../../http/respond.ts';
import { isUpgradeRequest } from '../../http/upgrade.ts';
import { isWebSocketRequest } from '../../http/websocket.ts';
import { badRequest } from '../../machinery/errors/status.ts';
import type { ContainerIO } from '../pod-handlers.ts';
import { type CommandStatus, nonZeroExit, type StreamOptions } from './remote-streams.ts';
import { openSpdyStreams } from './spdy-streams.ts';
import { readSizes } from './terminal-sizes.ts';
import { openWebSocketStreams } from './websocket-streams.ts';

export interface RemoteCommand {
  /** The options of PodExecOptions and PodAttachOptions. */
  readonly options: { readonly [Name in keyof StreamOptions]?: boolean };
  readonly container: string;
  /** The prefix of errors: `error executing command in container: ...`. */
  readonly about: string;
  /** Returns the exit code. */
  run(io: ContainerIO): Promise<number>;
}

/**
 * Opens the streams that a client requests, runs a command with them, and sends its result. (remotecommand.ServeExec)
 */
export async function serveRemoteCommand(ctx: ApiContext, command: RemoteCommand): Promise<void> {
  const { tty = false, stdin = false, stdout = false, stderr = false } = command.options;
  const options: StreamOptions = { tty, stdin, stdout, stderr: stderr && !tty };
  if (!isUpgradeRequest(ctx)) throw badRequest('Upgrade request required');
  if (!options.stdin && !options.stdout && !options.stderr) {
    return respondPlainError(ctx, 400, 'you must specify at least 1 of stdin, stdout, stderr');
  }
  const open = isWebSocketRequest(ctx) ? openWebSocketStreams : openSpdyStreams;
  const streams = await open(ctx, options);
  if (streams === undefined) return;
  const gone = new AbortController();
  void streams.closed.then(() => gone.abort());
  ctx.state.onAbort(() => gone.abort());
  // a write to a disconnected client is no error
  for (const stream of [streams.stdin, streams.stdout, streams.stderr]) stream?.on('error', () => undefined);
  const { stdin: input, stdout: output, stderr: errors, resize } = streams;
  const io: ContainerIO = {
    container: command.container,
    tty,
    signal: gone.signal,
    stdin: input,
    stdout: output,
    stderr: errors,
    onResize: (listener) => readSizes(resize, listener),
  };
  await streams.finish(await statusOf(command, io));
}

async function statusOf({ run, about }: RemoteCommand, io: ContainerIO): Promise<CommandStatus> {
  try {
    const code = await run(io);
    return code === 0 ? { status: 'Success' } : nonZeroExit(code, `exit code ${code}`);
  } catch (error) {
    const message = `Internal error occurred: ${about}: ${error instanceof Error ? error.message : String(error)}`;
    return { status: 'Failure', message, reason: 'InternalError', code: 500 };
  }
}
