import { hasStatusCode } from '../../machinery/errors/status.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { PruneContext } from '../../machinery/prune/context.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { writerOfController } from '../../reconcile/controller-writer.ts';
import { type SyncResult, WorkQueue } from '../../reconcile/work-queue.ts';
import type { ResourceStore } from '../../resources/resource-store.ts';
import type { Writer } from '../../resources/rest.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { Collection, StoredObject } from '../../storage/object-store/contract.ts';
import type { ControllerContext } from '../controller-context.ts';

/** An object that every namespace should have. */
export interface NamespaceObject<T extends KubeObject = KubeObject> {
  /** The plural of a core/v1 resource. */
  readonly resource: string;
  readonly name: string;
  /** The controller's own service account. */
  readonly serviceAccount: string;
  /** The new object without apiVersion, kind and name. */
  readonly content: Omit<T, 'metadata'> & { readonly metadata?: T['metadata'] };
  /** Restores the content of an existing object. Absent if any content is allowed. */
  restore?(object: T): void;
}

/** The maximum number of objects for which the start waits. */
const maxFirst = 100;

/** Creates an object in every active namespace, and recreates it after a deletion. */
export class NamespaceObjectController implements Controller {
  readonly #stores: ResourceStores;
  readonly #desired: NamespaceObject;
  readonly #writer: Writer;
  readonly #queue: WorkQueue<string>;
  readonly #stops: (() => void)[] = [];
  #namespaces: Collection | undefined;
  #closed = false;

  constructor({ stores, logger }: ControllerContext, desired: NamespaceObject) {
    this.#stores = stores;
    this.#desired = desired;
    this.#writer = writerOfController(desired.serviceAccount);
    this.#queue = new WorkQueue({
      clock: stores.clock,
      concurrency: 5,
      keyOf: (name) => name,
      work: (name) => this.#sync(name),
      report: (err) => logger.error({ err }, `${desired.resource} ${desired.name} could not be created, which will be retried`),
    });
  }

  async start(): Promise<void> {
    const { resource, name } = this.#desired;
    if (!this.#stores.serves('', 'v1', 'namespaces') || !this.#stores.serves('', 'v1', resource)) return;
    const namespaces = await this.#stores.byResource('', 'v1', 'namespaces');
    const objects = await this.#stores.byResource('', 'v1', resource);
    if (this.#closed) return;
    this.#namespaces = namespaces.collection;
    const snapshot = this.#namespaces.latest();
    const missing: string[] = [];
    for (const namespace of snapshot.scan()) {
      if (objects.collection.latest().get(namespace.name, name) === undefined) missing.push(namespace.name);
      else this.#enqueue(namespace);
    }
    const after = snapshot.revision;
    this.#stops.push(
      this.#namespaces.watch({
        after,
        onEvent: ({ type, object }) => {
          if (type !== 'DELETED') this.#enqueue(object);
        },
      }),
      objects.collection.watch({ name, after, onEvent: ({ object }) => this.#queue.add(object.namespace) }),
    );
    await this.#syncFirst(missing);
  }

  /**
   * Creates the first objects, so that a new server is complete when it is ready. The queue retries failures, and
   * creates the rest.
   */
  async #syncFirst(namespaces: readonly string[]): Promise<void> {
    for (const name of namespaces.slice(maxFirst)) this.#queue.add(name);
    const sync = (name: string) => this.#sync(name).catch(() => this.#queue.add(name));
    await Promise.all(namespaces.slice(0, maxFirst).map(sync));
  }

  get isIdle(): boolean {
    return this.#queue.isIdle;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const stop of this.#stops) stop();
    await this.#queue.close();
  }

  #enqueue({ name, fields }: StoredObject): void {
    if (fields['status.phase'] !== 'Terminating') this.#queue.add(name);
  }

  async #sync(namespace: string): Promise<SyncResult> {
    const store = await this.#stores.byResource('', 'v1', this.#desired.resource);
    const found = this.#namespaces?.latest().get('', namespace);
    if (found === undefined || found.fields['status.phase'] === 'Terminating') return 'done';
    const present = store.collection.latest().get(namespace, this.#desired.name);
    try {
      if (present === undefined) await this.#create(store, namespace);
      else if (this.#desired.restore) await this.#restore(store, namespace, this.#desired.restore);
      return 'done';
    } catch (error) {
      // the namespace is terminating, or another write came first: an event will follow
      if (hasStatusCode(error, 403, 404, 409)) return 'done';
      throw error;
    }
  }

  async #create(store: ResourceStore, namespace: string): Promise<void> {
    const { definition } = store;
    const { content, name } = this.#desired;
    const unpruned = {
      apiVersion: 'v1',
      kind: definition.kind,
      ...content,
      metadata: { ...content.metadata, name, namespace },
    };
    const object = {
      ...definition.type.prune(structuredClone(unpruned), new PruneContext()),
      apiVersion: 'v1',
      kind: definition.kind,
    };
    definition.type.setDefaults(object);
    await store.create(definition, object, namespace, this.#writer);
  }

  async #restore(store: ResourceStore, namespace: string, restore: (object: KubeObject) => void): Promise<void> {
    await store.update(
      store.definition,
      {
        namespace,
        name: this.#desired.name,
        part: 'main',
        requireVersion: false,
        change(current) {
          restore(current as KubeObject);
          return current as KubeObject;
        },
      },
      this.#writer,
    );
  }
}
