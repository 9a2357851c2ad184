import type { ClientOptions } from '../../client/options.ts';
import { Reflector } from '../../client/reflector.ts';
import { ResourceClient } from '../../client/resource-client.ts';
import { RestClient } from '../../client/rest-client.ts';
import type { Clock } from '../../machinery/clock.ts';
import { formatGroupVersion, type GroupVersionResource } from '../../machinery/gvk.ts';
import type { Logger } from '../../machinery/logger.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ExternalObjects } from '../../resources/lister.ts';

export interface DelegateObjectsOptions {
  readonly config: ClientOptions;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The objects of the delegate. Each resource is followed from its first use. (server.RecommendedConfig
 * SharedInformerFactory)
 */
export class DelegateObjects implements ExternalObjects {
  readonly #options: DelegateObjectsOptions;
  readonly #rest: RestClient;
  readonly #followed = new Map<string, Reflector<KubeObject>>();

  constructor(options: DelegateObjectsOptions) {
    this.#options = options;
    this.#rest = new RestClient(options.config);
  }

  follow<T extends KubeObject>(resource: GroupVersionResource): Reflector<T> {
    const root = rootOf(resource);
    const key = `${root}/${resource.resource}`;
    let reflector = this.#followed.get(key);
    if (reflector === undefined) {
      const { clock, logger } = this.#options;
      const onError = (err: unknown): void => logger.warn({ err }, `${key} of the delegate cannot be followed`);
      reflector = new Reflector<KubeObject>({ source: this.#client(resource), clock, onError });
      this.#followed.set(key, reflector);
    }
    // the delegate's objects have the type of the resource
    return reflector as Reflector<T>;
  }

  get(resource: GroupVersionResource, namespace: string, name: string): Promise<KubeObject> {
    return this.#client(resource, namespace || undefined).get(name);
  }

  /** The resources whose objects are not known yet. */
  unsynced(): readonly string[] {
    return [...this.#followed].filter(([, { hasSynced }]) => !hasSynced).map(([key]) => key);
  }

  close(): void {
    for (const reflector of this.#followed.values()) reflector.close();
    this.#rest.close();
  }

  #client(resource: GroupVersionResource, namespace?: string): ResourceClient<KubeObject> {
    const location = { root: rootOf(resource), resource: resource.resource, apiVersion: '', kind: '' };
    return new ResourceClient<KubeObject>(this.#rest, location, namespace);
  }
}

const rootOf = (resource: GroupVersionResource): string => `${resource.group === '' ? '/api' : '/apis'}/${formatGroupVersion(resource)}`;
