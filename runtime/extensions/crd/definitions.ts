import type { CustomResourceDefinition } from '../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import type { ResourceStore } from '../../resources/resource-store.ts';
import { shouldDeleteDuringUpdate } from '../../resources/write/delete.ts';
import { guaranteedUpdate } from '../../resources/write/guaranteed-update.ts';
import type { Collection, StoredObject } from '../../storage/object-store/contract.ts';
import { decodeWithoutSchemas, editWithoutSchemas } from './without-schemas.ts';

/** The CustomResourceDefinitions in storage. */
export class Definitions {
  readonly collection: Collection;
  readonly #store: ResourceStore;

  constructor(store: ResourceStore) {
    this.#store = store;
    this.collection = store.collection;
  }

  get(name: string): CustomResourceDefinition | undefined {
    return this.#stored(name)?.decode() as CustomResourceDefinition | undefined;
  }

  getWithoutSchemas(name: string): CustomResourceDefinition | undefined {
    const stored = this.#stored(name);
    return stored && decodeWithoutSchemas(stored);
  }

  /**
   * Changes the metadata or the status of a definition, for the server's own bookkeeping. The result is not validated,
   * managed fields stay, and schemas are neither decoded nor encoded. Removes a definition whose last finalizer is
   * removed.
   *
   * @param change runs again if the definition changes in the meantime
   * @returns false if there is no such definition
   */
  async update(name: string, change: (crd: CustomResourceDefinition) => void): Promise<boolean> {
    const { strategy } = this.#store;
    return guaranteedUpdate(this.collection, { namespace: '', name }, async (stored) => {
      if (stored === undefined) return false;
      const { crd, object, encode } = editWithoutSchemas(stored);
      const before = JSON.stringify(crd);
      change(crd);
      if (JSON.stringify(crd) === before) return true;
      const { labels = {} } = object.metadata;
      const written = shouldDeleteDuringUpdate(object, strategy)
        ? await this.collection.delete('', name, stored.revision)
        : await this.collection.put(
            {
              namespace: '',
              name,
              value: encode(),
              labels,
              selectable: this.collection.resource.selectableFields(object),
              changesWhenRead: false,
              // bookkeeping is never too large
              storedLength: 0,
            },
            stored.revision,
          );
      return written && true;
    });
  }

  #stored(name: string): StoredObject | undefined {
    return this.collection.latest().get('', name);
  }
}
