import { type Authorizer, alwaysAllow } from '../auth/authorizer.ts';
import type { TokenVerifier } from '../auth/bearer-token.ts';
import type { Clock } from '../machinery/clock.ts';
import type { KubeObject } from '../machinery/object.ts';
import type { ResourceDefinition } from '../machinery/resource.ts';
import type { Collection, ObjectStore, StoredResource } from '../storage/object-store/contract.ts';
import { FieldManagers } from './field-managers.ts';
import type { HookTable, ResourceHooks } from './hooks.ts';
import type { ResourceRegistry } from './registry.ts';
import { ResourceStore } from './resource-store.ts';

export interface StoresOptions {
  readonly registry: ResourceRegistry;
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly hooks: HookTable;
  /** Answers access reviews. Default: everybody may do everything. */
  readonly authorizer?: Authorizer;
  /** Answer token reviews. Default: none. */
  readonly tokens?: readonly TokenVerifier[];
  /** Who tokens are for that name nobody, and who asks a token review that names nobody. Default: that does not count. */
  readonly audiences?: readonly string[];
}

/** Every resource's store, made when it is first asked for. One for all versions of a resource. */
export class ResourceStores {
  readonly registry: ResourceRegistry;
  readonly clock: Clock;
  readonly authorizer: Authorizer;
  readonly tokens: readonly TokenVerifier[];
  readonly audiences: readonly string[];
  readonly fieldManagers: FieldManagers;
  readonly #store: ObjectStore;
  readonly #hooks: HookTable;
  readonly #open = new Map<string, ResourceStore>();
  readonly #opening = new Map<string, Promise<ResourceStore>>();
  /** Rules of resources that come while the server runs. */
  readonly #liveHooks = new Map<string, ResourceHooks>();
  /** What collections ask for the values of field selectors, by store: it outlives definitions. */
  readonly #selectors = new Map<string, LiveSelector>();
  readonly #openListeners = new Set<(store: ResourceStore) => void>();

  constructor(options: StoresOptions) {
    const { registry, store, clock, hooks, authorizer = alwaysAllow, tokens = [], audiences = [] } = options;
    this.registry = registry;
    this.clock = clock;
    this.authorizer = authorizer;
    this.tokens = tokens;
    this.audiences = audiences;
    this.fieldManagers = new FieldManagers(registry, clock);
    this.#store = store;
    this.#hooks = hooks;
    registry.onChange((change) => {
      if (change !== undefined) this.#open.delete(`${change.group}/${change.resource}`);
    });
  }

  /** The newest revision of everything. */
  revision(): number {
    return this.#store.revision();
  }

  hooks(definition: Pick<ResourceDefinition, 'group' | 'resource' | 'storageGroup'>): ResourceHooks {
    const key = storeKey(definition);
    return this.#liveHooks.get(key) ?? this.#hooks[key] ?? {};
  }

  /** Rules of a resource that comes while the server runs, until they are taken back with undefined. */
  setHooks(group: string, resource: string, hooks: ResourceHooks | undefined): void {
    const key = `${group}/${resource}`;
    if (hooks === undefined) this.#liveHooks.delete(key);
    else this.#liveHooks.set(key, hooks);
    this.#open.delete(key);
  }

  /** The store, if it is open already: the fast way of a hot path. */
  opened(definition: ResourceDefinition): ResourceStore | undefined {
    return this.#open.get(storeKey(definition));
  }

  of(definition: ResourceDefinition): Promise<ResourceStore> {
    const key = storeKey(definition);
    const ready = this.#open.get(key);
    if (ready) return Promise.resolve(ready);
    let opening = this.#opening.get(key);
    if (opening === undefined) {
      opening = this.#openStore(key, definition);
      this.#opening.set(key, opening);
    }
    return opening;
  }

  /** The stores that are open so far. Objects can be written through these only. */
  allOpened(): readonly ResourceStore[] {
    return [...this.#open.values()];
  }

  /** Calls `listener`, which must not throw, with every store that is opened from now on, before anybody can use it. */
  onOpen(listener: (store: ResourceStore) => void): () => void {
    this.#openListeners.add(listener);
    return () => this.#openListeners.delete(listener);
  }

  /** Whether a resource has objects. Neither loads them nor opens its store. */
  holds({
    group,
    resource,
    storageGroup,
  }: Pick<ResourceDefinition, 'group' | 'resource' | 'storageGroup'>): Promise<boolean> {
    return this.#store.holds({ group: storageGroup ?? group, resource });
  }

  /** The store of a resource by name, at any served version of it. */
  async named(group: string, version: string, resource: string): Promise<ResourceStore> {
    return this.of(await this.registry.definition({ group, version, resource }));
  }

  async #openStore(key: string, asked: ResourceDefinition): Promise<ResourceStore> {
    try {
      const definition = await this.#atStorageVersion(asked);
      const collection: Collection = await this.#store.collection(await this.#storedResource(definition));
      const store = new ResourceStore({ collection, definition, hooks: this.hooks(definition), stores: this });
      // the resource may have changed while its objects were loaded
      if (this.#isServed(definition)) this.#open.set(key, store);
      for (const listener of this.#openListeners) listener(store);
      return store;
    } finally {
      this.#opening.delete(key);
    }
  }

  #isServed(definition: ResourceDefinition): boolean {
    const { storageGroup, group, version, resource } = definition;
    const entry = this.registry.lookup(storageGroup ?? group, version, resource);
    return entry?.ending === undefined || entry.definition === definition;
  }

  async #storedResource(definition: ResourceDefinition): Promise<StoredResource> {
    const { group, resource } = definition;
    const made = storedResource(definition, await this.registry.lodgers(group, resource));
    const key = storeKey(definition);
    const known = this.#selectors.get(key);
    if (known !== undefined && known.resource.namespaced !== made.namespaced) this.#store.forget(known.resource);
    else if (known !== undefined) {
      known.select = made.selectableFields;
      return known.resource;
    }
    const selector: LiveSelector = {
      select: made.selectableFields,
      resource: { ...made, selectableFields: (object) => selector.select(object) },
    };
    this.#selectors.set(key, selector);
    return selector.resource;
  }

  async #atStorageVersion(definition: ResourceDefinition): Promise<ResourceDefinition> {
    const group = definition.storageGroup ?? definition.group;
    const entry = this.registry.lookup(group, definition.storageVersion, definition.resource);
    return entry === undefined ? definition : entry.load();
  }
}

interface LiveSelector {
  select: StoredResource['selectableFields'];
  readonly resource: StoredResource;
}

function storeKey({
  group,
  resource,
  storageGroup,
}: Pick<ResourceDefinition, 'group' | 'resource' | 'storageGroup'>): string {
  return `${storageGroup ?? group}/${resource}`;
}

/**
 * Selectable values are computed from the stored form, which is that of the definition at the storage version; labels
 * that only another group's definition has, from its own form.
 */
function storedResource(definition: ResourceDefinition, lodgers: readonly ResourceDefinition[]): StoredResource {
  const fields = Object.entries(definition.selectableFields);
  const others = lodgers.map(({ selectableFields, conversion }) => ({
    conversion,
    fields: Object.entries(selectableFields).filter(([label]) => !Object.hasOwn(definition.selectableFields, label)),
  }));
  return {
    group: definition.storageGroup ?? definition.group,
    resource: definition.resource,
    namespaced: definition.namespaced,
    selectableFields(object: KubeObject) {
      const values: Record<string, string> = {};
      for (const [label, value] of fields) values[label] = value(object);
      for (const other of others) {
        const converted = other.conversion.fromStorage(structuredClone(object));
        for (const [label, value] of other.fields) values[label] = value(converted);
      }
      return values;
    },
  };
}
