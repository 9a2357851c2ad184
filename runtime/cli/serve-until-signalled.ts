import type { ServerOptions } from '../server/options.ts';
import type { RunningServer } from '../server/server.ts';
import { endSignal } from './end-signal.ts';

/**
 * Starts a server, and closes it at SIGTERM or SIGINT.
 *
 * @param end what closes it as well. Default: nothing else
 */
export async function serveUntilSignalled(
  options: ServerOptions,
  onReady?: (server: RunningServer) => void,
  end?: Promise<void>,
): Promise<void> {
  const ended = endSignal();
  const { startServer } = await import('../server/server.ts');
  const server = await startServer(options);
  // an unhandled rejection or exception is a bug, but no reason to stop serving other requests
  process.on('unhandledRejection', (error) => server.logger.error({ err: error }, 'unhandled rejection'));
  process.on('uncaughtException', (error) => server.logger.error({ err: error }, 'uncaught exception'));
  onReady?.(server);
  await Promise.race(end === undefined ? [ended] : [ended, end]);
  await server.close();
}
