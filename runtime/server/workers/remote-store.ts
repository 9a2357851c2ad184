import { encodeJson } from '../../codec/json.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type {
  Collection,
  EncodedObject,
  ObjectStore,
  Snapshot,
  StoredObject,
  StoredResource,
} from '../../storage/object-store/contract.ts';
import { DetachedObject, type StoredObjectData } from '../../storage/object-store/detached-object.ts';
import { encodeStored } from '../../storage/object-store/stored-json.ts';
import type { RemoteServer } from './remote-server.ts';

/** The server's store, for one request at a time: every read is of now, and nothing is followed or kept. */
export class RemoteStore implements ObjectStore {
  readonly #server: RemoteServer;
  readonly #collections = new Map<string, RemoteCollection>();

  constructor(server: RemoteServer) {
    this.#server = server;
  }

  async collection(resource: StoredResource): Promise<Collection> {
    const key = `${resource.group}/${resource.resource}`;
    let collection = this.#collections.get(key);
    if (collection === undefined) {
      collection = new RemoteCollection(this.#server, resource);
      this.#collections.set(key, collection);
    }
    return collection;
  }

  forget({ group, resource }: Pick<StoredResource, 'group' | 'resource'>): void {
    this.#collections.delete(`${group}/${resource}`);
  }

  async holds({ group, resource }: Pick<StoredResource, 'group' | 'resource'>): Promise<boolean> {
    return this.#server.holds({ group, resource });
  }

  revision(): number {
    return this.#server.revision();
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
  readonly #server: RemoteServer;
  readonly #key: { readonly group: string; readonly resource: string };

  constructor(server: RemoteServer, resource: StoredResource) {
    this.#server = server;
    this.resource = resource;
    this.#key = { group: resource.group, resource: resource.resource };
  }

  latest(): Snapshot {
    const server = this.#server;
    const key = this.#key;
    return {
      get revision() {
        return server.revision();
      },
      get: (namespace, name) => received(server.get(key, namespace, name)),
      scan: (options) => server.scan(key, options).map((each) => new DetachedObject(each)),
      count: (namespace) => server.scan(key, { namespace }).length,
      countAfter: (after, namespace) => server.scan(key, { namespace, after }).length,
    };
  }

  at(): Snapshot {
    return unsupported('at');
  }

  async notOlderThan(): Promise<Snapshot> {
    return this.latest();
  }

  mostRecent(): Snapshot {
    return this.latest();
  }

  corrupt(): readonly StoredObject[] {
    return this.#server.corrupt(this.#key).map((each) => new DetachedObject(each));
  }

  requireHistory(): void {
    unsupported('requireHistory');
  }

  watch(): () => void {
    return unsupported('watch');
  }

  create(object: KubeObject): Promise<StoredObject | undefined> {
    return this.put(this.#encode(object), 0);
  }

  update(object: KubeObject, expect: number): Promise<StoredObject | undefined> {
    return this.put(this.#encode(object), expect);
  }

  async put(encoded: EncodedObject, expect: number): Promise<StoredObject | undefined> {
    return received(this.#server.put(this.#key, encoded, expect));
  }

  async delete(namespace: string, name: string, expect: number): Promise<StoredObject | undefined> {
    return received(this.#server.delete(this.#key, namespace, name, expect));
  }

  #encode(object: KubeObject): EncodedObject {
    const { namespace = '', name = '', labels = {} } = object.metadata;
    const selectable = this.resource.selectableFields(object);
    return { namespace, name, value: encodeStored(object, encodeJson), labels, selectable };
  }
}

const received = (data: StoredObjectData | undefined): DetachedObject | undefined => data && new DetachedObject(data);

function unsupported(what: string): never {
  throw new Error(`a worker thread has no ${what} of the store`);
}
