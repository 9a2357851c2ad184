import { hasStatusCode, isStatusError } from '../machinery/errors/status.ts';
import { withoutEventLoopBudget } from '../machinery/event-loop/budget.ts';
import { formatGroupVersion, type GroupVersionResource } from '../machinery/gvk.ts';
import { cloneJson } from '../machinery/json/clone.ts';
import type { KubeObject } from '../machinery/object.ts';
import { type ObjectKey, objectKeyOf } from '../machinery/object-key.ts';
import { PruneContext } from '../machinery/prune/context.ts';
import type { ResourceDefinition } from '../machinery/resource.ts';
import type { Collection, StoredObject } from '../storage/object-store/contract.ts';
import type { ResourceStore } from './resource-store.ts';
import type { Change, Edit, WriteResult, Writer } from './rest.ts';
import type { ResourceStores } from './stores.ts';
import { isStorageVersion } from './views.ts';
import { ForcedApply } from './write/changes.ts';

/** The content of an object to write. Its kind and apiVersion are those of the resource. */
type Content<T extends KubeObject> = Omit<T, 'apiVersion' | 'kind'>;

/** The fields that a manager wants to own. Required fields may be missing. */
interface ApplyConfiguration extends Pick<KubeObject, 'metadata'> {
  readonly [field: string]: unknown;
}

interface DeleteOptions {
  readonly uid?: string;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan';
}

/**
 * Reads and writes the objects of one resource inside the server, like client-go's typed clients outside. Objects are
 * at the version of the resource. The caller owns objects from reads. Objects from writes may be shared and must not be
 * changed.
 */
export class LoopbackClient<T extends KubeObject> {
  readonly definition: ResourceDefinition;
  readonly #store: ResourceStore;
  readonly #writer: Writer;

  private constructor(definition: ResourceDefinition, store: ResourceStore, writer: Writer) {
    this.definition = definition;
    this.#store = store;
    this.#writer = writer;
  }

  /** @throws Error if the resource is not served at this version */
  static async open<T extends KubeObject>(
    stores: ResourceStores,
    resource: GroupVersionResource,
    writer: Writer,
  ): Promise<LoopbackClient<T>> {
    const definition = await stores.registry.definition(resource);
    return new LoopbackClient<T>(definition, await stores.open(definition), writer);
  }

  get collection(): Collection {
    return this.#store.collection;
  }

  /** Returns the current object. */
  get(namespace: string, name: string): T | undefined {
    const stored = this.collection.latest().get(namespace, name);
    return stored && this.decode(stored);
  }

  /** Yields all current objects, of one namespace or of all. */
  *list(namespace?: string): Iterable<T> {
    for (const stored of this.collection.latest().scan({ namespace })) yield this.decode(stored);
  }

  decode(stored: StoredObject): T {
    return this.definition.conversion.fromStorage(stored.decode()) as T;
  }

  /** @throws StatusError 403, 404, 409, 422 */
  async create(content: Content<T>): Promise<T> {
    return this.#written(await this.#create(content));
  }

  /** Creates an object like `create`, without decoding the stored object. */
  async add(content: Content<T>): Promise<void> {
    await this.#create(content);
  }

  /**
   * Creates an object. Resolves with undefined if the name is taken.
   *
   * @throws StatusError 403, 404, 422
   */
  async createIfAbsent(content: Content<T>): Promise<T | undefined> {
    const { namespace, name } = objectKeyOf(content);
    if (this.collection.latest().get(namespace, name) !== undefined) return undefined;
    try {
      return await this.create(content);
    } catch (error) {
      // another write came first
      if (isStatusError(error) && error.status.reason === 'AlreadyExists') return undefined;
      throw error;
    }
  }

  /**
   * Replaces the object, or its status. It must have the resourceVersion of the stored object.
   *
   * @throws StatusError 404, 409, 422
   */
  async update(content: Content<T>, part: 'main' | 'status' = 'main'): Promise<T> {
    const object = decodedObject(this.definition, content);
    return this.#written(await this.#update(objectKeyOf(content), part, () => object));
  }

  /**
   * Changes the object, or its status, in its newest state. Leaves out empty lists and zeros that Go would omit.
   *
   * @param change may change its argument
   * @throws StatusError 404, 422
   */
  async change(key: ObjectKey, change: (current: T) => T, part: 'main' | 'status' = 'main'): Promise<T> {
    return this.#written(await this.#change(key, change, part));
  }

  /** Changes an object like `change`, without decoding the stored object. */
  async modify(key: ObjectKey, change: (current: T) => T, part: 'main' | 'status' = 'main'): Promise<void> {
    await this.#change(key, change, part);
  }

  /** Changes an object like `modify`. Resolves with false if the object no longer exists. */
  async modifyIfPresent(key: ObjectKey, change: (current: T) => T, part?: 'main' | 'status'): Promise<boolean> {
    try {
      await this.modify(key, change, part);
      return true;
    } catch (error) {
      if (hasStatusCode(error, 404)) return false;
      throw error;
    }
  }

  #change(key: ObjectKey, change: (current: T) => T, part: 'main' | 'status'): Promise<WriteResult> {
    const { type } = this.definition;
    const pruned = (current?: KubeObject): KubeObject => type.prune(change(current as T), new PruneContext());
    return this.#update(key, part, pruned);
  }

  /**
   * Applies a configuration, and takes fields from other managers.
   *
   * @throws StatusError 404, 422
   */
  async apply(config: ApplyConfiguration, manager: string, part: 'main' | 'status' = 'main'): Promise<T> {
    const applied = { ...typeMetaOf(this.definition), ...config };
    return this.#written(await this.#update(objectKeyOf(config), part, new ForcedApply(applied, manager)));
  }

  /**
   * @param options the required uid, the grace period, and the propagation to dependents
   * @throws StatusError 404, 409
   */
  async delete(namespace: string, name: string, { uid, ...options }: DeleteOptions = {}): Promise<void> {
    const preconditions = uid === undefined ? undefined : { uid };
    await this.#store.delete(this.definition, { namespace, name, preconditions, ...options }, this.#writer);
  }

  #create(content: Content<T>): Promise<WriteResult> {
    const { namespace = '' } = content.metadata;
    const object = decodedObject(this.definition, content);
    return this.#store.create(this.definition, object, namespace, this.#writer);
  }

  #update({ namespace, name }: ObjectKey, part: 'main' | 'status', change: Change | Edit): Promise<WriteResult> {
    const subresource = part === 'main' ? '' : part;
    const request = { namespace, name, part, subresource, change, requireVersion: false };
    return this.#store.update(this.definition, request, this.#writer);
  }

  #written(result: WriteResult): T {
    if (result.kind === 'object') return result.object as T;
    return isStorageVersion(this.definition) ? (result.stored.shared() as T) : this.decode(result.stored);
  }
}

const typeMetaOf = (definition: ResourceDefinition) => ({
  apiVersion: formatGroupVersion(definition),
  kind: definition.kind,
});

/** Returns content in the form of a decoded request: pruned and with defaults. */
export function decodedObject(definition: ResourceDefinition, content: Pick<KubeObject, 'metadata'>): KubeObject {
  const { type } = definition;
  const typeMeta = typeMetaOf(definition);
  const object = { ...type.prune(cloneJson({ ...typeMeta, ...content }), new PruneContext()), ...typeMeta };
  withoutEventLoopBudget(() => type.setDefaults(object));
  return object;
}
