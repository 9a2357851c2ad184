import { formatGroupVersion } from '../../machinery/gvk.ts';
import type { RegistryEntry, ResourceRegistry } from '../../resources/registry.ts';

/** Resources by the apiVersion and kind that references name them by. */
export class KindIndex {
  readonly #registry: ResourceRegistry;
  readonly #entries = new Map<string, RegistryEntry>();
  #generation = -1;

  constructor(registry: ResourceRegistry) {
    this.#registry = registry;
  }

  find(apiVersion: string, kind: string): RegistryEntry | undefined {
    if (this.#generation !== this.#registry.generation()) this.#build();
    return this.#entries.get(`${apiVersion} ${kind}`);
  }

  #build(): void {
    this.#generation = this.#registry.generation();
    this.#entries.clear();
    for (const entry of this.#registry.entries()) {
      if (entry.facts.stored) this.#entries.set(`${formatGroupVersion(entry.facts)} ${entry.facts.kind}`, entry);
    }
  }
}
