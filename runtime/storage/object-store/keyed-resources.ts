import type { StoredResource } from './contract.ts';
import { keyPrefix } from './keys.ts';
import { PrefixMap } from './prefix-map.ts';

/** The facts about an object that follow from its key. */
export type KeyedResource = Pick<StoredResource, 'group' | 'resource' | 'resourcePrefix' | 'ttlSeconds'>;

/** Finds the resources of keys. */
export class KeyedResources {
  readonly #root: string;
  readonly #known = new PrefixMap<KeyedResource>();

  /** @param known the resources whose prefix is not `<group>/<plural>` */
  constructor(root: string, known: readonly KeyedResource[]) {
    this.#root = root;
    for (const resource of known) this.add(resource);
  }

  add(resource: KeyedResource): void {
    this.#known.set(keyPrefix(resource, this.#root), resource);
  }

  /** Returns the resource of a key below the root. An unknown resource is a custom one. */
  of(key: string): KeyedResource {
    return this.#known.find(key) ?? this.#custom(key);
  }

  #custom(key: string): KeyedResource {
    const [group = '', resource = ''] = key.slice(this.#root.length + 1).split('/', 2);
    return { group, resource, resourcePrefix: `${group}/${resource}` };
  }
}
