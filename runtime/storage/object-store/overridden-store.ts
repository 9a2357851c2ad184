import type { GroupResource } from '../../machinery/gvk.ts';
import type { Collection, ObjectStore, StoredResource, StoreStates } from './contract.ts';

/**
 * A store of which some resources lie in other stores, each with revisions of its own. The revision of the whole is that of
 * the first store. (--etcd-servers-overrides)
 */
export class OverriddenObjectStore implements ObjectStore {
  readonly #store: ObjectStore;
  /** By resourcePrefix. */
  readonly #overrides: ReadonlyMap<string, ObjectStore>;

  constructor(store: ObjectStore, overrides: ReadonlyMap<string, ObjectStore>) {
    this.#store = store;
    this.#overrides = overrides;
  }

  get isShared(): boolean {
    return this.#store.isShared;
  }

  /** Those of the first store: the others keep their objects, and a fork has none of them. */
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

  /** Of the first store. */
  onCommit(listener: () => void): () => void {
    return this.#store.onCommit(listener);
  }

  revision(): number {
    return this.#store.revision();
  }

  compactedRevision(): number {
    return this.#store.compactedRevision();
  }

  /** The revisions of the other stores are not touched. */
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
