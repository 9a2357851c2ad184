import type { GroupVersionResource } from '../../machinery/gvk.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';

/** Returns the keys under which an object is found. */
type KeysOf<T> = (stored: StoredObject, decode: (stored: StoredObject) => T) => readonly string[];

/** The stored objects of a resource, by keys. It follows the store from its opening on. */
export class StoredIndex<T extends KubeObject> {
  readonly #decode: (stored: StoredObject) => T;
  readonly #byKey = new Map<string, Map<string, StoredObject>>();
  readonly #keys = new Map<string, readonly string[]>();

  private constructor(decode: (stored: StoredObject) => T) {
    this.#decode = decode;
  }

  /** @returns an empty index if the resource is not served */
  static async open<T extends KubeObject>(
    stores: ResourceStores,
    { group, version, resource }: GroupVersionResource,
    keysOf: KeysOf<T>,
  ): Promise<StoredIndex<T>> {
    if (!stores.serves(group, version, resource)) {
      return new StoredIndex<T>(() => {
        throw new Error('nothing is stored');
      });
    }
    const { collection, definition } = await stores.byResource(group, version, resource);
    const index = new StoredIndex<T>((stored) => definition.conversion.fromStorage(stored.decode()) as T);
    const snapshot = collection.latest();
    for (const stored of snapshot.scan()) index.#add(stored, keysOf);
    collection.watch({
      after: snapshot.revision,
      onEvent: ({ type, object }) => {
        index.#remove(object);
        if (type !== 'DELETED') index.#add(object, keysOf);
      },
    });
    return index;
  }

  /** Yields the objects with a key. */
  *of(key: string): Iterable<T> {
    for (const stored of this.#byKey.get(key)?.values() ?? []) yield this.#decode(stored);
  }

  #add(stored: StoredObject, keysOf: KeysOf<T>): void {
    const keys = keysOf(stored, this.#decode);
    if (keys.length === 0) return;
    const name = nameOf(stored);
    this.#keys.set(name, keys);
    for (const key of keys) {
      const there = this.#byKey.get(key) ?? new Map<string, StoredObject>();
      this.#byKey.set(key, there.set(name, stored));
    }
  }

  #remove(stored: StoredObject): void {
    const name = nameOf(stored);
    for (const key of this.#keys.get(name) ?? []) {
      const there = this.#byKey.get(key);
      there?.delete(name);
      if (there?.size === 0) this.#byKey.delete(key);
    }
    this.#keys.delete(name);
  }
}

const nameOf = ({ namespace, name }: StoredObject): string => `${namespace}/${name}`;
