import type { ResourceStores } from './stores.ts';

/**
 * The way of a server to its own resources, for parts that open before them. Authenticators, for example, read Secrets while a
 * request is authenticated, which is never before the port is open. (LoopbackClientConfig)
 */
export class Loopback {
  #stores: ResourceStores | undefined;

  /** Leads to these from now on. */
  connect(stores: ResourceStores): void {
    this.#stores = stores;
  }

  /** @throws Error before `connect` */
  readonly stores = (): ResourceStores => {
    if (this.#stores !== undefined) return this.#stores;
    throw new Error('the resources of this server are not open yet');
  };
}
