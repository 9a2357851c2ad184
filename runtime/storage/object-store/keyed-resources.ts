import type { StoredResource } from './contract.ts';
import { keyPrefix } from './keys.ts';
import { PrefixMap } from './prefix-map.ts';

/** What a key says of its object. */
export type KeyedResource = Pick<StoredResource, 'group' | 'resource' | 'resourcePrefix' | 'ttlSeconds'>;

/** Which resources keys are of. */
export class KeyedResources {
  readonly #root: string;
  readonly #known = new PrefixMap<KeyedResource>();

  /** @param known those whose prefix is not `<group>/<plural>` */
  constructor(root: string, known: readonly KeyedResource[]) {
    this.#root = root;
    for (const resource of known) this.add(resource);
  }

  add(resource: KeyedResource): void {
    this.#known.set(keyPrefix(resource, this.#root), resource);
  }

  /** The resource of a key that begins with the root. Other resources than those known are custom ones. */
  of(key: string): KeyedResource {
    return this.#known.find(key) ?? this.#custom(key);
  }

  #custom(key: string): KeyedResource {
    const [group = '', resource = ''] = key.slice(this.#root.length + 1).split('/', 2);
    return { group, resource, resourcePrefix: `${group}/${resource}` };
  }
}
