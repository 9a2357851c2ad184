import { responseError } from '../../client/transport/rest-error.ts';
import type { Clock } from '../../machinery/clock.ts';
import { formatGroupVersion, type GroupVersion } from '../../machinery/gvk.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import type { UserInfo } from '../../machinery/user-info.ts';
import {
  type RemoteObject,
  type RemoteRead,
  type RemoteResource,
  type RemoteResources,
  unregisteredError,
} from '../../reconcile/remote-resources.ts';
import { apiServiceName, isAvailable, proxyPath } from './api-service.ts';
import type { DiscoveryManager } from './discovery/discovery-manager.ts';
import { orderedGroups } from './discovery/group-discovery.ts';
import { download } from './proxy/download.ts';
import type { ProxyHandlers } from './proxy/proxy-handlers.ts';

/** Milliseconds until a response to a controller must have arrived, and its maximum bytes. */
const timeout = 60_000;
const maxBytes = 4 * 1024 * 1024;

export interface AggregatedResourcesOptions {
  readonly discovery: DiscoveryManager;
  readonly proxies: ProxyHandlers;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * The resources of other servers, for the controllers of this server. (client-go ServerPreferredNamespacedResources)
 */
export class AggregatedResources implements RemoteResources {
  readonly #options: AggregatedResourcesOptions;

  constructor(options: AggregatedResourcesOptions) {
    this.#options = options;
  }

  failures(): ReadonlyMap<string, string> {
    const stale = [...this.#options.discovery.versions()].filter(({ value }) => value.freshness === 'Stale');
    const names = stale.map(formatGroupVersion);
    return new Map(names.map((name) => [name, `stale GroupVersion discovery: ${name}`]));
  }

  namespaced(user: UserInfo): readonly RemoteResource[] {
    const found = new Map<string, RemoteResource>();
    for (const { name: group, versions } of orderedGroups(this.#options.discovery.versions())) {
      for (const { version, resources = [] } of versions) {
        for (const one of resources as readonly JsonObject[]) {
          const key = `${group}/${one.resource}`;
          if (one.scope !== 'Namespaced' || found.has(key)) continue;
          found.set(key, this.#resource({ group, version, resource: String(one.resource) }, one.verbs as string[], user));
        }
      }
    }
    return [...found.values()];
  }

  async get(groupVersion: GroupVersion, read: RemoteRead, user: UserInfo): Promise<Json> {
    const name = apiServiceName(groupVersion);
    if (this.#options.proxies.get(name) === undefined) throw unregisteredError(read);
    return this.#ask('GET', name, `${proxyPath(name)}${read.path}`, user, read.subject);
  }

  #resource(
    { group, version, resource }: { group: string; version: string; resource: string },
    verbs: readonly string[],
    user: UserInfo,
  ): RemoteResource {
    const name = apiServiceName({ group, version });
    const path = (namespace: string): string => `${proxyPath(name)}/namespaces/${namespace}/${resource}`;
    const remove = (at: string): Promise<Json> => this.#ask('DELETE', name, `${at}?propagationPolicy=Background`, user);
    const list = async (namespace: string): Promise<RemoteObject[]> =>
      verbs.includes('list') ? objectsOf(await this.#ask('GET', name, path(namespace), user)) : [];
    return {
      group,
      version,
      resource,
      verbs,
      list,
      async deleteAll(namespace) {
        if (verbs.includes('deletecollection')) await remove(path(namespace));
        else for (const one of await list(namespace)) await remove(`${path(namespace)}/${encodeURIComponent(one.name)}`);
      },
    };
  }

  async #ask(method: 'GET' | 'DELETE', name: string, path: string, user: UserInfo, subject?: string): Promise<Json> {
    const { clock, proxies, signal } = this.#options;
    const handler = proxies.get(name);
    if (handler === undefined) throw responseError(emptyResponse(404), subject);
    if (!isAvailable(handler.apiService)) throw responseError(emptyResponse(503), subject);
    const accept = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';
    const answer = await download(handler, { method, path, accept, user, timeout, maxBytes, clock, signal });
    const { status, contentType, body } = answer;
    if (status >= 300) throw responseError({ status, headers: { 'content-type': contentType }, body }, subject);
    return JSON.parse(body.toString());
  }
}

const emptyResponse = (status: number) => ({ status, headers: {}, body: Buffer.alloc(0) });

function objectsOf(list: Json): RemoteObject[] {
  const items = isJsonObject(list) && Array.isArray(list.items) ? list.items : [];
  return items.map((item) => {
    const metadata = isJsonObject(item) && isJsonObject(item.metadata) ? item.metadata : {};
    const finalizers = Array.isArray(metadata.finalizers) ? metadata.finalizers.map(String) : [];
    return { name: String(metadata.name ?? ''), finalizers };
  });
}
