import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';

/** The running pods by address, as stored. It follows the store from its opening on. */
export class PodIndex {
  readonly #decode: (stored: StoredObject) => Pod;
  readonly #at = new Map<string, Map<string, StoredObject>>();

  private constructor(decode: (stored: StoredObject) => Pod) {
    this.#decode = decode;
  }

  static async open(stores: ResourceStores): Promise<PodIndex> {
    const { collection, definition } = await stores.byResource('', 'v1', 'pods');
    const index = new PodIndex((stored) => definition.conversion.fromStorage(stored.decode()) as Pod);
    const snapshot = collection.latest();
    for (const stored of snapshot.scan()) index.#add(stored);
    collection.watch({
      after: snapshot.revision,
      onEvent: ({ type, object, previous }) => {
        if (previous !== undefined) index.#remove(previous);
        if (type === 'DELETED') index.#remove(object);
        else index.#add(object);
      },
    });
    return index;
  }

  podsAt(address: string): readonly Pod[] {
    return [...(this.#at.get(address)?.values() ?? [])].map(this.#decode);
  }

  #add(stored: StoredObject): void {
    const address = addressOf(stored);
    if (address === undefined) return;
    const there = this.#at.get(address) ?? new Map<string, StoredObject>();
    this.#at.set(address, there.set(keyOf(stored), stored));
  }

  #remove(stored: StoredObject): void {
    const address = addressOf(stored);
    const there = address === undefined ? undefined : this.#at.get(address);
    if (address === undefined || there === undefined) return;
    there.delete(keyOf(stored));
    if (there.size === 0) this.#at.delete(address);
  }
}

/** Returns the address of a running pod, from the fields that need no decoding. */
function addressOf({ fields }: StoredObject): string | undefined {
  return fields['status.phase'] === 'Running' ? fields['status.podIP'] || undefined : undefined;
}

const keyOf = ({ namespace, name }: StoredObject): string => `${namespace}/${name}`;
