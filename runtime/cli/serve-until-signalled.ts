import type { ServerOptions } from '../options/server-options.ts';
import type { RunningServer } from '../server/running-server.ts';
import { endSignal } from './end-signal.ts';
import { explainedListenError } from './listen-error.ts';
import { endOfNpmExec } from './npm-exec.ts';

export interface ServeCallbacks {
  /** Runs when the server is ready. Returns a function to run after the server has closed, if there is something to do. */
  onReady?(server: RunningServer): Promise<() => Promise<void>> | void;
  /** Also closes the server when it resolves. */
  readonly end?: Promise<void> | undefined;
}

/**
 * Starts a server, and closes it at SIGTERM or SIGINT, or when the npx that started it ends. If the server fails, the
 * process ends with exit code 1 and prints the reason.
 *
 * @throws Error if the server cannot start, or `onReady` fails
 */
export async function serveUntilSignalled(options: ServerOptions, { onReady, end }: ServeCallbacks = {}): Promise<void> {
  const npmEnded = endOfNpmExec();
  const ended = npmEnded === undefined ? endSignal() : Promise.race([endSignal(), npmEnded]);
  const { startServer } = await import('../server/server.ts');
  const server = await startServer(options).catch((error: unknown) => {
    throw explainedListenError(error);
  });
  // an unhandled rejection or exception is a bug, but no reason to stop serving
  process.on('unhandledRejection', (error) => server.logger.error({ err: error }, 'unhandled rejection'));
  process.on('uncaughtException', (error) => server.logger.error({ err: error }, 'uncaught exception'));
  void server.failed.then((error) => endFailed(server, error, ended));
  let cleanUp: (() => Promise<void>) | undefined;
  try {
    cleanUp = (await onReady?.(server)) ?? undefined;
    await Promise.race(end === undefined ? [ended, server.failed] : [ended, server.failed, end]);
  } finally {
    await server.close();
    await cleanUp?.();
  }
}

/** Ends the process when the server is closed, or at once after a signal. */
async function endFailed(server: RunningServer, error: Error, ended: Promise<void>): Promise<void> {
  process.exitCode = 1;
  process.stderr.write(`kubeloom: ${error.message.replaceAll('\n', ' ')}\n`);
  await Promise.race([server.close(), ended]);
  process.exit(1);
}
