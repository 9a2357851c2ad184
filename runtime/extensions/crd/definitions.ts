import type { CustomResourceDefinition } from '../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { formatGroupVersion } from '../../machinery/gvk.ts';
import { cloneJson } from '../../machinery/json/clone.ts';
import { defined, setOrDelete } from '../../machinery/json/defined.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceStore } from '../../resources/resource-store.ts';
import { shouldDeleteDuringUpdate } from '../../resources/write/delete.ts';
import { guaranteedUpdate } from '../../resources/write/guaranteed-update.ts';
import type { Collection, StoredObject } from '../../storage/object-store/contract.ts';
import { type DefinitionEdit, decodeWithoutSchemas, editWithoutSchemas } from './without-schemas.ts';

type WithStatus = Pick<CustomResourceDefinition, 'status'>;

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
   * and schemas are neither decoded nor encoded. The server manages the fields of the status that it changes. Removes a
   * definition whose last finalizer is removed.
   *
   * @param change runs again if the definition changes in the meantime
   * @returns false if there is no such definition
   */
  async update(name: string, change: (crd: CustomResourceDefinition) => void): Promise<boolean> {
    const { strategy } = this.#store;
    return guaranteedUpdate(this.collection, { namespace: '', name }, async (stored) => {
      if (stored === undefined) return false;
      const edit = editWithoutSchemas(stored);
      const { crd, object, encode } = edit;
      const before = JSON.stringify(crd);
      const oldStatus = cloneJson(crd.status);
      change(crd);
      if (JSON.stringify(crd) === before) return true;
      if (!equalJson(crd.status, oldStatus)) await this.#ownStatus(edit, oldStatus);
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

  /** Makes the server the manager of the fields of the status that have changed. */
  async #ownStatus({ crd, managedFields }: DefinitionEdit, oldStatus: WithStatus['status']): Promise<void> {
    const { definition, fieldManagers } = this.#store;
    const withStatus = (status: WithStatus['status']): KubeObject & WithStatus => ({
      apiVersion: formatGroupVersion(definition),
      kind: definition.kind,
      metadata: { ...defined({ managedFields }) },
      ...defined({ status }),
    });
    const manager = await fieldManagers.of(definition, 'status', withStatus(oldStatus));
    const { metadata } = manager.update(withStatus(oldStatus), withStatus(crd.status), 'kube-apiserver');
    setOrDelete(crd.metadata, 'managedFields', metadata.managedFields);
  }

  #stored(name: string): StoredObject | undefined {
    return this.collection.latest().get('', name);
  }
}
