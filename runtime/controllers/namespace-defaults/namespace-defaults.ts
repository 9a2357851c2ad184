import { isStatusError } from '../../machinery/errors/status.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { PruneContext } from '../../machinery/prune/context.ts';
import type { ResourceStore } from '../../resources/resource-store.ts';
import type { Writer } from '../../resources/rest.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { Collection, StoredObject } from '../../storage/object-store/contract.ts';
import { type Controller, type ControllerParts, writerFor } from '../controller.ts';
import { type Outcome, WorkQueue } from '../loop/work-queue.ts';

/** An object that every namespace has. */
export interface NamespaceDefault {
  /** Of the core group's v1. */
  readonly resource: string;
  readonly name: string;
  /** The controller's own service account. */
  readonly serviceAccount: string;
  /** All of a new object but its apiVersion, kind and name. */
  readonly content: Omit<KubeObject, 'metadata'> & { readonly metadata?: KubeObject['metadata'] };
  /** Changes an object that is there to what it is to be. Absent: what is there may be as it is. */
  keep?(object: KubeObject): void;
}

/** Makes an object in every active namespace, and again when somebody deletes it. */
export class NamespaceDefaults implements Controller {
  readonly #stores: ResourceStores;
  readonly #wanted: NamespaceDefault;
  readonly #writer: Writer;
  readonly #queue: WorkQueue<string>;
  readonly #stops: (() => void)[] = [];
  #namespaces: Collection | undefined;
  #closed = false;

  constructor({ stores, logger }: ControllerParts, wanted: NamespaceDefault) {
    this.#stores = stores;
    this.#wanted = wanted;
    this.#writer = writerFor(wanted.serviceAccount);
    this.#queue = new WorkQueue({
      clock: stores.clock,
      concurrency: 5,
      keyOf: (name) => name,
      work: (name) => this.#ensure(name),
      report: (err) =>
        logger.error({ err }, `${wanted.resource} ${wanted.name} could not be made, which is tried again`),
    });
  }

  async start(): Promise<void> {
    const { registry } = this.#stores;
    const { resource, name } = this.#wanted;
    if (!registry.lookup('', 'v1', 'namespaces') || !registry.lookup('', 'v1', resource)) return;
    const namespaces = await this.#stores.named('', 'v1', 'namespaces');
    const objects = await this.#stores.named('', 'v1', resource);
    if (this.#closed) return;
    this.#namespaces = namespaces.collection;
    const snapshot = this.#namespaces.latest();
    for (const namespace of snapshot.scan()) this.#look(namespace);
    const after = snapshot.revision;
    this.#stops.push(
      this.#namespaces.watch({
        after,
        onEvent: ({ type, object }) => {
          if (type !== 'DELETED') this.#look(object);
        },
      }),
      objects.collection.watch({ name, after, onEvent: ({ object }) => this.#queue.add(object.namespace) }),
    );
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const stop of this.#stops) stop();
    await this.#queue.close();
  }

  #look({ name, fields }: StoredObject): void {
    if (fields['status.phase'] !== 'Terminating') this.#queue.add(name);
  }

  async #ensure(namespace: string): Promise<Outcome> {
    const store = await this.#stores.named('', 'v1', this.#wanted.resource);
    const found = this.#namespaces?.latest().get('', namespace);
    if (found === undefined || found.fields['status.phase'] === 'Terminating') return 'done';
    const present = store.collection.latest().get(namespace, this.#wanted.name);
    try {
      if (present === undefined) await this.#create(store, namespace);
      else if (this.#wanted.keep) await this.#restore(store, namespace, this.#wanted.keep);
      return 'done';
    } catch (error) {
      // the namespace goes, or somebody else was faster: the event says what to do next
      if (isStatusError(error) && [403, 404, 409].includes(error.status.code)) return 'done';
      throw error;
    }
  }

  async #create(store: ResourceStore, namespace: string): Promise<void> {
    const { definition } = store;
    const { content, name } = this.#wanted;
    const facts = {
      apiVersion: 'v1',
      kind: definition.kind,
      ...content,
      metadata: { ...content.metadata, name, namespace },
    };
    const object = {
      ...definition.type.prune(structuredClone(facts), new PruneContext()),
      apiVersion: 'v1',
      kind: definition.kind,
    };
    definition.type.setDefaults(object);
    await store.create(definition, object, namespace, this.#writer);
  }

  async #restore(store: ResourceStore, namespace: string, keep: (object: KubeObject) => void): Promise<void> {
    await store.update(
      store.definition,
      {
        namespace,
        name: this.#wanted.name,
        part: 'main',
        createIfAbsent: false,
        requireVersion: false,
        change(current) {
          keep(current as KubeObject);
          return current as KubeObject;
        },
      },
      this.#writer,
    );
  }
}
