import type { TypeDefinition } from '../../machinery/resource.ts';
import type { ResourceStore } from '../../resources/resource-store.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { CustomResourceDefinition } from './api-helpers.ts';
import { CustomResourceHandler } from './custom-resource-handler.ts';
import { customResourceDefinitionStrategy } from './definition-strategy.ts';
import { SchemaHistory } from './serving/schema-history.ts';
import { decodeWithoutSchemas } from './without-schemas.ts';

const group = 'apiextensions.k8s.io';
const resource = 'customresourcedefinitions';

interface Known {
  readonly revision: number;
  readonly served: CustomResourceHandler;
}

/**
 * Serves custom resources where definitions cannot be followed: on a worker thread. Whoever is about to ask for one has
 * its definition looked up first.
 */
export class CustomResourceLoader {
  readonly #stores: ResourceStores;
  readonly #scaleType: () => Promise<TypeDefinition>;
  readonly #known = new Map<string, Known>();

  constructor(stores: ResourceStores, scaleType: () => Promise<TypeDefinition>) {
    this.#stores = stores;
    this.#scaleType = scaleType;
    stores.setStrategy(group, resource, customResourceDefinitionStrategy);
  }

  /** Serves what the definition of this name defines now; nothing where there is none. */
  async refresh(name: string): Promise<void> {
    const definitions = await this.#stores.named(group, 'v1', resource);
    const stored = definitions.collection.latest().get('', name);
    const known = this.#known.get(name);
    if (known !== undefined && known.revision === stored?.revision) return;
    if (stored === undefined || known?.served.uid !== stored.uid) {
      known?.served.end();
      this.#known.delete(name);
    }
    if (stored === undefined) return;
    const served = this.#known.get(name)?.served ?? this.#serve(name, stored.uid, definitions);
    served.follow(decodeWithoutSchemas(stored), stored);
    this.#known.set(name, { revision: stored.revision, served });
  }

  #serve(name: string, uid: string, { collection }: ResourceStore): CustomResourceHandler {
    return new CustomResourceHandler({
      ...{ uid, name, stores: this.#stores, scaleType: this.#scaleType },
      history: SchemaHistory.unknown(),
      read: () => collection.latest().get('', name)?.decode() as CustomResourceDefinition | undefined,
    });
  }
}
