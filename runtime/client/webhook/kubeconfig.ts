import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseGoURL } from '../../machinery/go/url.ts';
import { parseKubeconfig } from '../kubeconfig.ts';
import type { ClientOptions } from '../options.ts';

/**
 * Reads a webhook's address and credentials from a kubeconfig file: its current context, with the cluster's CA and
 * tls-server-name, and the user's client certificate, token or password. Paths are relative to the file. (apiserver
 * pkg/util/webhook LoadKubeconfig)
 *
 * @throws Error with the problem of the file
 */
export async function loadWebhookKubeconfig(path: string): Promise<ClientOptions> {
  const config = parseKubeconfig(await readFile(path, 'utf8'), undefined, dirname(path));
  const { server, cert, key, token, username } = config;
  if (!['http', 'https'].includes(parseGoURL(server)?.scheme ?? '')) {
    throw new Error(`the server ${JSON.stringify(server)} is no URL of http or https`);
  }
  if (token && username) throw new Error('more than one authentication method found; found [token basicAuth]');
  if ((cert === undefined) !== (key === undefined)) {
    throw new Error('client-certificate and client-key must be specified together');
  }
  return config;
}
