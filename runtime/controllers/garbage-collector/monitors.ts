import { yieldToEventLoop } from '../../machinery/event-loop/yield.ts';
import type { RegistryChange } from '../../resources/registry.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { Collection, ObjectEvent, StoredObject } from '../../storage/object-store/contract.ts';

/** Objects looked at between two turns of the event loop. */
const slice = 128;

export interface MonitorHandler {
  /** An object that is there, as the event ADDED. */
  seen(collection: Collection, object: StoredObject): void;
  changed(collection: Collection, event: ObjectEvent): void;
  report(error: unknown): void;
}

/** Events end by themselves, and are many. (DefaultIgnoredResources) */
const isIgnored = ({ resource: { group, resource } }: Collection): boolean => group === '' && resource === 'events';

/**
 * Follows every resource that has objects, those of kinds that come later too. Resources without any are not loaded: an
 * object can be made only through a store that is open, and stores that open are followed from then on.
 */
export class ResourceMonitors {
  readonly #stores: ResourceStores;
  readonly #handler: MonitorHandler;
  readonly #followed = new Map<Collection, Promise<void>>();
  readonly #stops: (() => void)[] = [];
  #closed = false;
  #opening: Promise<void> = Promise.resolve();

  constructor(stores: ResourceStores, handler: MonitorHandler) {
    this.#stores = stores;
    this.#handler = handler;
  }

  /** Resolves when everything that is there has been seen. */
  async start(): Promise<void> {
    this.#stops.push(this.#stores.onOpen(({ collection }) => this.#follow(collection)));
    for (const { collection } of this.#stores.allOpened()) this.#follow(collection);
    this.#stops.push(
      this.#stores.registry.onChange((change) => {
        this.#opening = this.#opening
          .then(() => this.#openFilled(change))
          .catch((error) => this.#handler.report(error));
      }),
    );
    await this.#openFilled();
    await Promise.all(this.#followed.values());
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const stop of this.#stops) stop();
    await this.#opening;
    await Promise.all(this.#followed.values());
  }

  /** Opens the stores that have objects from an earlier run: of all resources, or of the one that changed. */
  async #openFilled(change?: RegistryChange): Promise<void> {
    const { registry } = this.#stores;
    const changed = change && registry.lookup(change.group, change.version, change.resource);
    const entries = change === undefined ? registry.storedEntries() : changed === undefined ? [] : [changed];
    for (const entry of entries) {
      if (this.#closed) return;
      const isOpen = entry.definition !== undefined && this.#stores.opened(entry.definition) !== undefined;
      if (!isOpen && (await this.#stores.hasObjects(entry.facts))) await this.#stores.of(await entry.load());
    }
  }

  #follow(collection: Collection): void {
    if (this.#closed || this.#followed.has(collection) || isIgnored(collection)) return;
    const snapshot = collection.latest();
    this.#stops.push(
      collection.watch({
        after: snapshot.revision,
        onEvent: (event) => this.#safely(() => this.#handler.changed(collection, event)),
      }),
    );
    const scanned = this.#scan(collection, snapshot.scan()).catch((error) => this.#handler.report(error));
    this.#followed.set(collection, scanned);
  }

  /** One object that cannot be understood is no reason to miss the others. */
  #safely(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#handler.report(error);
    }
  }

  async #scan(collection: Collection, objects: Iterable<StoredObject>): Promise<void> {
    let count = 0;
    let latest = collection.latest();
    for (const object of objects) {
      if (this.#closed) return;
      // what changed since has come as an event
      const now = latest.get(object.namespace, object.name);
      if (now?.revision === object.revision) this.#safely(() => this.#handler.seen(collection, object));
      count += 1;
      if (count % slice === 0) {
        await yieldToEventLoop();
        latest = collection.latest();
      }
    }
  }
}
