import type { Clock } from '../machinery/clock.ts';
import { badRequest } from '../machinery/errors/status.ts';
import { quoteExcerpt } from '../machinery/go/quote.ts';
import type { KubeObject } from '../machinery/object.ts';
import type { ResourceDefinition } from '../machinery/resource.ts';
import type { Collection, CollectionSnapshot, StoredObject } from '../storage/object-store/contract.ts';
import { pathSegment } from '../structural/formats.ts';
import { ownWriteAdmission } from './admission.ts';
import { notFoundOrCorrupt } from './corrupt-objects.ts';
import { createObject, mayBeWritten } from './create.ts';
import { deleteObject } from './delete.ts';
import type { FieldManagers } from './field-managers.ts';
import type { GenericStore } from './generic-store.ts';
import { KeyQueue } from './key-queue.ts';
import type {
  DeleteRequest,
  DeleteResult,
  RESTStrategy,
  StandardStorage,
  StorageProvider,
  UpdateRequest,
  UpdateResult,
  WriteContext,
  WriteResult,
  Writer,
} from './rest.ts';
import { updateObject } from './update.ts';

export interface ResourceStoreOptions extends GenericStore {
  readonly clock: Clock;
  /** The other resources of the server, for strategies. */
  readonly stores: StorageProvider;
}

/** @throws StatusError 400 (apiserver registry/generic/registry/store.go NamespaceKeyFunc) */
export function checkPathSegment(name: string): void {
  const problems = pathSegment(name);
  if (problems.length > 0) throw badRequest(`Name parameter invalid: ${quoteExcerpt(name)}: ${problems.join(';')}`);
}

/**
 * The objects of one resource. Reads go to the collection. Writes run through the steps in create.ts, update.ts and
 * delete.ts. Writes to one object wait for each other, because a conflict would make them start over.
 */
export class ResourceStore implements GenericStore, StandardStorage {
  readonly collection: Collection;
  readonly definition: ResourceDefinition;
  readonly strategy: RESTStrategy;
  readonly fieldManagers: FieldManagers;
  readonly #clock: Clock;
  readonly #stores: StorageProvider;
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
   * The object as this server knows it.
   *
   * @throws StatusError 400 if the name cannot be a key, 404, 500 if the stored bytes cannot be read
   */
  get(namespace: string, name: string): StoredObject {
    return this.#objectOf(this.collection.latest(), namespace, name);
  }

  /** The object as it is now. @throws StatusError as `get` */
  async newest(namespace: string, name: string): Promise<StoredObject> {
    return this.#objectOf(await this.collection.mostRecent(), namespace, name);
  }

  #objectOf(snapshot: CollectionSnapshot, namespace: string, name: string): StoredObject {
    checkPathSegment(name);
    const stored = snapshot.get(namespace, name);
    if (stored === undefined) throw notFoundOrCorrupt(this.collection, this.definition, { namespace, name });
    return stored;
  }

  /** @param definition the version of the request and of `object` */
  create(definition: ResourceDefinition, object: KubeObject, namespace: string, writer: Writer): Promise<WriteResult> {
    const admitted = this.#admitted(definition, { namespace }, writer);
    const context = this.context(definition, namespace, admitted);
    return settled(admitted, () => createObject(this, object, context));
  }

  update(definition: ResourceDefinition, request: UpdateRequest, writer: Writer): Promise<UpdateResult> {
    const { namespace } = request;
    checkPathSegment(request.name);
    const admitted = this.#admitted(definition, request, writer);
    return this.#exclusively(request, admitted, () => updateObject(this, request, this.context(definition, namespace, admitted, request)));
  }

  delete(definition: ResourceDefinition, request: DeleteRequest, writer: Writer): Promise<DeleteResult> {
    checkPathSegment(request.name);
    const admitted = this.#admitted(definition, request, writer);
    return this.#exclusively(request, admitted, () => deleteObject(this, request, this.context(definition, request.namespace, admitted)));
  }

  /** Returns the writer with the admission of this write, if it is one of the server's own that has to be admitted. */
  #admitted(
    definition: ResourceDefinition,
    { namespace, name, subresource = '' }: { namespace: string; name?: string; subresource?: string },
    writer: Writer,
  ): Writer {
    const { admission } = this.#stores;
    if (!writer.isAdmitted || admission === undefined) return writer;
    return {
      ...writer,
      admission: ownWriteAdmission(admission, { definition, subresource, writer }, { namespace, name }),
    };
  }

  /** Runs `work` when no other write to the object is under way, or the others have ended their turns. */
  #exclusively<T>(
    { namespace, name }: { readonly namespace: string; readonly name: string },
    writer: Writer,
    work: () => Promise<T>,
  ): Promise<T> {
    return this.#queue.run(`${namespace}/${name}`, (yieldTurn) => {
      if (writer.admission) writer.admission.yieldTurn = yieldTurn;
      return settled(writer, work);
    });
  }

  context(
    definition: ResourceDefinition,
    namespace: string,
    writer: Writer,
    { part, subresource }: Pick<UpdateRequest, 'part' | 'subresource'> = { part: 'main' },
  ): WriteContext {
    const { user, dryRun, fieldManager, internal, admission, warn } = writer;
    const now = this.#clock.now();
    return {
      requireLeadership: writer.onlyAsLeader ? () => this.#requireLeadership() : undefined,
      definition,
      namespace,
      user,
      dryRun,
      fieldManager,
      internal,
      admission,
      now,
      part,
      subresource,
      stores: this.#stores,
      warn,
    };
  }

  /** A process that was paused finds out here that another one has taken over. */
  #requireLeadership(): void {
    if (this.#stores.leadership?.isLeading === false) throw new Error('this server is no longer the leader');
  }
}

/** Tells admission whether the write was stored, or may have been. */
async function settled<T>({ admission }: Writer, write: () => Promise<T>): Promise<T> {
  if (admission === undefined) return write();
  let stored = false;
  try {
    const result = await write();
    stored = true;
    return result;
  } catch (error) {
    stored = mayBeWritten(error);
    throw error;
  } finally {
    admission.settle(stored);
  }
}
