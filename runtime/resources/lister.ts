import { BoundedMap } from '../machinery/collections/bounded-map.ts';
import { once } from '../machinery/event-loop/once.ts';
import type { GroupVersionResource } from '../machinery/gvk.ts';
import type { KubeObject } from '../machinery/object.ts';
import type { ResourceDefinition } from '../machinery/resource.ts';
import type { Collection, ObjectEvent, StoredObject } from '../storage/object-store/contract.ts';
import { liveLookup } from './live-lookup.ts';
import type { ResourceStores } from './stores.ts';

/** The least number of decoded objects that a lister keeps. */
const keptObjects = 4096;

/**
 * The decoded objects of one resource, for frequent reads. They are shared and must not be changed. (client-go listers)
 */
export interface Lister<T extends KubeObject> {
  get(namespace: string, name: string): T | undefined;
  /**
   * Returns an object like `get`. Looks for an unknown object in the store, where another server may have written it.
   */
  find(namespace: string, name: string): T | undefined | Promise<T | undefined>;
  /**
   * Returns the objects in the order of their names. Returns the same array until an object of the resource changes,
   * and the same object until it changes. Both can be the keys of values compiled from them.
   *
   * @param namespace default: all namespaces
   */
  list(namespace?: string): readonly T[];
}

/** The objects of one resource of another server, as far as this server has received them. */
export interface FollowedObjects<T extends KubeObject> extends Omit<Lister<T>, 'find'> {
  /** Resolves when all existing objects are known. Never resolves if they cannot be read. */
  readonly synced: Promise<void>;
}

/** Objects of another server did not arrive in time. */
export class NotReadyError extends Error {
  readonly isNotReadyError = true;
}

export function isNotReadyError(error: unknown): error is NotReadyError {
  return typeof error === 'object' && error !== null && (error as NotReadyError).isNotReadyError === true;
}

/**
 * The objects of the server behind which an aggregated server stands: namespaces, and other objects that admission
 * reads. (apiserver pkg/admission/initializer WantsExternalKubeInformerFactory and WantsExternalKubeClientSet)
 */
export interface ExternalObjects {
  /** Follows a resource from the first call on. */
  follow<T extends KubeObject>(resource: GroupVersionResource): FollowedObjects<T>;
  /**
   * Reads the current object from the other server.
   *
   * @throws StatusError if it does not exist; any error if the server cannot be reached
   */
  get(resource: GroupVersionResource, namespace: string, name: string): Promise<KubeObject>;
}

/** Milliseconds to wait until the objects of another server are known. (admission.Handler WaitForReady) */
const readyWait = 10_000;

/** Listers of built-in resources, opened on first use. */
export class Listers {
  /** The objects of the server behind which this one stands. Undefined if this server stands alone. */
  readonly external: ExternalObjects | undefined;
  readonly #stores: ResourceStores;
  /** Whether the store reports changes. False in worker threads, which only see the objects they read. */
  readonly follows: boolean;
  readonly #opened = new Map<string, () => Promise<Lister<KubeObject>>>();

  /** @param follows false for a store without watches, which is read again for each list */
  constructor(stores: ResourceStores, follows: boolean, external?: ExternalObjects) {
    this.#stores = stores;
    this.follows = follows;
    this.external = external;
  }

  /**
   * Returns a lister. For a resource that is not served, it has the other server's objects, if any.
   *
   * @throws NotReadyError if these objects do not arrive in time
   */
  open<T extends KubeObject>(resource: GroupVersionResource): Promise<Lister<T>> {
    const key = `${resource.group}/${resource.version}/${resource.resource}`;
    let opened = this.#opened.get(key);
    if (opened === undefined) {
      opened = once(() => this.#open(resource));
      this.#opened.set(key, opened);
    }
    return opened() as Promise<Lister<T>>;
  }

  async #open(wanted: GroupVersionResource): Promise<Lister<KubeObject>> {
    const { group, version, resource } = wanted;
    if (!this.#stores.serves(group, version, resource)) return this.external ? this.#follow(this.external, wanted) : noObjects;
    const definition = await this.#stores.registry.definition({ group, version, resource });
    const { collection } = await this.#stores.open(definition);
    return new StoreLister(definition, collection, this.follows);
  }

  #follow(external: ExternalObjects, resource: GroupVersionResource): Promise<Lister<KubeObject>> {
    const followed = external.follow(resource);
    return new Promise((resolve, reject) => {
      const cancel = this.#stores.clock.after(readyWait, () => reject(new NotReadyError(`${resource.resource} are not known yet`)));
      void followed.synced.then(() => {
        cancel();
        resolve({
          get: (namespace, name) => followed.get(namespace, name),
          find: (namespace, name) => followed.get(namespace, name),
          list: (namespace) => followed.list(namespace),
        });
      });
    });
  }
}

const noObjects: Lister<KubeObject> = { get: () => undefined, find: () => undefined, list: () => [] };

interface Decoded {
  readonly revision: number;
  readonly object: KubeObject;
}

class StoreLister implements Lister<KubeObject> {
  readonly #definition: ResourceDefinition;
  readonly #collection: Collection;
  readonly #follows: boolean;
  readonly #decoded = new BoundedMap<string, Decoded>(2 * keptObjects);
  /** Lists by namespace; `undefined` for all. Emptied when an object changes. */
  readonly #lists = new Map<string | undefined, readonly KubeObject[]>();

  constructor(definition: ResourceDefinition, collection: Collection, follows: boolean) {
    this.#definition = definition;
    this.#collection = collection;
    this.#follows = follows;
    if (!follows) return;
    const onEvent = ({ object: { namespace, name } }: ObjectEvent): void => {
      this.#lists.clear();
      this.#decoded.delete(`${namespace}/${name}`);
    };
    collection.watch({ after: collection.latest().revision, onEvent });
  }

  get(namespace: string, name: string): KubeObject | undefined {
    if (this.#follows) {
      // a change removes the object from this map
      const known = this.#decoded.get(`${namespace}/${name}`);
      if (known !== undefined) return known.object;
    }
    const stored = this.#collection.latest().get(namespace, name);
    return stored && this.#decode(stored);
  }

  find(namespace: string, name: string): KubeObject | undefined | Promise<KubeObject | undefined> {
    const known = this.get(namespace, name);
    if (known !== undefined) return known;
    const found = liveLookup(this.#collection, namespace, name);
    if (found instanceof Promise) return found.then((stored) => stored && this.#decode(stored));
    return found && this.#decode(found);
  }

  list(namespace?: string): readonly KubeObject[] {
    const known = this.#lists.get(namespace);
    if (known !== undefined) return known;
    const list = [...this.#collection.latest().scan({ namespace })].map((stored) => this.#decode(stored));
    if (this.#follows) this.#lists.set(namespace, list);
    return list;
  }

  #decode(stored: StoredObject): KubeObject {
    const key = `${stored.namespace}/${stored.name}`;
    const known = this.#decoded.get(key);
    if (known?.revision === stored.revision) return known.object;
    const object = this.#definition.conversion.fromStorage(stored.decode());
    this.#decoded.set(key, { revision: stored.revision, object });
    return object;
  }
}
