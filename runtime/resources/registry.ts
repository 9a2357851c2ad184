import type { Catalog, GroupVersionCatalog, OpenApiPart } from '../machinery/catalog.ts';
import { formatGroupVersion, type GroupVersionKind, type GroupVersionResource } from '../machinery/gvk.ts';
import type { ResourceDefinition, ResourceFacts, TypeDefinition } from '../machinery/resource.ts';
import { Ending } from './ending.ts';
import { ServedGroups } from './served-groups.ts';

/** One resource at one version: facts at once, the definition when its group-version is first loaded. */
export interface RegistryEntry {
  readonly facts: ResourceFacts;
  /** Undefined until `load` has resolved once. */
  definition?: ResourceDefinition;
  load(): Promise<ResourceDefinition>;
  /** Absent where the resource is served as long as the server runs. */
  readonly ending?: Ending;
}

/** A resource at one version that comes, changes and goes while the server runs. */
export interface LiveResource {
  readonly facts: ResourceFacts;
  /** Called when the resource is first asked for; again only after it failed. */
  load(): Promise<ResourceDefinition>;
  readonly openapi?: OpenApiPart;
}

/** What a change of the registry was about; absent for whole catalogs. */
export type RegistryChange = GroupVersionResource;

/**
 * Everything that is served, with one Map look-up a request: catalogs, which stay, and resources that come and go. Both
 * can share a group, and a version of one; what a catalog has hides what comes later under the same name. The cost of
 * a change does not depend on how much is served.
 */
export class ResourceRegistry {
  readonly #entries = new Map<string, RegistryEntry>();
  readonly #catalogs: Catalog[] = [];
  readonly #groups = new ServedGroups();
  readonly #listeners = new Set<(change?: RegistryChange) => void>();
  #generation = 0;

  /** @throws Error where a group-version is served already */
  add(catalog: Catalog): void {
    const twice = catalog.groupVersions.find(({ group, version }) => this.serves(group, version));
    if (twice !== undefined) throw new Error(`two catalogs have the group-version ${formatGroupVersion(twice)}`);
    this.#catalogs.push(catalog);
    for (const groupVersion of catalog.groupVersions) this.#addGroupVersion(groupVersion);
    this.#changed();
  }

  /** Serves a resource, in place of the one of the same name that was put before. False where a catalog has it. */
  put(resource: LiveResource): boolean {
    const { group, version, resource: plural } = resource.facts;
    const key = `${group}/${version}/${plural}`;
    const known = this.#entries.get(key);
    if (known !== undefined && known.ending === undefined) return false;
    this.#entries.set(key, liveEntry(resource));
    this.#groups.put(resource);
    known?.ending?.end();
    this.#changed({ group, version, resource: plural });
    return true;
  }

  /** What discovery says of a resource that was put changes; the resource does not. */
  describe(facts: ResourceFacts): void {
    const { group, version, resource } = facts;
    const known = this.#entries.get(`${group}/${version}/${resource}`);
    if (known?.ending === undefined) return;
    (known as { facts: ResourceFacts }).facts = facts;
    this.#groups.describe(facts);
    this.#generation++;
  }

  /** Ends what `put` began: watches of the resource end, requests under way finish. */
  remove(group: string, version: string, resource: string): void {
    const key = `${group}/${version}/${resource}`;
    const known = this.#entries.get(key);
    if (known?.ending === undefined) return;
    this.#entries.delete(key);
    this.#groups.remove(group, version, resource);
    known.ending.end();
    this.#changed({ group, version, resource });
  }

  lookup(group: string, version: string, resource: string): RegistryEntry | undefined {
    return this.#entries.get(`${group}/${version}/${resource}`);
  }

  /** Whether anything of a group-version is served. */
  serves(group: string, version: string): boolean {
    return this.#groups.has(group, version);
  }

  /** In discovery order; within a group the preferred version first. */
  groupVersions(): readonly GroupVersionCatalog[] {
    return this.#groups.all();
  }

  /** Whether a catalog has the group; groups of what was put come and go. */
  lasts(group: string): boolean {
    return this.#catalogs.some(({ groupVersions }) => groupVersions.some((one) => one.group === group));
  }

  /** Whether a catalog has resources, or lists, of the kind. */
  hasKind({ group, version, kind }: GroupVersionKind): boolean {
    const bare = kind.replace(/List$/, '');
    return this.#catalogs.some(({ groupVersions }) =>
      groupVersions
        .find((one) => one.group === group && one.version === version)
        ?.resources.some((one) => one.kind === kind || one.kind === bare),
    );
  }

  /** Grows whenever what is served changes. */
  generation(): number {
    return this.#generation;
  }

  /**
   * Calls `listener`, which must not throw, after every change of what is served; until the returned function is called.
   */
  onChange(listener: (change?: RegistryChange) => void): () => void {
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

  /** A version of a resource whose objects are stored; undefined where none is served. */
  stored(group: string, resource: string): RegistryEntry | undefined {
    for (const entry of this.#entries.values()) {
      const { facts } = entry;
      if (facts.group !== group || facts.resource !== resource) continue;
      if (facts.stored && facts.storageGroup === undefined) return entry;
    }
    return undefined;
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
    const found = this.#lodgers.filter(
      ({ facts }) => facts.storageGroup === group && facts.group !== group && facts.resource === resource,
    );
    return Promise.all(found.map((entry) => entry.load()));
  }

  readonly #lodgers: RegistryEntry[] = [];

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
      if (facts.storageGroup !== undefined) this.#lodgers.push(entry);
    });
    this.#groups.add(groupVersion);
  }

  #changed(change?: RegistryChange): void {
    this.#generation++;
    for (const listener of this.#listeners) listener(change);
  }
}

function liveEntry(resource: LiveResource): RegistryEntry {
  let loading: Promise<ResourceDefinition> | undefined;
  const entry: RegistryEntry = {
    facts: resource.facts,
    ending: new Ending(),
    async load() {
      loading ??= resource.load();
      try {
        entry.definition ??= await loading;
      } catch (error) {
        loading = undefined;
        throw error;
      }
      return entry.definition;
    },
  };
  return entry;
}
