import { hostname } from 'node:os';
import type { Admission } from '../machinery/admission.ts';
import type { Clock } from '../machinery/clock.ts';
import type { GroupResource } from '../machinery/gvk.ts';
import type { KubeObject } from '../machinery/object.ts';
import { type Random, systemRandom } from '../machinery/random.ts';
import type { ResourceDefinition, ResourceFacts } from '../machinery/resource.ts';
import { defaultRules, type ReleaseRules } from '../machinery/validation/rule-changes.ts';
import type { Collection, ObjectStore, StoredResource } from '../storage/object-store/contract.ts';
import { FieldManagers } from './field-managers.ts';
import type { ResourceRegistry } from './registry.ts';
import { ResourceStore } from './resource-store.ts';
import type { Leadership, RESTStorageProvider, RESTStrategies, RESTStrategy } from './rest.ts';
import type { ServiceNetwork } from './service-network.ts';
import { storedLengthOf } from './stored-length.ts';

/** The part of an object store that resources use. */
export type CollectionSource = Pick<ObjectStore, 'collection' | 'forget' | 'hasObjects' | 'isShared' | 'onUnloadedWrite' | 'revision'>;

export interface StoresOptions {
  readonly registry: ResourceRegistry;
  readonly store: CollectionSource;
  readonly clock: Clock;
  /** Default: the system's. */
  readonly random?: Random;
  /** The host of the server as named in objects. Default: the name of the machine. */
  readonly hostname?: string;
  /** The rules of the served release of Kubernetes. Default: those of the default release. */
  readonly rules?: ReleaseRules;
  /** The strategies of built-in resources and of API groups. */
  readonly strategies: RESTStrategies;
  /** Default: the server's own writes are all admitted. */
  readonly admission?: Admission;
  /** Default: this server always leads. */
  readonly leadership?: Leadership;
}

/** The store of each resource, opened on first use. All versions of a resource share one. */
export class ResourceStores implements RESTStorageProvider {
  readonly registry: ResourceRegistry;
  readonly clock: Clock;
  readonly random: Random;
  readonly hostname: string;
  readonly fieldManagers: FieldManagers;
  readonly rules: ReleaseRules;
  readonly admission: Admission | undefined;
  readonly leadership: Leadership | undefined;
  /** The network of services and pods, if it is not the host's. */
  network: ServiceNetwork | undefined;
  readonly #store: CollectionSource;
  readonly #strategies: RESTStrategies;
  readonly #opened = new Map<string, ResourceStore>();
  readonly #opening = new Map<string, Promise<ResourceStore>>();
  /** Strategies of dynamic resources. */
  readonly #dynamicStrategies = new Map<string, RESTStrategy>();
  readonly #storedResources = new Map<string, UpdatableResource>();
  readonly #openListeners = new Set<(store: ResourceStore) => void>();

  constructor(options: StoresOptions) {
    const { registry, store, clock, random = systemRandom, strategies } = options;
    this.registry = registry;
    this.clock = clock;
    this.random = random;
    this.hostname = options.hostname ?? hostname();
    this.fieldManagers = new FieldManagers(registry, clock);
    this.rules = options.rules ?? defaultRules;
    this.admission = options.admission;
    this.leadership = options.leadership;
    this.#store = store;
    this.#strategies = strategies;
    registry.onChange((change) => {
      if (change !== undefined) this.#opened.delete(`${change.group}/${change.resource}`);
    });
  }

  /** Reports whether other processes may write to the same store. */
  get isShared(): boolean {
    return this.#store.isShared;
  }

  /** Returns the newest revision in the store. */
  revision(): number {
    return this.#store.revision();
  }

  strategy(definition: Pick<ResourceDefinition, 'group' | 'resource' | 'storageGroup'>): RESTStrategy {
    const key = storeKey(definition);
    return this.#dynamicStrategies.get(key) ?? this.#strategies[key] ?? {};
  }

  /** Sets the strategy of a dynamic resource; undefined removes it. */
  setStrategy(group: string, resource: string, strategy: RESTStrategy | undefined): void {
    const key = `${group}/${resource}`;
    if (strategy === undefined) this.#dynamicStrategies.delete(key);
    else this.#dynamicStrategies.set(key, strategy);
    this.#opened.delete(key);
  }

  /** Returns the store if it is already open. Synchronous, for hot paths. */
  ifOpen(definition: ResourceDefinition): ResourceStore | undefined {
    return this.#opened.get(storeKey(definition));
  }

  /** Returns the store, and opens it on the first call. */
  open(definition: ResourceDefinition): Promise<ResourceStore> {
    const key = storeKey(definition);
    const opened = this.#opened.get(key);
    if (opened) return Promise.resolve(opened);
    let opening = this.#opening.get(key);
    if (opening === undefined) {
      opening = this.#openStore(key, definition);
      this.#opening.set(key, opening);
    }
    return opening;
  }

  /** Returns the open stores. Objects are only written through open stores. */
  allOpen(): readonly ResourceStore[] {
    return [...this.#opened.values()];
  }

  /**
   * Calls `listener` with every store that opens from now on, before its first use. The returned function ends that.
   * The listener must not throw.
   */
  onOpen(listener: (store: ResourceStore) => void): () => void {
    this.#openListeners.add(listener);
    return () => this.#openListeners.delete(listener);
  }

  /**
   * Calls `listener` when another server has written to a resource whose store is not open, or with undefined if that
   * may be any resource. Does nothing if no other server writes to the store. The returned function ends that.
   */
  onUnopenedWrite(listener: (resource: GroupResource | undefined) => void): () => void {
    return this.isShared ? this.#store.onUnloadedWrite(listener) : () => undefined;
  }

  /** Reports whether a resource has objects. Does not load them or open the store. */
  hasObjects(resource: Pick<ResourceFacts, 'resourcePrefix'>): Promise<boolean> {
    return this.#store.hasObjects(resource);
  }

  serves(group: string, version: string, resource: string): boolean {
    return this.registry.lookup(group, version, resource) !== undefined;
  }

  /**
   * Returns the store of a resource by any of its served versions.
   *
   * @throws Error if the resource is not served
   */
  async byResource(group: string, version: string, resource: string): Promise<ResourceStore> {
    return this.open(await this.registry.definition({ group, version, resource }));
  }

  internalCollection(resource: StoredResource): Promise<Collection> {
    return this.#store.collection(resource);
  }

  async #openStore(key: string, requested: ResourceDefinition): Promise<ResourceStore> {
    try {
      const definition = await this.#atStorageVersion(requested);
      const collection: Collection = await this.#store.collection(await this.#storedResource(definition));
      const store = new ResourceStore({
        collection,
        definition,
        strategy: this.strategy(definition),
        fieldManagers: this.fieldManagers,
        clock: this.clock,
        stores: this,
      });
      // the resource may have changed while its collection was loaded
      if (this.#isServed(definition)) this.#opened.set(key, store);
      for (const listener of this.#openListeners) listener(store);
      return store;
    } finally {
      this.#opening.delete(key);
    }
  }

  #isServed(definition: ResourceDefinition): boolean {
    const { storageGroup, group, version, resource } = definition;
    const entry = this.registry.lookup(storageGroup ?? group, version, resource);
    return entry?.stopSignal === undefined || entry.definition === definition;
  }

  async #storedResource(definition: ResourceDefinition): Promise<StoredResource> {
    const { group, resource } = definition;
    const strategy = this.strategy(definition);
    const cohabitating = await this.registry.cohabitatingResources(group, resource);
    const current = {
      ...storedResource(definition, cohabitating),
      ttlSeconds: strategy.ttlSeconds,
      isUncached: strategy.isUncached,
      storedLength: storedLengthOf(definition, strategy),
    };
    const key = storeKey(definition);
    const known = this.#storedResources.get(key);
    if (known !== undefined && known.resource.namespaced === current.namespaced) {
      known.current = current;
      return known.resource;
    }
    if (known !== undefined) this.#store.forget(known.resource);
    const updatable: UpdatableResource = {
      current,
      resource: {
        ...current,
        selectableFields: (object) => updatable.current.selectableFields(object),
        changesWhenRead: (object) => updatable.current.changesWhenRead?.(object) ?? false,
      },
    };
    this.#storedResources.set(key, updatable);
    return updatable.resource;
  }

  async #atStorageVersion(definition: ResourceDefinition): Promise<ResourceDefinition> {
    const group = definition.storageGroup ?? definition.group;
    const entry = this.registry.lookup(group, definition.storageVersion, definition.resource);
    return entry === undefined ? definition : entry.load();
  }
}

/** A collection keeps its StoredResource. Its functions change with the definition of a custom resource. */
interface UpdatableResource {
  current: StoredResource;
  readonly resource: StoredResource;
}

function storeKey({ group, resource, storageGroup }: Pick<ResourceDefinition, 'group' | 'resource' | 'storageGroup'>): string {
  return `${storageGroup ?? group}/${resource}`;
}

/**
 * Selectable fields are computed from the stored object, at the definition's version. Fields of cohabitating resources
 * are computed at their version.
 */
function storedResource(definition: ResourceDefinition, cohabitating: readonly ResourceDefinition[]): StoredResource {
  const fields = Object.entries(definition.selectableFields);
  const others = cohabitating.map(({ selectableFields, conversion }) => ({
    conversion,
    fields: Object.entries(selectableFields).filter(([label]) => !Object.hasOwn(definition.selectableFields, label)),
  }));
  return {
    group: definition.storageGroup ?? definition.group,
    resource: definition.resource,
    resourcePrefix: definition.resourcePrefix,
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
    changesWhenRead: (object) => definition.decoder?.changesWhenRead(object) ?? false,
  };
}
