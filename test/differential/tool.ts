import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedFolder } from '../support/shared-folder.ts';
import { CborProxy } from './cbor-proxy.ts';
import type { Outcome } from './outcome.ts';
import { openRenamingWebhook } from './renaming-webhook.ts';
import type { Servers } from './servers.ts';

export interface ToolOptions {
  /** Both servers read and write CBOR. */
  readonly cbor: boolean;
  /** Definitions have two versions and a conversion webhook. */
  readonly conversion: boolean;
  /** Arguments for the tool. */
  readonly args: readonly string[];
}

/** Sends the same random requests to both servers. */
export async function runTool(servers: Servers, { cbor, conversion, args }: ToolOptions): Promise<Outcome> {
  const proxies = cbor ? await Promise.all(servers.sides.map((side) => CborProxy.open(side))) : [];
  const webhook = conversion ? await openRenamingWebhook() : undefined;
  const hooks = ['../support/ts-loader.mjs', './two-versions-loader.mjs'];
  const nodeArgs = webhook === undefined ? [] : hooks.map((file) => `--import=${new URL(file, import.meta.url)}`);
  const tool = join(sharedFolder, 'differential/differential.mjs');
  const results = join(servers.folder, 'differences.json');
  const sides = proxies.length > 0 ? proxied(proxies) : direct(servers);
  try {
    const child = spawn(process.execPath, [...nodeArgs, tool, ...sides, ...args, `--json=${results}`], {
      stdio: 'inherit',
      env: { ...process.env, CONVERSION_CLIENT_CONFIG: JSON.stringify(webhook?.clientConfig ?? null) },
    });
    await once(child, 'exit');
  } finally {
    await Promise.all([...proxies.map((proxy) => proxy.close()), webhook?.close()]);
  }
  const outcome: Outcome = JSON.parse(readFileSync(results, 'utf8'));
  const floats = proxies.at(0)?.floats;
  if (floats === undefined) return outcome;
  return { ...outcome, differences: outcome.differences.map((one) => ({ ...one, hasFloats: floats.has(one) })) };
}

function direct({ reference: { url, token }, port, folder }: Servers): string[] {
  const own = [`--b=https://127.0.0.1:${port}`, `--b-kubeconfig=${join(folder, 'kubeconfig')}`];
  return [`--a=${url}`, `--a-token=${token}`, ...own, '--insecure'];
}

/** Returns the tool's arguments. The proxies send administrators' credentials and ignore their clients'. */
function proxied([reference, own]: readonly CborProxy[]): string[] {
  return [`--a=${reference.url}`, '--a-token=none', `--b=${own.url}`, '--b-token=none'];
}
