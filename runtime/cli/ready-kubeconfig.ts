import { readFile, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { dialAddress } from '../client/transport/dial.ts';
import type { ParsedFlags } from '../machinery/options/flags.ts';
import type { ServerOptions } from '../options/server-options.ts';
import type { RunningServer } from '../server/running-server.ts';
import { writeKubeconfig } from '../serving/kubeconfig.ts';
import { mergeKubeconfig } from './merged-kubeconfig.ts';
import { mergeKubeconfigFlag } from './serve-flags.ts';

/** The file of the administrator's kubeconfig without --write-kubeconfig, in the current folder. */
const defaultFile = 'kubeconfig';

/** The kubeconfigs that a ready server has written. */
export interface ReadyKubeconfig {
  /** The file for $KUBECONFIG. Absent if none could be written. */
  readonly file?: string | undefined;
  /** Removes the default file if the server that wrote it cannot come back. */
  remove(): Promise<void>;
}

/**
 * Writes the kubeconfigs that the flags request. Without --write-kubeconfig it writes ./kubeconfig, unless the file of
 * another program or of a running server is there, or the folder is read-only.
 *
 * @throws Error if the kubeconfig of --merge-kubeconfig cannot be changed
 */
export async function writeReadyKubeconfig(server: RunningServer, options: ServerOptions, flags: ParsedFlags): Promise<ReadyKubeconfig> {
  const merged = flags.string(mergeKubeconfigFlag);
  if (merged !== undefined) await mergeKubeconfig(merged, server.kubeconfig);
  const { writeKubeconfig: requested, certDir } = options;
  if (requested !== undefined || merged !== undefined) return { file: requested ?? merged, remove: async () => {} };
  const file = resolve(defaultFile);
  if (!(await isReplaceable(file))) return { remove: async () => {} };
  try {
    await writeKubeconfig(file, server.kubeconfig);
  } catch {
    return { remove: async () => {} };
  }
  return { file: defaultFile, remove: () => (certDir === undefined ? removeUnchanged(file, server.kubeconfig) : Promise.resolve()) };
}

interface WrittenKubeconfig {
  readonly contexts: readonly { readonly name: string }[];
  readonly clusters: readonly { readonly cluster: { readonly server: string } }[];
}

/**
 * Reports whether there is no file, or one of a server that has ended: `kubeloom` is its only context, and nothing listens
 * at its address.
 */
async function isReplaceable(file: string): Promise<boolean> {
  try {
    const { contexts, clusters } = parse(await readFile(file, 'utf8')) as WrittenKubeconfig;
    const isOurs = contexts.length === 1 && contexts[0]?.name === 'kubeloom';
    return isOurs && !(await listens(new URL(clusters[0]?.cluster.server ?? '')));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

async function listens({ hostname, port }: URL): Promise<boolean> {
  try {
    const socket = await dialAddress({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) });
    socket.destroy();
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ECONNREFUSED';
  }
}

/** Removes the file, unless another server has replaced it. */
async function removeUnchanged(file: string, text: string): Promise<void> {
  const current = await readFile(file, 'utf8').catch(() => undefined);
  if (current === text) await rm(file, { force: true });
}
