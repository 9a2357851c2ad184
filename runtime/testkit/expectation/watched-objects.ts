import { defined } from '../../machinery/json/defined.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { RESTMapper } from '../../resources/rest-mapper.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { readStored } from '../../resources/views.ts';
import { isStorageError } from '../../storage/errors.ts';
import type { Collection, CollectionSnapshot, ObjectEvent, StoredObject } from '../../storage/object-store/contract.ts';
import { nameOf, type ReferredObjects } from './object-reference.ts';

/** The number of latest events for messages. */
const rememberedEvents = 20;
/** The namespace for references without one. (metav1.NamespaceDefault) */
const defaultNamespace = 'default';

/** An event of the watch, for messages. */
export interface SeenEvent {
  readonly type: ObjectEvent['type'];
  readonly revision: number;
  readonly name: string;
}

/** An event, or a change of how the kind is served. */
type Change = ObjectEvent | 'redefined';

/** Follows the objects of a reference through each of their states, in order. */
export class WatchedObjects {
  readonly #stores: ResourceStores;
  readonly #mapper: RESTMapper;
  readonly #referred: ReferredObjects;
  readonly #objects = new Map<string, KubeObject>();
  readonly #seen: SeenEvent[] = [];
  readonly #stopListening: () => void;
  #since: number | undefined;
  #changes: Change[] = ['redefined'];
  #definition: ResourceDefinition | undefined;
  #stopWatching: () => void = () => undefined;
  #wake: () => void = () => undefined;

  /** @param since the revision of the first state */
  constructor(stores: ResourceStores, referred: ReferredObjects, since: number) {
    this.#since = since;
    this.#stores = stores;
    this.#mapper = new RESTMapper(stores.registry);
    this.#referred = referred;
    this.#stopListening = stores.registry.onChange((change) => {
      if (change === undefined || change.group === referred.group) this.#push('redefined');
    });
  }

  /** Whether the kind is served. */
  get isServed(): boolean {
    return this.#definition !== undefined;
  }

  /** The objects after the latest change from `next`, by namespace and name. */
  get objects(): readonly KubeObject[] {
    return [...this.#objects.keys()].sort().map((key) => this.#objects.get(key) as KubeObject);
  }

  /** The latest events, oldest first. */
  get seen(): readonly SeenEvent[] {
    return this.#seen;
  }

  /** Resolves after the next change is applied. The first change is the initial state. */
  async next(): Promise<true> {
    while (this.#changes.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const change = this.#changes.shift() as Change;
    if (change === 'redefined') await this.#open();
    else await this.#apply(change);
    return true;
  }

  close(): void {
    this.#stopWatching();
    this.#stopListening();
  }

  #push(change: Change): void {
    this.#changes.push(change);
    this.#wake();
  }

  /** Starts a watch, again after a change of how the kind is served. */
  async #open(): Promise<void> {
    const entry = await this.#mapper.mapping(this.#referred);
    const definition = await entry?.load();
    if (definition === this.#definition) return;
    this.#stopWatching();
    this.#objects.clear();
    this.#definition = undefined;
    if (definition === undefined) return;
    const { collection } = await this.#stores.open(definition);
    const snapshot = await this.#firstState(collection);
    // drop the events of the former definition
    this.#changes = this.#changes.filter((change) => change === 'redefined');
    this.#definition = definition;
    this.#stopWatching = collection.watch({
      after: snapshot.revision,
      ...this.#place(collection),
      matches: (stored) => this.#isSelected(stored),
      onEvent: (event) => this.#push(event),
    });
    for (const stored of this.#select(collection, snapshot)) await this.#set(stored);
  }

  async #firstState(collection: Collection): Promise<CollectionSnapshot> {
    const since = this.#since;
    this.#since = undefined;
    try {
      if (since !== undefined) return collection.at(since);
    } catch (error) {
      // the collection has been loaded since, or the revision is compacted
      if (!isStorageError(error)) throw error;
    }
    return collection.mostRecent();
  }

  #place({ resource: { namespaced } }: Collection): { readonly namespace?: string; readonly name?: string } {
    const { name } = this.#referred;
    const { namespace = name === undefined ? undefined : defaultNamespace } = this.#referred;
    return {
      ...(namespaced && namespace !== undefined ? { namespace } : {}),
      ...defined({ name }),
    };
  }

  #select(collection: Collection, snapshot: CollectionSnapshot): StoredObject[] {
    const { namespace, name } = this.#place(collection);
    const scan = (): Iterable<StoredObject> => snapshot.scan(namespace === undefined ? {} : { namespace });
    const candidates = name === undefined ? [...scan()] : [snapshot.get(namespace ?? '', name)];
    return candidates.filter((stored) => stored !== undefined).filter((stored) => this.#isSelected(stored));
  }

  #isSelected({ labels }: StoredObject): boolean {
    return this.#referred.selector?.matches(labels) ?? true;
  }

  async #apply({ type, revision, object }: ObjectEvent): Promise<void> {
    this.#seen.push({ type, revision, name: keyOf(object) });
    if (this.#seen.length > rememberedEvents) this.#seen.shift();
    if (type === 'DELETED') this.#objects.delete(keyOf(object));
    else await this.#set(object);
  }

  async #set(stored: StoredObject): Promise<void> {
    this.#objects.set(keyOf(stored), await readStored(this.#definition as ResourceDefinition, stored));
  }
}

const keyOf = ({ namespace, name }: StoredObject): string => nameOf({ metadata: { namespace, name } });
