import type { GroupResource } from '../../machinery/gvk.ts';
import type { Collection, ObjectStore, StoredResource, StoreStates } from './contract.ts';

/**
 * A store with some resources in other stores, which have their own revisions. The revision of the whole is the first
 * store's. (--etcd-servers-overrides)
 */
export class OverriddenObjectStore implements ObjectStore {
  readonly #store: ObjectStore;
  /** Stores by resourcePrefix. */
  readonly #overrides: ReadonlyMap<string, ObjectStore>;

  constructor(store: ObjectStore, overrides: ReadonlyMap<string, ObjectStore>) {
    this.#store = store;
    this.#overrides = overrides;
  }

  get isShared(): boolean {
    return this.#store.isShared;
  }

  /** The states of the first store. Other stores keep their objects, and a fork has none of these. */
  get states(): StoreStates | undefined {
    return this.#store.states;
  }

  collection(resource: StoredResource): Promise<Collection> {
    return this.#storeOf(resource).collection(resource);
  }

  forget(resource: Pick<StoredResource, 'resourcePrefix'>): void {
    this.#storeOf(resource).forget(resource);
  }

  hasObjects(resource: Pick<StoredResource, 'resourcePrefix'>): Promise<boolean> {
    return this.#storeOf(resource).hasObjects(resource);
  }

  onUnloadedWrite(listener: (resource: GroupResource | undefined) => void): () => void {
    const stops = this.#all().map((store) => store.onUnloadedWrite(listener));
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** Listens to the first store. */
  onCommit(listener: () => void): () => void {
    return this.#store.onCommit(listener);
  }

  revision(): number {
    return this.#store.revision();
  }

  compactedRevision(): number {
    return this.#store.compactedRevision();
  }

  /** Compacts the first store only. */
  compact(revision: number): Promise<void> {
    return this.#store.compact(revision);
  }

  async close(): Promise<void> {
    await Promise.all(this.#all().map((store) => store.close()));
  }

  #all(): readonly ObjectStore[] {
    return [this.#store, ...new Set(this.#overrides.values())];
  }

  #storeOf({ resourcePrefix }: Pick<StoredResource, 'resourcePrefix'>): ObjectStore {
    return this.#overrides.get(resourcePrefix) ?? this.#store;
  }
}
