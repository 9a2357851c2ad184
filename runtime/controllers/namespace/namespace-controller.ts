import type { Namespace } from '../../../generated/v1.35/core/v1/types.ts';
import { conflict, hasStatusCode } from '../../machinery/errors/status.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { noRemoteResources } from '../../reconcile/remote-resources.ts';
import { type SyncResult, WorkQueue } from '../../reconcile/work-queue.ts';
import type { UpdatePart } from '../../resources/rest.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { Collection, StoredObject } from '../../storage/object-store/contract.ts';
import type { ControllerContext } from '../controller-context.ts';
import { type DeletionResult, NamespacedResourcesDeleter, namespaceWriter } from './namespaced-resources-deleter.ts';
import { deletionConditions, setConditions } from './status-conditions.ts';

/** (v1.FinalizerKubernetes) */
const kubernetesFinalizer = 'kubernetes';
/** (--concurrent-namespace-syncs) */
const concurrentSyncs = 10;

/**
 * Deletes the content of terminating namespaces, then their finalizer. (kubernetes pkg/controller/namespace)
 *
 *     Active -> Terminating -> content deleted -> conditions updated -> nothing remains -> spec.finalizers without
 *     "kubernetes" -> deleted
 *
 * Objects with finalizers or a grace period keep their namespace. Such a namespace is synced again when a resource has
 * no more objects in it, or at the latest after upstream's delay.
 */
export class NamespaceController implements Controller {
  readonly #stores: ResourceStores;
  readonly #deleter: NamespacedResourcesDeleter;
  readonly #queue: WorkQueue<string>;
  /** Stops the watches of remaining content, by namespace. */
  readonly #watches = new Map<string, readonly (() => void)[]>();
  #namespaces: Collection | undefined;
  #stop: () => void = () => undefined;
  #closed = false;

  constructor({ stores, logger, remoteResources = noRemoteResources }: Pick<ControllerContext, 'stores' | 'logger' | 'remoteResources'>) {
    this.#stores = stores;
    this.#deleter = new NamespacedResourcesDeleter(stores, remoteResources, () => this.#closed);
    this.#queue = new WorkQueue({
      clock: stores.clock,
      concurrency: concurrentSyncs,
      keyOf: (name) => name,
      work: (name) => this.#sync(name),
      report: (err) => logger.error({ err }, 'deleting the content of a namespace failed and will be retried'),
    });
  }

  /** Queues terminating namespaces, then watches for others. */
  async start(): Promise<void> {
    if (!this.#stores.serves('', 'v1', 'namespaces')) return;
    const { collection } = await this.#stores.byResource('', 'v1', 'namespaces');
    if (this.#closed) return;
    this.#namespaces = collection;
    const snapshot = collection.latest();
    for (const namespace of snapshot.scan()) this.#enqueue(namespace);
    this.#stop = collection.watch({
      after: snapshot.revision,
      onEvent: ({ type, object, previous }) => {
        // skips the controller's own writes
        if (type !== 'DELETED' && !(previous && isTerminating(previous))) this.#enqueue(object);
      },
    });
  }

  get isIdle(): boolean {
    return this.#queue.isIdle;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stop();
    for (const name of [...this.#watches.keys()]) this.#stopWatches(name);
    await this.#queue.close();
  }

  #enqueue(namespace: StoredObject): void {
    if (isTerminating(namespace)) this.#queue.add(namespace.name);
  }

  async #sync(name: string): Promise<SyncResult> {
    this.#stopWatches(name);
    const stored = this.#namespaces?.latest().get('', name);
    if (stored === undefined || !isTerminating(stored)) return 'done';
    const namespace = stored.decode() as Namespace;
    if (!(namespace.spec?.finalizers ?? []).includes(kubernetesFinalizer)) return 'done';
    const result = await this.#deleter.deleteAllContent({
      name,
      deletedAt: Date.parse(namespace.metadata.deletionTimestamp ?? ''),
    });
    if (this.#closed) return 'done';
    await this.#updateConditions(stored, result);
    if (result.discoveryErrors.length > 0 || result.contentErrors.length > 0) {
      this.#watchRemaining(name, result);
      return 'retry';
    }
    if (result.numRemaining.size > 0) {
      this.#watchRemaining(name, result);
      return (Math.floor(result.estimate / 2) + 1) * 1000;
    }
    if (!(await this.#deleter.isEmpty(name))) return 'retry';
    await this.#finalize(stored);
    return 'done';
  }

  async #updateConditions(stored: StoredObject, result: DeletionResult): Promise<void> {
    const conditions = deletionConditions(result);
    const now = this.#stores.clock.now();
    await this.#update(stored, 'status', (namespace) => setConditions(namespace, conditions, now));
  }

  async #finalize(stored: StoredObject): Promise<void> {
    await this.#update(stored, 'all', (namespace) => {
      const finalizers = (namespace.spec?.finalizers ?? []).filter((one) => one !== kubernetesFinalizer);
      namespace.spec = { ...namespace.spec, finalizers };
      if (finalizers.length === 0) delete namespace.spec.finalizers;
    });
  }

  async #update({ name, uid }: StoredObject, part: UpdatePart, change: (namespace: Namespace) => void): Promise<void> {
    const store = await this.#stores.byResource('', 'v1', 'namespaces');
    try {
      await store.update(
        store.definition,
        {
          namespace: '',
          name,
          part,
          subresource: part === 'status' ? 'status' : 'finalize',
          requireVersion: false,
          change(current) {
            if (current?.metadata.uid !== uid) throw conflict(store.definition, name, 'another namespace has its name');
            change(current as Namespace);
            return current;
          },
        },
        namespaceWriter,
      );
    } catch (error) {
      // 404: the namespace was deleted. 409: it was also recreated under the same name
      if (!hasStatusCode(error, 404, 409)) throw error;
    }
  }

  /** Queues the namespace when a resource has no more objects in it. */
  #watchRemaining(name: string, { remainingContent }: DeletionResult): void {
    if (this.#closed) return;
    const stops = remainingContent.map(({ store: { collection }, snapshot }) =>
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

  #stopWatches(name: string): void {
    for (const stop of this.#watches.get(name) ?? []) stop();
    this.#watches.delete(name);
  }
}

const isTerminating = ({ fields }: StoredObject): boolean => fields['status.phase'] === 'Terminating';
