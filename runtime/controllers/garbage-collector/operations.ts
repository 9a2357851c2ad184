import { conflict, hasStatusCode } from '../../machinery/errors/status.ts';
import type { KubeObject, OwnerReference } from '../../machinery/object.ts';
import { writerOfController } from '../../reconcile/controller-writer.ts';
import type { ObjectReference } from './object-reference.ts';
import type { RESTMapper } from './rest-mapper.ts';

const writer = writerOfController('generic-garbage-collector');

/** The writes of the garbage collector. They skip resources that are no longer served. (operations.go) */
export class Operations {
  readonly #mapper: RESTMapper;

  constructor(mapper: RESTMapper) {
    this.#mapper = mapper;
  }

  /** @throws StatusError 404, 409 if the object does not exist or has changed */
  async deleteObject(
    { collection, namespace, name, uid }: ObjectReference,
    resourceVersion: string,
    propagationPolicy: 'Background' | 'Foreground' | 'Orphan',
  ): Promise<void> {
    const store = await this.#mapper.storeForResource(collection.resource);
    const request = { namespace, name, propagationPolicy, preconditions: { uid, resourceVersion } };
    await store?.delete(store.definition, request, writer);
  }

  removeFinalizer(object: ObjectReference, finalizer: string): Promise<void> {
    return this.#patch(object, ({ metadata }) => {
      const finalizers = (metadata.finalizers ?? []).filter((one) => one !== finalizer);
      if (finalizers.length === 0) delete metadata.finalizers;
      else metadata.finalizers = finalizers;
    });
  }

  deleteOwnerReferences(object: ObjectReference, uids: ReadonlySet<string>): Promise<void> {
    return this.#patchOwnerReferences(object, (owners) => owners.filter(({ uid }) => !uids.has(uid)));
  }

  /** Removes blockOwnerDeletion, so that the object no longer blocks the deletion of its owners. */
  unblockOwnerReferences(object: ObjectReference): Promise<void> {
    return this.#patchOwnerReferences(object, (owners) =>
      owners.map((owner) => (owner.blockOwnerDeletion ? { ...owner, blockOwnerDeletion: false } : owner)),
    );
  }

  #patchOwnerReferences(object: ObjectReference, change: (owners: OwnerReference[]) => OwnerReference[]): Promise<void> {
    return this.#patch(object, ({ metadata }) => {
      const owners = change(metadata.ownerReferences ?? []);
      if (owners.length === 0) delete metadata.ownerReferences;
      else metadata.ownerReferences = owners;
    });
  }

  /** Changes the object unless it was deleted. */
  async #patch({ collection, namespace, name, uid }: ObjectReference, change: (object: KubeObject) => void): Promise<void> {
    const store = await this.#mapper.storeForResource(collection.resource);
    if (store === undefined) return;
    const { definition } = store;
    try {
      await store.update(
        definition,
        {
          namespace,
          name,
          part: 'main',
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
      if (!hasStatusCode(error, 404, 409)) throw error;
    }
  }
}
