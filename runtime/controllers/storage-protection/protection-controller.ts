import { hasStatusCode } from '../../machinery/errors/status.ts';
import type { GroupVersionResource } from '../../machinery/gvk.ts';
import { setOrDelete } from '../../machinery/json/defined.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { writerOfController } from '../../reconcile/controller-writer.ts';
import { type SyncResult, WorkQueue } from '../../reconcile/work-queue.ts';
import type { RESTStorage, Writer } from '../../resources/rest.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import type { ControllerContext } from '../controller-context.ts';

/** The protection of objects by a finalizer while something uses them. */
export interface Protection {
  readonly protects: GroupVersionResource;
  readonly finalizer: string;
  /** The controller's own service account. */
  readonly serviceAccount: string;
  /** The kinds of objects whose changes may end the use of a protected object. */
  readonly users: readonly GroupVersionResource[];
  isInUse(object: KubeObject, stores: ResourceStores): Promise<boolean>;
}

/**
 * Removes the finalizer of a terminating object when nothing uses it. Admission adds the finalizers; upstream's
 * controller does, too. (pkg/controller/volume/pvcprotection, pvprotection, vacprotection)
 */
export class ProtectionController implements Controller {
  readonly #stores: ResourceStores;
  readonly #protection: Protection;
  readonly #writer: Writer;
  readonly #queue: WorkQueue<StoredObject>;
  readonly #stops: (() => void)[] = [];
  /** Terminating objects in use, by key. */
  readonly #blocked = new Map<string, StoredObject>();
  #followsUsers = false;
  #closed = false;

  constructor({ stores, logger }: ControllerContext, protection: Protection) {
    this.#stores = stores;
    this.#protection = protection;
    this.#writer = writerOfController(protection.serviceAccount);
    this.#queue = new WorkQueue({
      clock: stores.clock,
      concurrency: 5,
      keyOf,
      work: (object) => this.#sync(object),
      report: (err) => logger.error({ err }, `${protection.finalizer} could not be removed, which will be retried`),
    });
  }

  async start(): Promise<void> {
    const store = await this.#open(this.#protection.protects);
    if (store === undefined || this.#closed) return;
    const snapshot = store.collection.latest();
    for (const object of snapshot.scan()) this.#enqueue(object);
    const onEvent = ({ type, object }: { readonly type: string; readonly object: StoredObject }): void => {
      if (type === 'DELETED') this.#blocked.delete(keyOf(object));
      else this.#enqueue(object);
    };
    this.#stops.push(store.collection.watch({ after: snapshot.revision, onEvent }));
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const stop of this.#stops) stop();
    await this.#queue.close();
  }

  async #open({ group, version, resource }: GroupVersionResource): Promise<RESTStorage | undefined> {
    return this.#stores.serves(group, version, resource) ? this.#stores.byResource(group, version, resource) : undefined;
  }

  #enqueue(object: StoredObject): void {
    if (this.#isProtected(object)) this.#queue.add(object);
  }

  #isProtected(object: StoredObject): boolean {
    const { deletionTimestamp, finalizers } = object.metadata();
    return deletionTimestamp !== undefined && finalizers?.includes(this.#protection.finalizer) === true;
  }

  async #sync({ namespace, name }: StoredObject): Promise<SyncResult> {
    const store = await this.#open(this.#protection.protects);
    const stored = store?.collection.latest().get(namespace, name);
    if (store === undefined || stored === undefined || !this.#isProtected(stored)) return 'done';
    this.#blocked.set(keyOf(stored), stored);
    // begins to watch first, so that no change is missed during the check
    await this.#followUsers();
    if (await this.#protection.isInUse(stored.decode(), this.#stores)) return 'done';
    await this.#removeFinalizer(store, stored);
    this.#blocked.delete(keyOf(stored));
    return 'done';
  }

  /** Watches the users of protected objects. Most servers never need to. */
  async #followUsers(): Promise<void> {
    if (this.#followsUsers) return;
    this.#followsUsers = true;
    for (const resource of this.#protection.users) {
      const store = await this.#open(resource);
      if (store === undefined || this.#closed) continue;
      const onEvent = ({ object }: { readonly object: StoredObject }): void => {
        for (const blocked of this.#blocked.values()) {
          if (object.namespace === '' || blocked.namespace === '' || object.namespace === blocked.namespace) {
            this.#queue.add(blocked);
          }
        }
      };
      this.#stops.push(store.collection.watch({ after: store.collection.latest().revision, onEvent }));
    }
  }

  async #removeFinalizer(store: RESTStorage, { namespace, name, uid }: StoredObject): Promise<void> {
    const { finalizer } = this.#protection;
    const change = (current: KubeObject | undefined): KubeObject => {
      const object = current as KubeObject;
      setOrDelete(
        object.metadata,
        'finalizers',
        object.metadata.finalizers?.filter((one) => one !== finalizer),
      );
      return object;
    };
    const request = { namespace, name, change, preconditionUid: uid };
    const options = { part: 'main', requireVersion: false } as const;
    try {
      await store.update(store.definition, { ...request, ...options }, this.#writer);
    } catch (error) {
      // the object is gone, or another one has its name
      if (!hasStatusCode(error, 404, 409)) throw error;
    }
  }
}

const keyOf = ({ namespace, name }: StoredObject): string => `${namespace}/${name}`;
