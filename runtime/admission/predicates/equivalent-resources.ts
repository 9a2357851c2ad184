import type { ResourceDefinition, ResourceFacts } from '../../machinery/resource.ts';
import type { RegistryEntry, ResourceRegistry } from '../../resources/registry.ts';

/**
 * Finds the resources with the same objects as another one: its other versions, and resources of other groups that
 * share its storage. (apimachinery pkg/runtime EquivalentResourceMapper)
 */
export class EquivalentResources {
  readonly #registry: ResourceRegistry;
  #generation = -1;
  /** Resources by the storage of their objects, only where there are several. */
  #entries = new Map<string, RegistryEntry[]>();

  constructor(registry: ResourceRegistry) {
    this.#registry = registry;
  }

  /** Returns all other resources with this subresource, in serving order. */
  of(definition: ResourceDefinition, subresource: string): RegistryEntry[] {
    this.#refresh();
    const { group, version } = definition;
    return (this.#entries.get(storageIdentity(definition)) ?? []).filter(
      ({ facts }) =>
        (facts.group !== group || facts.version !== version) &&
        (subresource === '' || facts.subresources.some(({ name }) => name === subresource)),
    );
  }

  #refresh(): void {
    const generation = this.#registry.generation();
    if (generation === this.#generation) return;
    this.#generation = generation;
    const all = new Map<string, RegistryEntry[]>();
    for (const entry of this.#registry.entries()) {
      const identity = storageIdentity(entry.facts);
      const known = all.get(identity);
      if (known === undefined) all.set(identity, [entry]);
      else known.push(entry);
    }
    this.#entries = new Map([...all].filter(([, entries]) => entries.length > 1));
  }
}

const storageIdentity = ({ group, resource, storageGroup }: Pick<ResourceFacts, 'group' | 'resource' | 'storageGroup'>) =>
  `${storageGroup ?? group}/${resource}`;
