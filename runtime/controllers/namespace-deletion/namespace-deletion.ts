import { conflict, isStatusError } from '../../machinery/errors/status.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { UpdatePart } from '../../resources/rest.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { Collection, StoredObject } from '../../storage/object-store/contract.ts';
import type { Controller, ControllerParts } from '../controller.ts';
import { type Outcome, WorkQueue } from '../loop/work-queue.ts';
import { conditionsOf, setConditions } from './conditions.ts';
import { type EmptyingResult, emptyNamespace, isEmpty, namespaceWriter } from './content.ts';

const contentFinalizer = 'kubernetes';
/** Namespaces emptied at once. (--concurrent-namespace-syncs) */
const concurrency = 10;

/**
 * Empties namespaces on their way out, and lets them go. (kubernetes pkg/controller/namespace)
 *
 *     Active -> Terminating -> content deleted -> conditions told -> nothing left -> spec.finalizers without
 *     "kubernetes" -> gone
 *
 * What has finalizers of its own, or time to stop, keeps its namespace until it is gone: the namespace is looked at
 * again when a resource is gone from it, or else as late as upstream does.
 */
export class NamespaceDeletion implements Controller {
  readonly #stores: ResourceStores;
  readonly #queue: WorkQueue<string>;
  /** Ends of watches for the end of what is left, by namespace. */
  readonly #watches = new Map<string, readonly (() => void)[]>();
  #namespaces: Collection | undefined;
  #stop: () => void = () => undefined;
  #closed = false;

  constructor({ stores, logger }: Pick<ControllerParts, 'stores' | 'logger'>) {
    this.#stores = stores;
    this.#queue = new WorkQueue({
      clock: stores.clock,
      concurrency,
      keyOf: (name) => name,
      work: (name) => this.#sync(name),
      report: (err) => logger.error({ err }, 'deleting a namespace failed, and is tried again'),
    });
  }

  /** Picks up what an earlier process left Terminating, then follows the namespaces. */
  async start(): Promise<void> {
    if (this.#stores.registry.lookup('', 'v1', 'namespaces') === undefined) return;
    const { collection } = await this.#stores.named('', 'v1', 'namespaces');
    if (this.#closed) return;
    this.#namespaces = collection;
    const snapshot = collection.latest();
    for (const namespace of snapshot.scan()) this.#look(namespace);
    this.#stop = collection.watch({
      after: snapshot.revision,
      onEvent: ({ type, object, previous }) => {
        // its own writes are no news
        if (type !== 'DELETED' && !(previous && isTerminating(previous))) this.#look(object);
      },
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stop();
    for (const name of [...this.#watches.keys()]) this.#endWatches(name);
    await this.#queue.close();
  }

  #look(namespace: StoredObject): void {
    if (isTerminating(namespace)) this.#queue.add(namespace.name);
  }

  async #sync(name: string): Promise<Outcome> {
    this.#endWatches(name);
    const stored = this.#namespaces?.latest().get('', name);
    if (stored === undefined || !isTerminating(stored)) return 'done';
    const namespace = stored.decode();
    if (!(namespace.spec?.finalizers ?? []).includes(contentFinalizer)) return 'done';
    const result = await emptyNamespace(this.#stores, {
      name,
      deletedAt: Date.parse(namespace.metadata.deletionTimestamp ?? ''),
      isStopped: () => this.#closed,
    });
    if (this.#closed) return 'done';
    await this.#tell(stored, result);
    if (result.discoveryErrors.length > 0 || result.contentErrors.length > 0) {
      this.#watchLeft(name, result);
      return 'retry';
    }
    if (result.left.length > 0) {
      this.#watchLeft(name, result);
      return (Math.floor(result.estimate / 2) + 1) * 1000;
    }
    if (!isEmpty(this.#stores, name)) return 'retry';
    await this.#finalize(stored);
    return 'done';
  }

  async #tell(stored: StoredObject, result: EmptyingResult): Promise<void> {
    const conditions = conditionsOf(result);
    const now = this.#stores.clock.now();
    await this.#update(stored, 'status', (namespace) => {
      setConditions(namespace, conditions, now);
    });
  }

  async #finalize(stored: StoredObject): Promise<void> {
    await this.#update(stored, 'all', (namespace) => {
      const finalizers: string[] = (namespace.spec?.finalizers ?? []).filter((one: string) => one !== contentFinalizer);
      namespace.spec = { ...namespace.spec, finalizers };
      if (finalizers.length === 0) delete namespace.spec.finalizers;
    });
  }

  async #update({ name, uid }: StoredObject, part: UpdatePart, change: (namespace: KubeObject) => void): Promise<void> {
    const store = await this.#stores.named('', 'v1', 'namespaces');
    try {
      await store.update(
        store.definition,
        {
          namespace: '',
          name,
          part,
          subresource: part === 'status' ? 'status' : 'finalize',
          createIfAbsent: false,
          requireVersion: false,
          change(current) {
            if (current?.metadata.uid !== uid) throw conflict(store.definition, name, 'another namespace has its name');
            change(current);
            return current;
          },
        },
        namespaceWriter,
      );
    } catch (error) {
      // gone already, or gone and made anew
      if (!isStatusError(error) || (error.status.code !== 404 && error.status.code !== 409)) throw error;
    }
  }

  /** Looks at the namespace again as soon as a resource is gone from it. */
  #watchLeft(name: string, { left }: EmptyingResult): void {
    if (this.#closed) return;
    const stops = left.map(({ store: { collection }, snapshot }) =>
      collection.watch({
        namespace: name,
        after: snapshot.revision,
        onEvent: ({ type }) => {
          if (type === 'DELETED' && collection.latest().count(name) === 0) this.#queue.add(name);
        },
      }),
    );
    this.#watches.set(name, stops);
  }

  #endWatches(name: string): void {
    for (const stop of this.#watches.get(name) ?? []) stop();
    this.#watches.delete(name);
  }
}

const isTerminating = ({ fields }: StoredObject): boolean => fields['status.phase'] === 'Terminating';
