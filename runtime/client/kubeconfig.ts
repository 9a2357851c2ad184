import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { quote } from '../machinery/go/quote.ts';
import { parseGoURL } from '../machinery/go/url.ts';
import { defined } from '../machinery/json/defined.ts';
import type { ClientCredentials, ClientOptions } from './options.ts';

interface Kubeconfig {
  readonly 'current-context'?: string;
  readonly contexts?: readonly { name: string; context: { cluster: string; user: string; namespace?: string } }[];
  readonly clusters?: readonly { name: string; cluster: Record<string, unknown> }[];
  readonly users?: readonly { name: string; user: Record<string, unknown> }[];
}

/**
 * Reads client options from the text of a kubeconfig. Paths in it are relative to `folder`. Exec and auth-provider
 * plugins are not run.
 *
 * @param context the name of the context. Default: the current one
 * @throws Error that names the missing part
 */
export function parseKubeconfig(text: string, context?: string, folder = '.'): ClientOptions {
  const config = (parse(text) ?? {}) as Kubeconfig;
  const name = context ?? config['current-context'];
  const chosen = config.contexts?.find((entry) => entry.name === name)?.context;
  if (!chosen) throw new Error(`the kubeconfig has no context ${JSON.stringify(name ?? '')}`);
  const cluster = config.clusters?.find((entry) => entry.name === chosen.cluster)?.cluster;
  if (typeof cluster?.server !== 'string') throw new Error(`the kubeconfig has no cluster ${JSON.stringify(chosen.cluster)}`);
  const user = config.users?.find((entry) => entry.name === chosen.user)?.user ?? {};
  return {
    ...credentialsOf(user, folder),
    server: cluster.server,
    ca: pemOf(folder)(cluster, 'certificate-authority'),
    ...(typeof cluster['tls-server-name'] === 'string' ? { tlsServerName: cluster['tls-server-name'] } : {}),
    ...(cluster['proxy-url'] ? { proxyUrl: validProxyUrl(String(cluster['proxy-url']), chosen.cluster) } : {}),
    insecureSkipTlsVerify: cluster['insecure-skip-tls-verify'] === true,
  };
}

/** The users of a kubeconfig, by name. */
export interface KubeconfigUsers {
  readonly users: ReadonlyMap<string, ClientCredentials>;
  /** The user of the current context. */
  readonly current?: ClientCredentials | undefined;
}

/** Reads the users of a kubeconfig. Paths in it are relative to `folder`. @throws Error if a file cannot be read */
export function parseKubeconfigUsers(text: string, folder = '.'): KubeconfigUsers {
  const config = (parse(text) ?? {}) as Kubeconfig;
  const users = new Map((config.users ?? []).map(({ name, user }) => [name, credentialsOf(user, folder)]));
  const context = config.contexts?.find(({ name }) => name === config['current-context'])?.context;
  return { users, current: context && users.get(context.user) };
}

/** (clientcmd validateClusterInfo, parseProxyURL) */
function validProxyUrl(text: string, cluster: string): string {
  const url = parseGoURL(text);
  const problem =
    url === undefined
      ? `could not parse: ${text}`
      : ['http', 'https', 'socks5'].includes(url.scheme)
        ? undefined
        : `unsupported scheme ${quote(url.scheme)}, must be http, https, or socks5`;
  if (problem === undefined) return text;
  throw new Error(`invalid configuration: invalid 'proxy-url' ${quote(text)} for cluster ${quote(cluster)}: ${problem}`);
}

type Source = Readonly<Record<string, unknown>>;

const pemOf =
  (folder: string) =>
  (source: Source, field: string): Uint8Array | undefined => {
    const data = source[`${field}-data`];
    if (typeof data === 'string') return Buffer.from(data, 'base64');
    const file = source[field];
    return typeof file === 'string' ? readFileSync(resolve(folder, file)) : undefined;
  };

function credentialsOf(user: Source, folder: string): ClientCredentials {
  const pem = pemOf(folder);
  const tokenFile = typeof user.tokenFile === 'string' ? resolve(folder, user.tokenFile) : undefined;
  const token = tokenFile === undefined ? user.token : readFileSync(tokenFile, 'utf8').trim();
  return {
    cert: pem(user, 'client-certificate'),
    key: pem(user, 'client-key'),
    ...(typeof token === 'string' ? { token } : {}),
    ...defined({ tokenFile }),
    ...(typeof user.username === 'string' ? { username: user.username } : {}),
    ...(typeof user.password === 'string' ? { password: user.password } : {}),
  };
}

/** Reads client options from a kubeconfig file. */
export function loadKubeconfig(path: string, context?: string): ClientOptions {
  return parseKubeconfig(readFileSync(path, 'utf8'), context, dirname(path));
}
