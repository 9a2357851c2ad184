import { requireOptions } from '../machinery/options/check-options.ts';
import { clientOptions } from './option-types.ts';
import type { ClientOptions, ListOptions, WatchEvent, WatchOptions } from './options.ts';
import { type NamedObject, type ObjectList, ResourceClient, type ResourceLocation } from './resource-client.ts';
import { RestClient } from './rest-client.ts';

/** A class of clients for one resource. */
type ResourceClientClass<C> = new (rest: RestClient, location: ResourceLocation, namespace?: string) => C;

/** A client of a namespaced resource: `list` and `watch` span all namespaces, `namespace` has every verb in one. */
export class NamespacedClient<T extends NamedObject, L = ObjectList<T>, C = ResourceClient<T, L>> {
  readonly #rest: RestClient;
  readonly #class: ResourceClientClass<C>;
  readonly #location: ResourceLocation;
  readonly #everywhere: ResourceClient<T, L>;

  constructor(rest: RestClient, resourceClass: ResourceClientClass<C>, location: ResourceLocation) {
    this.#rest = rest;
    this.#class = resourceClass;
    this.#location = location;
    this.#everywhere = new ResourceClient(rest, location);
  }

  namespace(namespace: string): C {
    return new this.#class(this.#rest, this.#location, namespace);
  }

  list(options?: ListOptions): Promise<L> {
    return this.#everywhere.list(options);
  }

  watch(options?: WatchOptions): AsyncIterable<WatchEvent<T>> {
    return this.#everywhere.watch(options);
  }
}

/** A client of a namespaced resource without some verbs. `C` is a ResourceClient. */
export type NamespacedVerbs<C, Verb extends keyof C> = Pick<C, Verb & ('list' | 'watch')> & {
  namespace(namespace: string): Pick<C, Verb>;
};

/** The base of the generated clients of group-versions, whose fields are the clients of resources. */
export class GroupVersionClient {
  readonly #rest: RestClient;
  readonly #apiVersion: string;

  /** @param apiVersion as `v1` or `apps/v1` */
  constructor(rest: RestClient, apiVersion: string) {
    this.#rest = rest;
    this.#apiVersion = apiVersion;
  }

  protected clusterScoped<C>(resourceClass: ResourceClientClass<C>, resource: string, kind: string): C {
    return new resourceClass(this.#rest, this.#location(resource, kind));
  }

  protected namespaceScoped<T extends NamedObject, L, C>(
    resourceClass: ResourceClientClass<C & ResourceClient<T, L>>,
    resource: string,
    kind: string,
  ): NamespacedClient<T, L, C> {
    return new NamespacedClient<T, L, C>(this.#rest, resourceClass, this.#location(resource, kind));
  }

  #location(resource: string, kind: string): ResourceLocation {
    const apiVersion = this.#apiVersion;
    return { root: `/${apiVersion.includes('/') ? 'apis' : 'api'}/${apiVersion}`, resource, apiVersion, kind };
  }
}

/** The base of the generated `Client`, whose fields are the clients of groups. (client-go kubernetes.Clientset) */
export class Clientset {
  protected readonly restClient: RestClient;

  /** Creates the clients without sending anything. */
  constructor(options: ClientOptions) {
    requireOptions(clientOptions, options);
    this.restClient = new RestClient(options);
  }

  /** Closes the connections. Requests in progress fail. */
  close(): void {
    this.restClient.close();
  }
}
