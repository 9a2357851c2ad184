import type { ResourceDefinition } from '../machinery/resource.ts';
import { isStatusError } from '../machinery/status.ts';
import type { UserInfo } from '../machinery/user-info.ts';
import type { ObjectEvent, StoredObject } from '../storage/object-store/contract.ts';
import type { ResourceStore, Writer } from './resource-store.ts';
import type { ResourceStores } from './stores.ts';

const controller: UserInfo = {
  name: 'system:serviceaccount:kube-system:namespace-controller',
  uid: '',
  groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
  extra: {},
};
const writer: Writer = { user: controller, dryRun: false, warn: () => undefined };
const contentFinalizer = 'kubernetes';
/** Milliseconds between looks at a namespace whose content is held by finalizers of others. */
const retryAfter = 1_000;

/**
 * Empties namespaces on their way out, and lets them go. (pkg/controller/namespace)
 *
 *     Active -> Terminating -> every namespaced resource deleted -> nothing left -> spec.finalizers without
 *     "kubernetes" -> gone
 *
 * Pods go first, so that nothing that runs loses its configuration before it ends. What has finalizers of its own
 * keeps its namespace until they are gone; the namespace is looked at again every second.
 */
export class NamespaceDeletion {
  readonly #stores: ResourceStores;
  readonly #report: (error: unknown) => void;
  readonly #running = new Map<string, Promise<void>>();
  readonly #retries = new Map<string, () => void>();
  #namespaces: ResourceStore | undefined;
  #stop: () => void = () => undefined;
  #closed = false;

  constructor(stores: ResourceStores, report: (error: unknown) => void) {
    this.#stores = stores;
    this.#report = report;
  }

  /** Picks up what an earlier process left Terminating, then follows the namespaces. */
  async start(): Promise<void> {
    const namespaces = await this.#stores.named('', 'v1', 'namespaces');
    this.#namespaces = namespaces;
    const snapshot = namespaces.collection.latest();
    for (const namespace of snapshot.scan()) this.#look(namespace);
    this.#stop = namespaces.collection.watch({
      after: snapshot.revision,
      onEvent: ({ type, object }: ObjectEvent) => {
        if (type !== 'DELETED') this.#look(object);
      },
    });
  }

  /** Resolves when no deletion is under way any more. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#stop();
    for (const cancel of this.#retries.values()) cancel();
    await Promise.all(this.#running.values());
  }

  #look(namespace: StoredObject): void {
    const { name } = namespace;
    if (this.#closed || this.#running.has(name) || namespace.fields['status.phase'] !== 'Terminating') return;
    const run = this.#empty(name)
      .catch((error) => {
        this.#report(error);
        return false;
      })
      .then((done) => {
        this.#running.delete(name);
        if (!done) this.#lookAgain(name);
      });
    this.#running.set(name, run);
  }

  #lookAgain(name: string): void {
    if (this.#closed || this.#retries.has(name)) return;
    const cancel = this.#stores.clock.after(retryAfter, () => {
      this.#retries.delete(name);
      const namespace = this.#namespaces?.collection.latest().get('', name);
      if (namespace) this.#look(namespace);
    });
    this.#retries.set(name, cancel);
  }

  /** True when the namespace is gone. */
  async #empty(name: string): Promise<boolean> {
    const namespace = this.#namespaces?.collection.latest().get('', name);
    if (namespace === undefined) return true;
    if (!(namespace.decode().spec?.finalizers ?? []).includes(contentFinalizer)) return false;
    const definitions = (await this.#stores.registry.storedDefinitions()).filter(({ namespaced }) => namespaced);
    const ordered = [...definitions.filter(isPods), ...definitions.filter((one) => !isPods(one))];
    let left = 0;
    for (const definition of ordered) {
      left += await this.#deleteAll(definition, name);
      if (this.#closed) return false;
      if (left > 0 && isPods(definition)) return false;
    }
    return left === 0 && (await this.#finalize(name));
  }

  /** Deletes the objects of one resource; gives how many are still there. */
  async #deleteAll(definition: ResourceDefinition, namespace: string): Promise<number> {
    const store = await this.#stores.of(definition);
    for (const { name, uid } of [...store.collection.latest().scan({ namespace })]) {
      if (this.#closed) break;
      await ignoreGone(() => store.delete(store.definition, { namespace, name, preconditions: { uid } }, writer));
    }
    return store.collection.latest().count(namespace);
  }

  async #finalize(name: string): Promise<boolean> {
    const store = this.#namespaces as ResourceStore;
    await ignoreGone(() =>
      store.update(
        store.definition,
        {
          namespace: '',
          name,
          part: 'all',
          createIfAbsent: false,
          requireVersion: false,
          change(current) {
            if (current === undefined) throw new Error(`namespace ${name} is gone`);
            const finalizers: string[] = (current.spec?.finalizers ?? []).filter(
              (one: string) => one !== contentFinalizer,
            );
            current.spec = { ...current.spec, finalizers };
            if (finalizers.length === 0) delete current.spec.finalizers;
            return current;
          },
        },
        writer,
      ),
    );
    return this.#namespaces?.collection.latest().get('', name) === undefined;
  }
}

const isPods = ({ group, resource }: ResourceDefinition): boolean => group === '' && resource === 'pods';

/** Somebody else was faster, which is as good. */
async function ignoreGone(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isStatusError(error) || (error.status.code !== 404 && error.status.code !== 409)) throw error;
  }
}
