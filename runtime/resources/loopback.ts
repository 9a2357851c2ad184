import type { ResourceStores } from './stores.ts';

/**
 * A server's access to its own resources, for parts that open before them. For example, authenticators read Secrets
 * during requests, which arrive after the port opens. (LoopbackClientConfig)
 */
export class Loopback {
  #stores: ResourceStores | undefined;

  /** Sets the resources. */
  connect(stores: ResourceStores): void {
    this.#stores = stores;
  }

  /** @throws Error before `connect` */
  readonly stores = (): ResourceStores => {
    if (this.#stores !== undefined) return this.#stores;
    throw new Error('the resources of this server are not open yet');
  };
}
