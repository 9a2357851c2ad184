import { joinHostPort } from '../../machinery/go/join-host-port.ts';
import type { GoURL } from '../../machinery/go/url.ts';
import { splitURLHost } from '../../machinery/go/url-host.ts';
import type { KubeconfigUsers } from '../kubeconfig.ts';
import type { ClientCredentials } from '../options.ts';

const defaultPort = ':443';

/**
 * Returns the credentials for a webhook. The names of the kubeconfig's users are patterns of servers: `host:port`;
 * `*.example.com:8443` for all subdomains; a name without a port for port 443; `*` for all servers without a better
 * match. The last choice is the user of the current context. (apiserver pkg/util/webhook/authentication.go)
 *
 * @param target `host:port`
 */
export function authenticationInfoFor(target: string, { users, current }: KubeconfigUsers): ClientCredentials {
  const withoutPort = target.endsWith(defaultPort) ? target.slice(0, -defaultPort.length) : undefined;
  const found = userNamed(target, users) ?? (withoutPort === undefined ? undefined : userNamed(withoutPort, users));
  return found ?? users.get('*') ?? current ?? {};
}

function userNamed(target: string, users: KubeconfigUsers['users']): ClientCredentials | undefined {
  const exact = users.get(target);
  if (exact !== undefined) return exact;
  const steps = target.split('.');
  for (let from = 1; from < steps.length; from++) {
    const user = users.get(`*.${steps.slice(from).join('.')}`);
    if (user !== undefined) return user;
  }
  return undefined;
}

/** Returns `host:port` of a URL, the name of a user in the kubeconfig. */
export function hostPort({ host }: GoURL): string {
  return splitURLHost(host).port === '' ? joinHostPort(host, 443) : host;
}
