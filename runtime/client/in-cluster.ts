import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import type { ClientOptions } from './options.ts';

/** The folder in pods with the token of the service account and the CA of the server. */
const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * Returns the options of a pod's client for its cluster: the address of the service `kubernetes`, and the pod's service
 * account, whose token is read again before it expires. (client-go rest.InClusterConfig)
 *
 * @param environment has KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT
 * @throws Error outside of a cluster, or if the files cannot be read
 */
export async function inClusterConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  folder = serviceAccountFolder,
): Promise<ClientOptions> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = environment;
  if (!host || !port) {
    throw new Error('unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined');
  }
  const tokenFile = join(folder, 'token');
  const [token, ca] = await Promise.all([readFile(tokenFile, 'utf8'), readFile(join(folder, 'ca.crt'))]);
  const server = `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  return { server, ca, token: token.trim(), tokenFile };
}
