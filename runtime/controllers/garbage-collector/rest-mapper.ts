import { formatGroupVersion, type GroupResource } from '../../machinery/gvk.ts';
import type { ResourceFacts } from '../../machinery/resource.ts';
import type { RegistryChange, RegistryEntry } from '../../resources/registry.ts';
import type { ResourceStore } from '../../resources/resource-store.ts';
import type { ResourceStores } from '../../resources/stores.ts';

/**
 * Maps the kinds of owner references and the resources of collections to their stores. Follows the registry; the cost
 * of a change does not depend on the number of served resources. (meta.RESTMapper)
 */
export class RESTMapper {
  readonly #stores: ResourceStores;
  readonly #byKind = new Map<string, RegistryEntry>();
  /** The versions of each resource. */
  readonly #byResource = new Map<string, Map<string, RegistryEntry>>();
  readonly #stop: () => void;

  constructor(stores: ResourceStores) {
    this.#stores = stores;
    for (const entry of stores.registry.entries()) this.#add(entry);
    this.#stop = stores.registry.onChange((change) => this.#onChange(change));
  }

  close(): void {
    this.#stop();
  }

  /** Returns undefined if the kind is not served. */
  async storeForKind(apiVersion: string, kind: string): Promise<ResourceStore | undefined> {
    return this.#open(this.#byKind.get(kindKey(apiVersion, kind)));
  }

  /** Returns undefined if the resource is no longer served. */
  async storeForResource({ group, resource }: GroupResource): Promise<ResourceStore | undefined> {
    const versions = [...(this.#byResource.get(`${group}/${resource}`)?.values() ?? [])];
    return this.#open(versions.find(({ facts }) => facts.version === facts.storageVersion) ?? versions[0]);
  }

  async #open(entry: RegistryEntry | undefined): Promise<ResourceStore | undefined> {
    return entry && this.#stores.open(entry.definition ?? (await entry.load()));
  }

  #onChange(change: RegistryChange | undefined): void {
    const { registry } = this.#stores;
    if (change === undefined) {
      for (const entry of registry.entries()) this.#add(entry);
      return;
    }
    const { group, version, resource } = change;
    const versions = this.#byResource.get(`${group}/${resource}`);
    const known = versions?.get(version);
    if (known !== undefined) {
      versions?.delete(version);
      const key = keyOf(known.facts);
      if (this.#byKind.get(key) === known) this.#byKind.delete(key);
    }
    const entry = registry.lookup(group, version, resource);
    if (entry !== undefined) this.#add(entry);
    else if (versions?.size === 0) this.#byResource.delete(`${group}/${resource}`);
  }

  #add(entry: RegistryEntry): void {
    const { facts } = entry;
    if (!facts.stored) return;
    this.#byKind.set(keyOf(facts), entry);
    // the objects of a cohabitating resource belong to the resource that stores them
    if (facts.storageGroup !== undefined) return;
    const key = `${facts.group}/${facts.resource}`;
    const versions = this.#byResource.get(key);
    if (versions === undefined) this.#byResource.set(key, new Map([[facts.version, entry]]));
    else versions.set(facts.version, entry);
  }
}

const kindKey = (apiVersion: string, kind: string): string => `${apiVersion} ${kind}`;
const keyOf = (facts: ResourceFacts): string => kindKey(formatGroupVersion(facts), facts.kind);
