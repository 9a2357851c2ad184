import { resolve } from 'node:path';
import { parseFlags } from '../machinery/options/flags.ts';
import type { ServerOptions } from '../options/server-options.ts';
import type { RunningServer } from '../server/running-server.ts';
import { isJsonOutput } from './output-flag.ts';
import { writeReadyKubeconfig } from './ready-kubeconfig.ts';
import { requestedEnd } from './requested-end.ts';
import { requestedOptions } from './requested-options.ts';
import { describeServeFlags, serveFlags } from './serve-flags.ts';
import { serveUntilSignalled } from './serve-until-signalled.ts';

const serveHelp = (all: boolean): string => `Serve the Kubernetes API.

Usage:
  kubeloom serve [flags]

${describeServeFlags(all)}${all ? '' : '\nkubeloom serve --help=all describes the other flags, most of which are those of kube-apiserver.\n'}`;

/**
 * Serves until SIGTERM or SIGINT, or until its input or its parent ends if a flag requests that. A second signal ends
 * the process at once.
 */
export async function serve(args: readonly string[]): Promise<void> {
  const flags = parseFlags(args, serveFlags);
  if (flags.help) {
    process.stdout.write(serveHelp(flags.helpAll));
    return;
  }
  const asJson = isJsonOutput(flags);
  const options = await requestedOptions(flags);
  if (options === undefined) {
    process.exitCode = 1;
    return;
  }
  await serveUntilSignalled(options, {
    end: requestedEnd(flags),
    async onReady(server) {
      const { file, remove } = await writeReadyKubeconfig(server, options, flags);
      process.stdout.write(asJson ? readyLine(server, file) : banner(server, options, file));
      return remove;
    },
  });
}

/** Returns a line of JSON for the program that started the server. */
function readyLine({ url, version, ui }: RunningServer, kubeconfig: string | undefined): string {
  return `${JSON.stringify({ url, version, kubeconfig: kubeconfig && resolve(kubeconfig), ui: ui?.link() })}\n`;
}

function banner(server: RunningServer, { certDir, builtin, simulate }: ServerOptions, kubeconfig: string | undefined): string {
  const make = builtin === false ? 'kubectl create namespace web' : 'kubectl create deployment web --image=nginx';
  const next = [firstStep(kubeconfig, certDir, server.url), 'kubectl api-resources', make];
  const pods =
    builtin === false || simulate ? '' : 'Pods do not run: --simulate adds nodes, a scheduler and the controllers of workloads.\n';
  return `Kubeloom serves Kubernetes ${server.version} on ${server.url}
${pods}${pageLine(server)}
Try next, in another shell:
${next.map((line) => `  ${line}\n`).join('')}
`;
}

function pageLine({ ui }: RunningServer): string {
  return ui === undefined ? '' : `\nIts page, once within five minutes; kubeloom ui makes further links:\n  ${ui.link()}\n`;
}

/** Returns the command that leads kubectl to the server. */
function firstStep(kubeconfig: string | undefined, certDir: string | undefined, url: string): string {
  if (kubeconfig !== undefined) return `export KUBECONFIG=${kubeconfig.startsWith('/') ? kubeconfig : `$PWD/${kubeconfig}`}`;
  if (certDir === undefined) return 'export KUBECONFIG=FILE    # after kubeloom serve --write-kubeconfig=FILE';
  return `kubeloom kubeconfig --cert-dir=${certDir} --server=${url} --output=FILE && export KUBECONFIG=FILE`;
}
