import type { Catalog, GroupVersionCatalog } from '../machinery/catalog.ts';
import { elementAt } from '../machinery/collections/element-at.ts';
import { once } from '../machinery/event-loop/once.ts';
import { pendingWork } from '../machinery/event-loop/pending-work.ts';
import { formatGroupVersion, type GroupVersionKind, type GroupVersionResource } from '../machinery/gvk.ts';
import type { ResourceDefinition, ResourceFacts, TypeDefinition } from '../machinery/resource.ts';
import { isKindOfEveryVersion } from './decoding/meta-kinds.ts';
import { type DynamicResource, ServedGroups } from './served-groups.ts';
import { StopSignal } from './stop-signal.ts';

/** A resource at one version. Its facts are known at once; its definition loads with its group-version. */
export interface RegistryEntry {
  readonly facts: ResourceFacts;
  /** Undefined until `load` has resolved once. */
  definition?: ResourceDefinition;
  load(): Promise<ResourceDefinition>;
  /** Stops when a dynamic resource is no longer served. Absent for resources of catalogs, which are always served. */
  readonly stopSignal?: StopSignal;
}

/** The resource that has changed. */
export type RegistryChange = GroupVersionResource;

/**
 * All served resources: permanent ones of catalogs, and dynamic ones. A request costs one Map look-up. Catalogs and
 * dynamic resources may share a group and a group-version. A catalog's resource hides a dynamic one of the same name.
 * The cost of a change does not depend on the number of served resources.
 */
export class ResourceRegistry {
  readonly #entries = new Map<string, RegistryEntry>();
  readonly #catalogs: Catalog[] = [];
  readonly #groups = new ServedGroups();
  readonly #listeners = new Set<(change?: RegistryChange) => void>();
  #generation = 0;

  /** @throws Error if a group-version is already served */
  add(catalog: Catalog): void {
    const twice = catalog.groupVersions.find(({ group, version }) => this.serves(group, version));
    if (twice !== undefined) throw new Error(`two catalogs have the group-version ${formatGroupVersion(twice)}`);
    this.#catalogs.push(catalog);
    for (const groupVersion of catalog.groupVersions) this.#addGroupVersion(groupVersion);
    this.#changed();
  }

  /** Serves a dynamic resource, replacing one of the same name. Returns false if a catalog has the name. */
  put(resource: DynamicResource): boolean {
    const { group, version, resource: plural } = resource.facts;
    const key = `${group}/${version}/${plural}`;
    const known = this.#entries.get(key);
    if (known !== undefined && known.stopSignal === undefined) return false;
    this.#entries.set(key, dynamicEntry(resource));
    this.#groups.put(resource);
    known?.stopSignal?.stop();
    this.#changed({ group, version, resource: plural });
    return true;
  }

  /** Changes the discovery facts of a dynamic resource. Its watches go on. */
  updateFacts(facts: ResourceFacts): void {
    const { group, version, resource } = facts;
    const known = this.#entries.get(`${group}/${version}/${resource}`);
    if (known?.stopSignal === undefined) return;
    (known as { facts: ResourceFacts }).facts = facts;
    this.#groups.updateFacts(facts);
    this.#generation++;
  }

  /** Stops serving a dynamic resource: its watches end, requests under way finish. */
  remove(group: string, version: string, resource: string): void {
    const key = `${group}/${version}/${resource}`;
    const known = this.#entries.get(key);
    if (known?.stopSignal === undefined) return;
    this.#entries.delete(key);
    this.#groups.remove(group, version, resource);
    known.stopSignal.stop();
    this.#changed({ group, version, resource });
  }

  lookup(group: string, version: string, resource: string): RegistryEntry | undefined {
    return this.#entries.get(`${group}/${version}/${resource}`);
  }

  /** Reports whether a group-version has any resources. */
  serves(group: string, version: string): boolean {
    return this.#groups.has(group, version);
  }

  /** Returns group-versions in discovery order. Within a group, the preferred version comes first. */
  groupVersions(): readonly GroupVersionCatalog[] {
    return this.#groups.all();
  }

  /** Reports whether a catalog has the group. Such a group is always served. */
  isStatic(group: string): boolean {
    return this.#catalogs.some(({ groupVersions }) => groupVersions.some((one) => one.group === group));
  }

  /** Reports whether a catalog has resources or lists of the kind, or recognizes it otherwise. */
  hasKind(gvk: GroupVersionKind): boolean {
    const { group, version, kind } = gvk;
    return this.#catalogs.some(({ groupVersions, recognizes }) => {
      if (recognizes?.(gvk)) return true;
      const found = groupVersions.find((one) => one.group === group && one.version === version);
      if (found === undefined) return false;
      return (
        isKindOfEveryVersion(kind) ||
        found.resources.some((one) => one.kind === kind || (one.listKind === kind && one.verbs.includes('list')))
      );
    });
  }

  /** Returns a number that increases with every change of the served resources. */
  generation(): number {
    return this.#generation;
  }

  /**
   * Calls `listener` after every change of the served resources, without argument if a catalog was added. The returned
   * function ends that. The listener must not throw.
   */
  onChange(listener: (change?: RegistryChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Loads the types of meta/v1, by kind. */
  loadMeta(): Promise<Readonly<Record<string, TypeDefinition>>> {
    return elementAt(this.#catalogs, 0).loadMeta();
  }

  /** Paths of the catalogs' OpenAPI v2 documents, which are served as one document. */
  get openapiV2(): readonly string[] {
    return this.#catalogs.flatMap(({ openapiV2 }) => openapiV2 ?? []);
  }

  /**
   * Loads the definition of a resource.
   *
   * @throws Error if the resource is not served
   */
  async definition({ group, version, resource }: GroupVersionResource): Promise<ResourceDefinition> {
    const entry = this.lookup(group, version, resource);
    if (entry === undefined) throw new Error(`${resource} of ${group}/${version} is not served`);
    return entry.definition ?? entry.load();
  }

  /** Loads the definition of each of `storedEntries`. */
  async storedDefinitions(): Promise<ResourceDefinition[]> {
    return Promise.all(this.storedEntries().map((entry) => entry.load()));
  }

  /** Returns any served version of a stored resource; undefined if none is served. */
  stored(group: string, resource: string): RegistryEntry | undefined {
    for (const entry of this.#entries.values()) {
      const { facts } = entry;
      if (facts.group !== group || facts.resource !== resource) continue;
      if (facts.stored && facts.storageGroup === undefined) return entry;
    }
    return undefined;
  }

  /** Returns every stored resource once, at its storage version if that is served. Loads nothing. */
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

  /** Returns every served version of every resource. Loads nothing. */
  entries(): Iterable<RegistryEntry> {
    return this.#entries.values();
  }

  /**
   * Returns definitions of other groups that share this resource's storage, as events.k8s.io shares the storage of core
   * events. (apiserver pkg/server/storage AddCohabitatingResources)
   */
  async cohabitatingResources(group: string, resource: string): Promise<ResourceDefinition[]> {
    const found = this.#cohabitating.filter(
      ({ facts }) => facts.storageGroup === group && facts.group !== group && facts.resource === resource,
    );
    return Promise.all(found.map((entry) => entry.load()));
  }

  readonly #cohabitating: RegistryEntry[] = [];

  #addGroupVersion(groupVersion: GroupVersionCatalog): void {
    for (const [key, entry] of catalogEntries(groupVersion)) {
      this.#entries.set(key, entry);
      if (entry.facts.storageGroup !== undefined) this.#cohabitating.push(entry);
    }
    this.#groups.add(groupVersion);
  }

  #changed(change?: RegistryChange): void {
    this.#generation++;
    for (const listener of this.#listeners) listener(change);
  }
}

type KeyedEntry = readonly [key: string, entry: RegistryEntry];

/** The entries of a group-version, shared by a server and its forks: they do not depend on a server. */
const entriesOf = new WeakMap<GroupVersionCatalog, readonly KeyedEntry[]>();

function catalogEntries(groupVersion: GroupVersionCatalog): readonly KeyedEntry[] {
  let entries = entriesOf.get(groupVersion);
  if (entries === undefined) {
    entries = newCatalogEntries(groupVersion);
    entriesOf.set(groupVersion, entries);
  }
  return entries;
}

function newCatalogEntries(groupVersion: GroupVersionCatalog): KeyedEntry[] {
  const { group, version, resources } = groupVersion;
  const definitions = once(() => pendingWork.await(groupVersion.load()));
  return resources.map((facts, index) => {
    const entry: RegistryEntry = {
      facts,
      async load() {
        entry.definition ??= elementAt(await definitions(), index);
        return entry.definition;
      },
    };
    return [`${group}/${version}/${facts.resource}`, entry];
  });
}

function dynamicEntry(resource: DynamicResource): RegistryEntry {
  const definition = once(() => resource.load());
  const entry: RegistryEntry = {
    facts: resource.facts,
    stopSignal: new StopSignal(),
    async load() {
      entry.definition ??= await definition();
      return entry.definition;
    },
  };
  return entry;
}
