import { encodeJson } from '../../codec/json.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type {
  Collection,
  CollectionSnapshot,
  EncodedObject,
  ObjectStore,
  StoredObject,
  StoredResource,
} from '../../storage/object-store/contract.ts';
import { DetachedObject, type StoredObjectData } from '../../storage/object-store/detached-object.ts';
import { storedLength } from '../../storage/object-store/request-size.ts';
import { encodeStored } from '../../storage/object-store/stored-json.ts';
import type { RpcClient } from './rpc-client.ts';

/** The server's store from the view of a worker. Every read goes to the server and returns the newest state. */
export class RemoteStore implements ObjectStore {
  readonly #rpc: RpcClient;
  readonly #collections = new Map<string, RemoteCollection>();

  constructor(rpc: RpcClient) {
    this.#rpc = rpc;
  }

  async collection(resource: StoredResource): Promise<Collection> {
    const { resourcePrefix } = resource;
    let collection = this.#collections.get(resourcePrefix);
    if (collection === undefined) {
      collection = new RemoteCollection(this.#rpc, resource);
      this.#collections.set(resourcePrefix, collection);
    }
    return collection;
  }

  forget({ resourcePrefix }: Pick<StoredResource, 'resourcePrefix'>): void {
    this.#collections.delete(resourcePrefix);
  }

  async hasObjects({ resourcePrefix }: Pick<StoredResource, 'resourcePrefix'>): Promise<boolean> {
    return this.#rpc.hasObjects({ resourcePrefix });
  }

  get isShared(): boolean {
    return unsupported('isShared');
  }

  onCommit(): () => void {
    return unsupported('onCommit');
  }

  onUnloadedWrite(): () => void {
    return unsupported('onUnloadedWrite');
  }

  revision(): number {
    return this.#rpc.revision();
  }

  compactedRevision(): number {
    return unsupported('compactedRevision');
  }

  async compact(): Promise<void> {
    unsupported('compact');
  }

  async close(): Promise<void> {}
}

class RemoteCollection implements Collection {
  readonly resource: StoredResource;
  readonly #rpc: RpcClient;
  readonly #key: { readonly group: string; readonly resource: string };

  constructor(rpc: RpcClient, resource: StoredResource) {
    this.#rpc = rpc;
    this.resource = resource;
    this.#key = { group: resource.group, resource: resource.resource };
  }

  storageKey(namespace: string, name: string): string {
    return this.#rpc.storageKey(this.#key, namespace, name);
  }

  latest(): CollectionSnapshot {
    const rpc = this.#rpc;
    const key = this.#key;
    return {
      get revision() {
        return rpc.revision();
      },
      get: (namespace, name) => received(rpc.get(key, namespace, name)),
      scan: (options) => rpc.scan(key, options).map((each) => new DetachedObject(each)),
      count: (namespace) => rpc.scan(key, { namespace }).length,
      countAfter: (after, namespace) => rpc.scan(key, { namespace, after }).length,
    };
  }

  at(): CollectionSnapshot {
    return unsupported('at');
  }

  async notOlderThan(): Promise<CollectionSnapshot> {
    return this.latest();
  }

  mostRecent(): CollectionSnapshot {
    this.#rpc.mostRecent(this.#key);
    return this.latest();
  }

  progress(): number {
    return unsupported('progress');
  }

  corrupt(): readonly StoredObject[] {
    return this.#rpc.corrupt(this.#key).map((each) => new DetachedObject(each));
  }

  isStale({ namespace, name }: StoredObject): boolean {
    return this.#rpc.isStale(this.#key, namespace, name);
  }

  requireHistory(): void {
    unsupported('requireHistory');
  }

  watch(): () => void {
    return unsupported('watch');
  }

  holdDecoded(): () => void {
    return unsupported('holdDecoded');
  }

  create(object: KubeObject): Promise<StoredObject | undefined> {
    return this.put(this.#encode(object), 0);
  }

  update(object: KubeObject, expect: number): Promise<StoredObject | undefined> {
    return this.put(this.#encode(object), expect);
  }

  async put(encoded: EncodedObject, expect: number): Promise<StoredObject | undefined> {
    return received(this.#rpc.put(this.#key, encoded, expect));
  }

  async delete(namespace: string, name: string, expect: number): Promise<StoredObject | undefined> {
    return received(this.#rpc.delete(this.#key, namespace, name, expect));
  }

  #encode(object: KubeObject): EncodedObject {
    const { namespace = '', name = '', labels = {} } = object.metadata;
    const value = encodeStored(object, encodeJson);
    return {
      namespace,
      name,
      value,
      labels,
      selectable: this.resource.selectableFields(object),
      changesWhenRead: this.resource.changesWhenRead?.(object) ?? false,
      storedLength: storedLength(this.resource, object, value),
    };
  }
}

const received = (data: StoredObjectData | undefined): DetachedObject | undefined => data && new DetachedObject(data);

function unsupported(what: string): never {
  throw new Error(`worker threads do not implement ${what} of the store`);
}
