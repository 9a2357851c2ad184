import { conflict, isStatusError } from '../../machinery/errors/status.ts';
import type { KubeObject, OwnerReference } from '../../machinery/object.ts';
import { writerFor } from '../controller.ts';
import type { Target } from './ownership.ts';
import type { ServedResources } from './served-resources.ts';

const writer = writerFor('generic-garbage-collector');

/** What the garbage collector writes. What is not served any more is as good as gone. */
export class Edits {
  readonly #resources: ServedResources;

  constructor(resources: ServedResources) {
    this.#resources = resources;
  }

  /** @throws StatusError 404, 409 where the object is not, or not any more, the one at that version */
  async delete(
    { collection, namespace, name, uid }: Target,
    resourceVersion: string,
    propagationPolicy: 'Background' | 'Foreground' | 'Orphan',
  ): Promise<void> {
    const store = await this.#resources.ofResource(collection.resource);
    const request = { namespace, name, propagationPolicy, preconditions: { uid, resourceVersion } };
    await store?.delete(store.definition, request, writer);
  }

  removeFinalizer(target: Target, finalizer: string): Promise<void> {
    return this.#edit(target, ({ metadata }) => {
      const finalizers = (metadata.finalizers ?? []).filter((one) => one !== finalizer);
      if (finalizers.length === 0) delete metadata.finalizers;
      else metadata.finalizers = finalizers;
    });
  }

  removeOwners(target: Target, uids: ReadonlySet<string>): Promise<void> {
    return this.#editOwners(target, (owners) => owners.filter(({ uid }) => !uids.has(uid)));
  }

  /** The object does not hold up the deletion of its owners any more. */
  unblockOwners(target: Target): Promise<void> {
    return this.#editOwners(target, (owners) =>
      owners.map((owner) => (owner.blockOwnerDeletion ? { ...owner, blockOwnerDeletion: false } : owner)),
    );
  }

  #editOwners(target: Target, change: (owners: OwnerReference[]) => OwnerReference[]): Promise<void> {
    return this.#edit(target, ({ metadata }) => {
      const owners = change(metadata.ownerReferences ?? []);
      if (owners.length === 0) delete metadata.ownerReferences;
      else metadata.ownerReferences = owners;
    });
  }

  /** Changes the object if it is still that one; one that is gone needs no change. */
  async #edit({ collection, namespace, name, uid }: Target, change: (object: KubeObject) => void): Promise<void> {
    const store = await this.#resources.ofResource(collection.resource);
    if (store === undefined) return;
    const { definition } = store;
    try {
      await store.update(
        definition,
        {
          namespace,
          name,
          part: 'main',
          createIfAbsent: false,
          requireVersion: false,
          change(current) {
            if (current?.metadata.uid !== uid) throw conflict(definition, name, 'another object has its name');
            change(current);
            return current;
          },
        },
        writer,
      );
    } catch (error) {
      if (!isStatusError(error) || (error.status.code !== 404 && error.status.code !== 409)) throw error;
    }
  }
}
