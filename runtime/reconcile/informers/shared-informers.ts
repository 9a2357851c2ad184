import { once } from '../../machinery/event-loop/once.ts';
import type { GroupVersionResource } from '../../machinery/gvk.ts';
import type { Logger } from '../../machinery/logger.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { isStorageVersion } from '../../resources/views.ts';
import type { ObjectEvent } from '../../storage/object-store/contract.ts';
import { scanUnchanged } from './scan-unchanged.ts';
import { SharedInformer } from './shared-informer.ts';

/** The informers that controllers share. Each starts on first use. (client-go informers SharedInformerFactory) */
export class SharedInformers {
  readonly #stores: ResourceStores;
  readonly #logger: Logger;
  readonly #started = new Map<string, () => Promise<SharedInformer<KubeObject>>>();
  readonly #stops: (() => void)[] = [];
  #closed = false;

  constructor(stores: ResourceStores, logger: Logger) {
    this.#stores = stores;
    this.#logger = logger;
  }

  /**
   * Resolves to an informer that knows all objects. An unserved resource has none. Custom resources keep their stored
   * version, because converting them may take long.
   */
  of<T extends KubeObject>(resource: GroupVersionResource): Promise<SharedInformer<T>> {
    const key = `${resource.group}/${resource.version}/${resource.resource}`;
    let started = this.#started.get(key);
    if (started === undefined) {
      started = once(() => this.#start(resource));
      this.#started.set(key, started);
    }
    // the key names the resource, whose objects have the type T
    return started() as unknown as Promise<SharedInformer<T>>;
  }

  /** Stops all handlers. */
  close(): void {
    this.#closed = true;
    for (const stop of this.#stops) stop();
  }

  async #start(wanted: GroupVersionResource): Promise<SharedInformer<KubeObject>> {
    const { group, version, resource } = wanted;
    if (!this.#stores.serves(group, version, resource)) return new SharedInformer((stored) => stored.decode());
    const definition = await this.#stores.registry.definition(wanted);
    const { collection } = await this.#stores.open(definition);
    const isStored = isStorageVersion(definition);
    const informer = new SharedInformer<KubeObject>((stored) =>
      isStored ? stored.shared() : definition.conversion.fromStorage(stored.decode()),
    );
    const attempt = (work: () => void): void => {
      try {
        work();
      } catch (err) {
        this.#logger.error({ err, resource }, 'a controller could not be told of an object');
      }
    };
    const snapshot = collection.latest();
    if (!this.#closed) {
      if (isStored) this.#stops.push(collection.holdDecoded((namespace, name) => informer.get(namespace, name)));
      const onEvent = (event: ObjectEvent): void => attempt(() => informer.onEvent(event));
      this.#stops.push(collection.watch({ after: snapshot.revision, onEvent }));
    }
    await scanUnchanged(collection, snapshot, (stored) => {
      attempt(() => informer.load(stored));
      return true;
    });
    return informer;
  }
}
