import { parseFlags } from '../machinery/options/flags.ts';
import type { ServerOptions } from '../options/server-options.ts';
import type { RunningServer } from '../server/running-server.ts';
import { endOfInput } from './end-signal.ts';
import { requestedOptions } from './requested-options.ts';
import { describeServeFlags, exitWithStdin, serveFlags } from './serve-flags.ts';
import { serveUntilSignalled } from './serve-until-signalled.ts';

const serveHelp = `Serve the Kubernetes API.

Usage:
  kubeloom serve [flags]

${describeServeFlags()}`;

/**
 * Serves until SIGTERM or SIGINT, or until its input ends if a flag requests that. A second signal ends the process at
 * once.
 */
export async function serve(args: readonly string[]): Promise<void> {
  const flags = parseFlags(args, serveFlags);
  if (flags.help) {
    process.stdout.write(serveHelp);
    return;
  }
  const options = await requestedOptions(flags);
  if (options === undefined) {
    process.exitCode = 1;
    return;
  }
  const end = flags.boolean(exitWithStdin) ? endOfInput() : undefined;
  await serveUntilSignalled(options, (server) => process.stdout.write(banner(server, options)), end);
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
