import type { WebhookClientConfig } from '../../../generated/v1.35/admissionregistration.k8s.io/v1/types.ts';
import type { KubeconfigUsers } from '../../client/kubeconfig.ts';
import { authenticationInfoFor, hostPort } from '../../client/webhook/authentication-info.ts';
import { WebhookClient } from '../../client/webhook/client.ts';
import type { ServiceResolver } from '../../client/webhook/service-resolver.ts';
import { BoundedMap } from '../../machinery/collections/bounded-map.ts';
import { parseGoURL } from '../../machinery/go/url.ts';

const userAgent = 'kube-apiserver-admission';
/** (apiserver pkg/util/webhook/client.go defaultCacheSize) */
const maxClients = 200;

/** Keeps the clients of webhooks, with their connections, while configurations change. (ClientManager) */
export class ClientManager {
  readonly #users: KubeconfigUsers;
  readonly #resolve: ServiceResolver;
  readonly #clients = new BoundedMap<string, WebhookClient>(maxClients);

  constructor(users: KubeconfigUsers, resolve: ServiceResolver) {
    this.#users = users;
    this.#resolve = resolve;
  }

  /** @throws Error if the caBundle or the credentials cannot be used */
  clientFor(config: WebhookClientConfig): WebhookClient {
    const key = JSON.stringify(config);
    const known = this.#clients.get(key);
    if (known !== undefined) return known;
    const user = authenticationInfoFor(targetOf(config), this.#users);
    const client = new WebhookClient(config, this.#resolve, { userAgent, ...user });
    this.#clients.set(key, client);
    return client;
  }
}

function targetOf({ url, service }: WebhookClientConfig): string {
  const parsed = url === undefined ? undefined : parseGoURL(url);
  if (parsed !== undefined) return hostPort(parsed);
  const { name, namespace, port = 443 } = service ?? { name: '', namespace: '' };
  return `${name}.${namespace}.svc:${port}`;
}
