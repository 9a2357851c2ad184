import type { KubeObject } from '../machinery/object.ts';
import type { ResourceDefinition } from '../machinery/resource.ts';
import type { UserInfo } from '../machinery/user-info.ts';
import type { Collection, StoredObject } from '../storage/object-store/contract.ts';
import { absentError } from './corrupt-objects.ts';
import { createObject } from './create.ts';
import { type Deleted, type DeleteRequest, deleteObject } from './delete.ts';
import type { ResourceHooks, WriteContext } from './hooks.ts';
import { KeyQueue } from './key-queue.ts';
import type { Written } from './result.ts';
import type { ResourceStores } from './stores.ts';
import { type UpdateRequest, updateObject } from './update.ts';

/** Who writes, and how. */
export interface Writer {
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** As in WriteContext. */
  readonly fieldManager?: string;
  /** The server writes by itself, without a request that could be run elsewhere when it turns out to be costly. */
  readonly internal?: boolean;
  warn(text: string): void;
}

export interface ResourceStoreParts {
  readonly collection: Collection;
  /** At the storage version. */
  readonly definition: ResourceDefinition;
  readonly hooks: ResourceHooks;
  readonly stores: ResourceStores;
}

/**
 * The objects of one resource. Reads go to the collection; writes run through the steps in create.ts, update.ts and
 * delete.ts, one after the other on one object, so that writers of one object do not make each other start over.
 */
export class ResourceStore {
  readonly collection: Collection;
  readonly definition: ResourceDefinition;
  readonly hooks: ResourceHooks;
  readonly stores: ResourceStores;
  readonly #queue = new KeyQueue();

  constructor({ collection, definition, hooks, stores }: ResourceStoreParts) {
    this.collection = collection;
    this.definition = definition;
    this.hooks = hooks;
    this.stores = stores;
  }

  /** The object as it is now. Throws NotFound, or InternalError where its bytes cannot be read. */
  get(namespace: string, name: string): StoredObject {
    const stored = this.collection.latest().get(namespace, name);
    if (stored === undefined) throw absentError(this, this.definition, { namespace, name });
    return stored;
  }

  /** @param definition the version of the request, which `object` has */
  create(definition: ResourceDefinition, object: KubeObject, namespace: string, writer: Writer): Promise<Written> {
    return createObject(this, object, this.context(definition, namespace, writer));
  }

  /** Replaces an object by what `request.change` makes of it; see UpdateRequest. */
  update(
    definition: ResourceDefinition,
    request: UpdateRequest,
    writer: Writer,
  ): Promise<Written & { created: boolean }> {
    const { namespace, name } = request;
    return this.exclusively(namespace, name, () =>
      updateObject(this, request, { ...this.context(definition, namespace, writer), subresource: request.subresource }),
    );
  }

  delete(definition: ResourceDefinition, request: DeleteRequest, writer: Writer): Promise<Deleted> {
    const { namespace, name } = request;
    return this.exclusively(namespace, name, () =>
      deleteObject(this, request, this.context(definition, namespace, writer)),
    );
  }

  exclusively<T>(namespace: string, name: string, work: () => Promise<T>): Promise<T> {
    return this.#queue.run(`${namespace}/${name}`, work);
  }

  context(definition: ResourceDefinition, namespace: string, writer: Writer): WriteContext {
    const { user, dryRun, fieldManager, internal, warn } = writer;
    const { stores } = this;
    return { definition, namespace, user, dryRun, fieldManager, internal, now: stores.clock.now(), stores, warn };
  }
}
