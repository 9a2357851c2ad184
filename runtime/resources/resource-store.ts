import type { Operation, Turn } from '../machinery/admission.ts';
import type { Clock } from '../machinery/clock.ts';
import { badRequest } from '../machinery/errors/status.ts';
import { quoteExcerpt } from '../machinery/go/quote.ts';
import type { KubeObject } from '../machinery/object.ts';
import type { ObjectKey } from '../machinery/object-key.ts';
import type { ResourceDefinition } from '../machinery/resource.ts';
import type { Collection, CollectionSnapshot, StoredObject } from '../storage/object-store/contract.ts';
import { pathSegment } from '../structural/formats.ts';
import { notFoundOrCorrupt } from './corrupt-objects.ts';
import type { FieldManagers } from './field-managers.ts';
import type {
  DeleteRequest,
  DeleteResult,
  RESTStorage,
  RESTStorageProvider,
  RESTStrategy,
  UpdateRequest,
  UpdateResult,
  WriteResult,
  Writer,
  WriteTarget,
} from './rest.ts';
import { type Creation, createObject } from './write/create.ts';
import { Deletion, deleteObject } from './write/delete.ts';
import { KeyQueue, ownTurn } from './write/key-queue.ts';
import { reportingOutcome } from './write/steps.ts';
import { updateObject } from './write/update.ts';
import { Write, type WritePlace } from './write/write.ts';

export interface ResourceStoreOptions extends Pick<RESTStorage, 'definition' | 'collection' | 'strategy' | 'fieldManagers'> {
  readonly clock: Clock;
  /** The other resources of the server, for strategies. */
  readonly stores: RESTStorageProvider;
}

/** @throws StatusError 400 (apiserver registry/generic/registry/store.go NamespaceKeyFunc) */
export function checkKey({ namespaced }: ResourceDefinition, namespace: string, name: string): void {
  if (namespaced && namespace === '') throw badRequest('Namespace parameter required.');
  const problems = pathSegment(name);
  if (problems.length > 0) throw badRequest(`Name parameter invalid: ${quoteExcerpt(name)}: ${problems.join(';')}`);
}

/**
 * The objects of one resource. Reads go to the collection. A Write runs the steps in write/create.ts, write/update.ts
 * or write/delete.ts. Writes to one object wait for each other, because a conflict would make them start over.
 * (genericregistry.Store)
 */
export class ResourceStore implements RESTStorage {
  readonly collection: Collection;
  readonly definition: ResourceDefinition;
  readonly strategy: RESTStrategy;
  readonly fieldManagers: FieldManagers;
  readonly #clock: Clock;
  readonly #stores: RESTStorageProvider;
  readonly #queue = new KeyQueue();

  constructor({ collection, definition, strategy, fieldManagers, clock, stores }: ResourceStoreOptions) {
    this.collection = collection;
    this.definition = definition;
    this.strategy = strategy;
    this.fieldManagers = fieldManagers;
    this.#clock = clock;
    this.#stores = stores;
  }

  /**
   * Returns the object in this server's latest snapshot of the collection, which may be older than the store.
   *
   * @throws StatusError 400 if the name cannot be a key, 404, 500 if the stored bytes cannot be read
   */
  get(namespace: string, name: string): StoredObject {
    return this.#objectOf(this.collection.latest(), namespace, name);
  }

  /**
   * Returns the object in the newest state of the store.
   *
   * @throws StatusError as `get`
   */
  async newest(namespace: string, name: string): Promise<StoredObject> {
    return this.#objectOf(await this.collection.mostRecent(), namespace, name);
  }

  #objectOf(snapshot: CollectionSnapshot, namespace: string, name: string): StoredObject {
    checkKey(this.definition, namespace, name);
    const stored = snapshot.get(namespace, name);
    if (stored === undefined) throw notFoundOrCorrupt(this.collection, this.definition, { namespace, name });
    return stored;
  }

  /** @param definition at the version of the request and of `object` */
  create(definition: ResourceDefinition, object: KubeObject, namespace: string, writer: Writer): Promise<WriteResult> {
    const write: Creation = this.write('CREATE', definition, { namespace }, writer);
    write.object = object;
    return reportingOutcome(write, () => createObject(write));
  }

  update(definition: ResourceDefinition, request: UpdateRequest, writer: Writer): Promise<UpdateResult> {
    return this.#inTurn(request, (turn) => {
      const write: Write<UpdateRequest> = new Write('UPDATE', definition, request, writer, this.#place(turn));
      return reportingOutcome(write, () => updateObject(write));
    });
  }

  delete(definition: ResourceDefinition, request: DeleteRequest, writer: Writer): Promise<DeleteResult> {
    return this.#inTurn(request, (turn) => {
      const write = new Deletion('DELETE', definition, request, writer, this.#place(turn));
      return reportingOutcome(write, () => deleteObject(write));
    });
  }

  /** Returns a write for callers that run its steps themselves. */
  write(operation: Operation, definition: ResourceDefinition, target: WriteTarget, writer: Writer): Write {
    return new Write(operation, definition, target, writer, this.#place());
  }

  /** Runs `work` when every earlier write to the object has ended or yielded its turn. */
  #inTurn<T>({ namespace, name }: ObjectKey, work: (turn: Turn) => Promise<T>): Promise<T> {
    checkKey(this.definition, namespace, name);
    return this.#queue.run(`${namespace}/${name}`, work);
  }

  #place(turn: Turn = ownTurn): WritePlace {
    return { store: this, stores: this.#stores, now: this.#clock.now(), turn };
  }
}
