import type { CustomResourceDefinition } from '../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import type { TypeDefinition } from '../../machinery/resource.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { crdGroup, crdResource } from './api-helpers.ts';
import { CustomResourceHandler } from './custom-resource-handler.ts';
import { customResourceDefinitionStrategy } from './definition-strategy.ts';
import { SchemaHistory } from './serving/schema-history.ts';
import { decodeWithoutSchemas } from './without-schemas.ts';

interface LoadedDefinition {
  readonly revision: number;
  readonly handler: CustomResourceHandler;
}

/**
 * Serves custom resources on worker threads, which cannot watch definitions: the definition of a resource is loaded
 * before each request for it.
 */
export class CustomResourceLoader {
  readonly #stores: ResourceStores;
  readonly #scaleType: () => Promise<TypeDefinition>;
  readonly #loaded = new Map<string, LoadedDefinition>();

  constructor(stores: ResourceStores, scaleType: () => Promise<TypeDefinition>) {
    this.#stores = stores;
    this.#scaleType = scaleType;
    stores.setStrategy(crdGroup, crdResource, customResourceDefinitionStrategy);
  }

  /** Serves the current definitions of an API group. */
  async refreshGroup(group: string): Promise<void> {
    if (!this.#stores.serves(crdGroup, 'v1', crdResource)) return;
    const { collection } = await this.#stores.byResource(crdGroup, 'v1', crdResource);
    const names = [...this.#loaded.keys(), ...Array.from(collection.latest().scan(), ({ name }) => name)];
    for (const name of new Set(names)) if (name.slice(name.indexOf('.') + 1) === group) await this.refresh(name);
  }

  /** Serves the current definition with this name; nothing if it does not exist. */
  async refresh(name: string): Promise<void> {
    const { collection } = await this.#stores.byResource(crdGroup, 'v1', crdResource);
    const stored = collection.latest().get('', name);
    const loaded = this.#loaded.get(name);
    if (loaded !== undefined && loaded.revision === stored?.revision) return;
    if (stored === undefined || loaded?.handler.uid !== stored.uid) {
      loaded?.handler.remove();
      this.#loaded.delete(name);
    }
    if (stored === undefined) return;
    const handler =
      this.#loaded.get(name)?.handler ??
      new CustomResourceHandler({
        uid: stored.uid,
        name,
        stores: this.#stores,
        scaleType: this.#scaleType,
        history: SchemaHistory.unknown(),
        read: () => collection.latest().get('', name)?.decode() as CustomResourceDefinition | undefined,
      });
    handler.update(decodeWithoutSchemas(stored), stored);
    this.#loaded.set(name, { revision: stored.revision, handler });
  }
}
