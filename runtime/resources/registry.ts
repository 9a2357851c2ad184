import type { Catalog, GroupVersionCatalog } from '../machinery/catalog.ts';
import { formatGroupVersion, type GroupVersionResource } from '../machinery/gvk.ts';
import type { ResourceDefinition, ResourceFacts, TypeDefinition } from '../machinery/resource.ts';

/** One resource at one version: facts at once, the definition when its group-version is first loaded. */
export interface RegistryEntry {
  readonly facts: ResourceFacts;
  /** Undefined until `load` has resolved once. */
  definition?: ResourceDefinition;
  load(): Promise<ResourceDefinition>;
}

/** Everything that is served, from all catalogs, with one Map look-up a request. */
export class ResourceRegistry {
  readonly #entries = new Map<string, RegistryEntry>();
  readonly #catalogs: Catalog[] = [];
  readonly #listeners = new Set<() => void>();
  #generation = 0;

  /** @throws Error where a group-version is served already */
  add(catalog: Catalog): void {
    const served = new Set(this.groupVersions().map(formatGroupVersion));
    const twice = catalog.groupVersions.map(formatGroupVersion).find((name) => served.has(name));
    if (twice !== undefined) throw new Error(`two catalogs have the group-version ${twice}`);
    this.#catalogs.push(catalog);
    this.#generation++;
    for (const groupVersion of catalog.groupVersions) this.#addGroupVersion(groupVersion);
    for (const listener of this.#listeners) listener();
  }

  lookup(group: string, version: string, resource: string): RegistryEntry | undefined {
    return this.#entries.get(`${group}/${version}/${resource}`);
  }

  groupVersions(): readonly GroupVersionCatalog[] {
    return this.#catalogs.length === 1
      ? this.#catalogs[0].groupVersions
      : this.#catalogs.flatMap((catalog) => catalog.groupVersions);
  }

  /** Grows whenever what is served changes. */
  generation(): number {
    return this.#generation;
  }

  /** Calls `listener`, which must not throw, after every change of what is served; until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Types of meta/v1, by kind. */
  loadMeta(): Promise<Readonly<Record<string, TypeDefinition>>> {
    return this.#catalogs[0].loadMeta();
  }

  /** Paths of the OpenAPI v2 documents; what is served is all in one. */
  get openapiV2(): readonly string[] {
    return this.#catalogs.flatMap(({ openapiV2 }) => openapiV2 ?? []);
  }

  /** Loads the definition of a resource that is known to be served. */
  async definition({ group, version, resource }: GroupVersionResource): Promise<ResourceDefinition> {
    const entry = this.lookup(group, version, resource);
    if (entry === undefined) throw new Error(`${resource} of ${group}/${version} is not served`);
    return entry.definition ?? entry.load();
  }

  /** The definition of every stored resource; see storedEntries. */
  async storedDefinitions(): Promise<ResourceDefinition[]> {
    return Promise.all(this.storedEntries().map((entry) => entry.load()));
  }

  /** Every stored resource, each once, at its storage version where that is served. Loads nothing. */
  storedEntries(): RegistryEntry[] {
    const best = new Map<string, RegistryEntry>();
    for (const entry of this.#entries.values()) {
      const { facts } = entry;
      if (!facts.stored || facts.storageGroup !== undefined) continue;
      const key = `${facts.group}/${facts.resource}`;
      if (!best.has(key) || facts.version === facts.storageVersion) best.set(key, entry);
    }
    return [...best.values()];
  }

  /** Every resource and version that is served. Loads nothing. */
  entries(): Iterable<RegistryEntry> {
    return this.#entries.values();
  }

  /** Definitions of other groups that keep their objects with this resource, as events.k8s.io with core events. */
  async lodgers(group: string, resource: string): Promise<ResourceDefinition[]> {
    const found = [...this.#entries.values()].filter(
      ({ facts }) => facts.storageGroup === group && facts.group !== group && facts.resource === resource,
    );
    return Promise.all(found.map((entry) => entry.load()));
  }

  #addGroupVersion(groupVersion: GroupVersionCatalog): void {
    let loading: Promise<readonly ResourceDefinition[]> | undefined;
    groupVersion.resources.forEach((facts, index) => {
      const entry: RegistryEntry = {
        facts,
        async load() {
          if (entry.definition === undefined) {
            loading ??= groupVersion.load();
            entry.definition = (await loading)[index];
          }
          return entry.definition;
        },
      };
      this.#entries.set(`${groupVersion.group}/${groupVersion.version}/${facts.resource}`, entry);
    });
  }
}
