import type { GroupVersionKind } from '../machinery/gvk.ts';
import type { RegistryEntry, ResourceRegistry } from './registry.ts';

/** Finds the resource of a kind. (apimachinery pkg/api/meta RESTMapper) */
export class RESTMapper {
  readonly #registry: ResourceRegistry;
  readonly #refresh: ((group: string) => Promise<void>) | undefined;
  #generation = -1;
  #byKind = new Map<string, RegistryEntry>();

  /** @param refresh updates the custom resources of a group. Absent if they are followed */
  constructor(registry: ResourceRegistry, refresh?: (group: string) => Promise<void>) {
    this.#registry = registry;
    this.#refresh = refresh;
  }

  /** Returns undefined if no resource of the version has the kind. */
  mapping(kind: GroupVersionKind): RegistryEntry | undefined | Promise<RegistryEntry | undefined> {
    if (this.#refresh === undefined || this.#registry.isStatic(kind.group)) return this.#lookUp(kind);
    return this.#refresh(kind.group).then(() => this.#lookUp(kind));
  }

  #lookUp(kind: GroupVersionKind): RegistryEntry | undefined {
    const generation = this.#registry.generation();
    if (generation !== this.#generation) {
      this.#generation = generation;
      this.#byKind = new Map();
      for (const entry of this.#registry.entries()) {
        const key = keyOf(entry.facts);
        if (!this.#byKind.has(key)) this.#byKind.set(key, entry);
      }
    }
    return this.#byKind.get(keyOf(kind));
  }
}

const keyOf = ({ group, version, kind }: GroupVersionKind): string => `${group}/${version}/${kind}`;
