import type { KubeObject } from '../../machinery/object.ts';
import type { StoredObject } from '../object-store/contract.ts';

/** Finds a decoded object, of any revision. */
export type FindDecoded = (namespace: string, name: string) => KubeObject | undefined;

/**
 * The decoded objects of a collection that holders such as informers keep. Each revision is thus decoded once for all
 * readers. The cache itself holds bytes.
 */
export class DecodedObjects {
  readonly #holders = new Set<FindDecoded>();
  /** The object being delivered to watchers, until all holders have it. */
  #last: { readonly stored: StoredObject; readonly decoded: KubeObject } | undefined;

  get isHeld(): boolean {
    return this.#holders.size > 0;
  }

  hold(find: FindDecoded): () => void {
    this.#holders.add(find);
    return () => {
      this.#holders.delete(find);
      this.#last = undefined;
    };
  }

  of(stored: StoredObject): KubeObject {
    if (this.#holders.size === 0) return stored.decode();
    if (this.#last?.stored === stored) return this.#last.decoded;
    const { namespace, name } = stored;
    const resourceVersion = String(stored.revision);
    for (const find of this.#holders) {
      const held = find(namespace, name);
      if (held?.metadata.resourceVersion === resourceVersion) return held;
    }
    const decoded = stored.decode();
    this.#last = { stored, decoded };
    return decoded;
  }
}
