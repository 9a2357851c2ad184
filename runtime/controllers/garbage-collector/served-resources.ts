import { formatGroupVersion, type GroupResource } from '../../machinery/gvk.ts';
import type { RegistryEntry } from '../../resources/registry.ts';
import type { ResourceStore } from '../../resources/resource-store.ts';
import type { ResourceStores } from '../../resources/stores.ts';

/** The stores of resources as they are served now, by the names that references and collections have for them. */
export class ServedResources {
  readonly #stores: ResourceStores;
  readonly #byKind = new Map<string, RegistryEntry>();
  readonly #byResource = new Map<string, RegistryEntry>();
  #generation = -1;

  constructor(stores: ResourceStores) {
    this.#stores = stores;
  }

  /** Undefined where nothing of the kind is served. */
  async ofKind(apiVersion: string, kind: string): Promise<ResourceStore | undefined> {
    this.#refresh();
    return this.#open(this.#byKind.get(`${apiVersion} ${kind}`));
  }

  /** Undefined where the resource is not served any more. */
  async ofResource({ group, resource }: GroupResource): Promise<ResourceStore | undefined> {
    this.#refresh();
    return this.#open(this.#byResource.get(`${group}/${resource}`));
  }

  async #open(entry: RegistryEntry | undefined): Promise<ResourceStore | undefined> {
    return entry && this.#stores.of(entry.definition ?? (await entry.load()));
  }

  #refresh(): void {
    const { registry } = this.#stores;
    if (this.#generation === registry.generation()) return;
    this.#generation = registry.generation();
    this.#byKind.clear();
    this.#byResource.clear();
    for (const entry of registry.entries()) {
      if (entry.facts.stored) this.#byKind.set(`${formatGroupVersion(entry.facts)} ${entry.facts.kind}`, entry);
    }
    for (const entry of registry.storedEntries()) {
      this.#byResource.set(`${entry.facts.group}/${entry.facts.resource}`, entry);
    }
  }
}
