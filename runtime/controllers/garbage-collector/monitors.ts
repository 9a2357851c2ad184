import type { GroupResource } from '../../machinery/gvk.ts';
import { scanUnchanged } from '../../reconcile/informers/scan-unchanged.ts';
import type { RegistryChange } from '../../resources/registry.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { Collection, ObjectEvent, StoredObject } from '../../storage/object-store/contract.ts';

export interface MonitorHandler {
  /** Called for each existing object at the start, as for an ADDED event. */
  onExisting(collection: Collection, object: StoredObject): void;
  onEvent(collection: Collection, event: ObjectEvent): void;
  report(error: unknown): void;
}

/** (DefaultIgnoredResources) */
const isIgnored = ({ resource: { group, resource } }: { readonly resource: GroupResource }): boolean =>
  group === '' && resource === 'events';

/**
 * Watches every resource with objects, including resources that are served later. Resources without objects are not
 * loaded: this server creates objects only through open stores, every opened store is watched, and stores to which
 * another server writes are opened.
 */
export class ResourceMonitors {
  readonly #stores: ResourceStores;
  readonly #handler: MonitorHandler;
  readonly #monitored = new Map<Collection, Promise<void>>();
  readonly #stops: (() => void)[] = [];
  #closed = false;
  #opening: Promise<void> = Promise.resolve();

  constructor(stores: ResourceStores, handler: MonitorHandler) {
    this.#stores = stores;
    this.#handler = handler;
  }

  /** Resolves when every existing object has been scanned. */
  async start(): Promise<void> {
    this.#stops.push(this.#stores.onOpen(({ collection }) => this.#monitor(collection)));
    for (const { collection } of this.#stores.allOpen()) this.#monitor(collection);
    this.#stops.push(
      this.#stores.registry.onChange((change) => {
        this.#opening = this.#opening.then(() => this.#openNonEmpty(change)).catch((error) => this.#handler.report(error));
      }),
    );
    this.#stops.push(this.#stores.onUnopenedWrite((written) => this.#onUnopenedWrite(written)));
    await this.#openNonEmpty();
    await Promise.all(this.#monitored.values());
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const stop of this.#stops) stop();
    await this.#opening;
    await Promise.all(this.#monitored.values());
  }

  #onUnopenedWrite(written: GroupResource | undefined): void {
    if (written !== undefined && isIgnored({ resource: written })) return;
    this.#opening = this.#opening
      .then(() => (written === undefined ? this.#openNonEmpty() : this.#openStored(written)))
      .catch((error) => this.#handler.report(error));
  }

  async #openStored({ group, resource }: GroupResource): Promise<void> {
    const entry = this.#stores.registry.stored(group, resource);
    if (entry === undefined || this.#closed) return;
    const isOpen = entry.definition !== undefined && this.#stores.ifOpen(entry.definition) !== undefined;
    if (!isOpen) await this.#stores.open(await entry.load());
  }

  /** Opens the stores with objects from an earlier run: all of them, or only that of a changed resource. */
  async #openNonEmpty(change?: RegistryChange): Promise<void> {
    const { registry } = this.#stores;
    const changed = change && registry.lookup(change.group, change.version, change.resource);
    const entries = change === undefined ? registry.storedEntries() : changed === undefined ? [] : [changed];
    for (const entry of entries) {
      if (this.#closed) return;
      const isOpen = entry.definition !== undefined && this.#stores.ifOpen(entry.definition) !== undefined;
      if (!isOpen && (await this.#stores.hasObjects(entry.facts))) await this.#stores.open(await entry.load());
    }
  }

  #monitor(collection: Collection): void {
    if (this.#closed || this.#monitored.has(collection) || isIgnored(collection)) return;
    const snapshot = collection.latest();
    this.#stops.push(
      collection.watch({
        after: snapshot.revision,
        onEvent: (event) => this.#reportErrors(() => this.#handler.onEvent(collection, event)),
      }),
    );
    const scanned = scanUnchanged(collection, snapshot, (object) => {
      if (this.#closed) return false;
      this.#reportErrors(() => this.#handler.onExisting(collection, object));
      return true;
    }).catch((error) => this.#handler.report(error));
    this.#monitored.set(collection, scanned);
  }

  /** Reports an error with one object, so that the others continue. */
  #reportErrors(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#handler.report(error);
    }
  }
}
