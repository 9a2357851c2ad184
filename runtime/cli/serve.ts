import type { ServerOptions } from '../server/options.ts';
import type { RunningServer } from '../server/server.ts';
import { parseFlags } from './flags.ts';
import { loadGroups } from './load-group.ts';
import { describeServeFlags, flagValues, serveFlags, serverOptions } from './serve-flags/named-flag-sets.ts';

const serveHelp = `Serve the Kubernetes API.

Usage:
  kubeloom serve [flags]

${describeServeFlags()}`;

/** Serves until SIGTERM or SIGINT. A second signal ends the process at once. */
export async function serve(args: readonly string[]): Promise<void> {
  const flags = parseFlags(args, serveFlags);
  if (flags.help) {
    process.stdout.write(serveHelp);
    return;
  }
  const groups = (await Promise.all(flags.list('group').map(loadGroups))).flat();
  const options = await withDocuments(flags.list('from'), {
    ...serverOptions(flags),
    ...{ groups, flags: flagValues(flags) },
  });
  if (options === undefined) {
    process.exitCode = 1;
    return;
  }
  const ended = signalled();
  const { startServer } = await import('../server/server.ts');
  const server = await startServer(options);
  // an unhandled rejection or exception is a bug, but no reason to stop serving other requests
  process.on('unhandledRejection', (error) => server.logger.error({ err: error }, 'unhandled rejection'));
  process.on('uncaughtException', (error) => server.logger.error({ err: error }, 'uncaught exception'));
  process.stdout.write(banner(server, options));
  await ended;
  await server.close();
}

/** Resolves to undefined if there is something wrong with the documents. */
async function withDocuments(documents: readonly string[], options: ServerOptions): Promise<ServerOptions | undefined> {
  if (documents.length === 0) return options;
  const { serveDocuments } = await import('./served-documents.ts');
  const served = await serveDocuments(documents, options);
  return served && { ...options, ...served };
}

function banner(server: RunningServer, { writeKubeconfig: kubeconfig, builtin }: ServerOptions): string {
  const ready = `Kubeloom serves Kubernetes ${server.version} on ${server.url}`;
  const first =
    kubeconfig === undefined
      ? 'kubeloom kubeconfig > kubeconfig && export KUBECONFIG=$PWD/kubeconfig'
      : `export KUBECONFIG=${kubeconfig.startsWith('/') ? kubeconfig : `$PWD/${kubeconfig}`}`;
  const make = builtin === false ? 'kubectl create namespace web' : 'kubectl create deployment web --image=nginx';
  const next = [first, 'kubectl api-resources', make];
  return `${ready}\n\nTry next, in another shell:\n${next.map((line) => `  ${line}\n`).join('')}\n`;
}

function signalled(): Promise<void> {
  return new Promise((resolve) => {
    let first = true;
    const onSignal = (): void => {
      if (!first) process.exit(1);
      first = false;
      resolve();
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
}
