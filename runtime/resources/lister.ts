import type { GroupVersionResource } from '../machinery/gvk.ts';
import type { KubeObject } from '../machinery/object.ts';
import type { ResourceDefinition } from '../machinery/resource.ts';
import type { Collection, StoredObject } from '../storage/object-store/contract.ts';
import type { ResourceStores } from './stores.ts';

/** How many decoded objects a lister keeps. */
const keptObjects = 4096;

/** The objects of one resource, decoded, for whoever asks often. They are shared and must not be changed. (client-go listers) */
export interface Lister<T extends KubeObject> {
  get(namespace: string, name: string): T | undefined;
  /**
   * In the order of their names. As long as no object of the resource changes, the same array is returned, and an object
   * that does not change stays the same one, so that both can be the keys of what is compiled from them.
   *
   * @param namespace default: all namespaces
   */
  list(namespace?: string): readonly T[];
}

/** Listers of built-in resources, opened on first use. */
export class Listers {
  readonly #stores: ResourceStores;
  readonly #follows: boolean;
  readonly #opened = new Map<string, Promise<Lister<KubeObject>>>();

  /** @param follows false for a store that cannot be watched, which is then read again for each list */
  constructor(stores: ResourceStores, follows: boolean) {
    this.#stores = stores;
    this.#follows = follows;
  }

  /** The lister of a resource that is not served is empty. */
  open<T extends KubeObject>(resource: GroupVersionResource): Promise<Lister<T>> {
    const key = `${resource.group}/${resource.version}/${resource.resource}`;
    let opening = this.#opened.get(key);
    if (opening === undefined) {
      opening = this.#open(resource);
      this.#opened.set(key, opening);
    }
    return opening as Promise<Lister<T>>;
  }

  async #open({ group, version, resource }: GroupVersionResource): Promise<Lister<KubeObject>> {
    if (!this.#stores.serves(group, version, resource)) return noObjects;
    const definition = await this.#stores.registry.definition({ group, version, resource });
    const { collection } = await this.#stores.of(definition);
    return new StoreLister(definition, collection, this.#follows);
  }
}

const noObjects: Lister<KubeObject> = { get: () => undefined, list: () => [] };

interface Decoded {
  readonly revision: number;
  readonly object: KubeObject;
}

class StoreLister implements Lister<KubeObject> {
  readonly #definition: ResourceDefinition;
  readonly #collection: Collection;
  readonly #follows: boolean;
  readonly #decoded = new Map<string, Decoded>();
  /** By namespace; `undefined` for all. Emptied when an object changes. */
  readonly #lists = new Map<string | undefined, readonly KubeObject[]>();

  constructor(definition: ResourceDefinition, collection: Collection, follows: boolean) {
    this.#definition = definition;
    this.#collection = collection;
    this.#follows = follows;
    if (!follows) return;
    const onEvent = (): void => this.#lists.clear();
    collection.watch({ after: collection.latest().revision, onEvent });
  }

  get(namespace: string, name: string): KubeObject | undefined {
    const stored = this.#collection.latest().get(namespace, name);
    return stored && this.#decode(stored);
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
    if (this.#decoded.size >= keptObjects) this.#decoded.clear();
    const object = this.#definition.conversion.fromStorage(stored.decode());
    this.#decoded.set(key, { revision: stored.revision, object });
    return object;
  }
}
