import { TimeSlice } from '../../machinery/event-loop/yield.ts';
import type { ObjectEvent, WatchRequest } from '../object-store/contract.ts';
import type { ObjectChange } from './history.ts';

interface Watcher {
  readonly request: WatchRequest;
  /** The watcher gets changes after this revision. */
  position: number;
  stopped: boolean;
  /** Removes the watcher from the index. */
  remove: () => void;
}

/** The events of one change, shared by watchers. */
type SharedEvents = { [type in ObjectEvent['type']]?: ObjectEvent };

/**
 * The watchers of one collection, indexed by their scope: all objects, one namespace, one name, or one object. A change
 * needs four lookups, and only finds watchers whose namespace and name match. (cacher indexedWatchers)
 */
export class IndexedWatchers {
  readonly #everything = new Set<Watcher>();
  // created on demand: most collections have watchers of few kinds
  #byNamespace: Map<string, Set<Watcher>> | undefined;
  #byName: Map<string, Set<Watcher>> | undefined;
  #byObject: Map<string, Set<Watcher>> | undefined;
  #held: { readonly changes: ObjectChange[]; readonly revision: number } | undefined;

  /**
   * Delivers the changes in `history`, then dispatched ones. The returned function ends that.
   *
   * @param position the newest revision of the store
   */
  add(request: WatchRequest, history: Iterable<ObjectChange>, position: number): () => void {
    const watcher: Watcher = { request, position: request.after, stopped: false, remove: () => undefined };
    for (const change of history) {
      const { namespace, name } = change.object;
      if (request.namespace !== undefined && request.namespace !== namespace) continue;
      if (request.name !== undefined && request.name !== name) continue;
      deliver(watcher, change, {});
    }
    watcher.position = Math.max(request.after, position);
    if (watcher.stopped) return () => undefined;
    watcher.remove = this.#insert(watcher);
    return () => {
      watcher.stopped = true;
      watcher.remove();
    };
  }

  /** Ends the watchers with `onLost`, which must know when events are missing. */
  endAfterLoss(isExpired = false): void {
    for (const watcher of [...this.#all()]) {
      const { onLost } = watcher.request;
      if (onLost === undefined) continue;
      watcher.stopped = true;
      watcher.remove();
      try {
        onLost(isExpired);
      } catch (error) {
        fail(watcher, error);
      }
    }
  }

  *#all(): Generator<Watcher, void, undefined> {
    yield* this.#everything;
    for (const index of [this.#byNamespace, this.#byName, this.#byObject]) {
      for (const watchers of index?.values() ?? []) yield* watchers;
    }
  }

  /** The revision that all watchers have reached while many earlier changes are being delivered. */
  get heldAt(): number | undefined {
    return this.#held?.revision;
  }

  /**
   * Dispatches many changes. Yields to the event loop; other changes wait meanwhile.
   *
   * @param revision the history of watchers that are added meanwhile reaches to it
   */
  async dispatchAll(changes: readonly ObjectChange[], revision: number): Promise<void> {
    if (this.#held !== undefined) {
      for (const change of changes) this.#held.changes.push(change);
      return;
    }
    const held = { changes: [...changes], revision };
    this.#held = held;
    const slice = new TimeSlice();
    // the loop also covers changes that are added meanwhile
    for (const change of held.changes) {
      this.#dispatch(change);
      if (slice.isOver) await slice.next();
    }
    this.#held = undefined;
  }

  dispatch(change: ObjectChange): void {
    if (this.#held === undefined) this.#dispatch(change);
    else this.#held.changes.push(change);
  }

  #dispatch(change: ObjectChange): void {
    const { namespace, name } = change.object;
    const shared: SharedEvents = {};
    deliverAll(this.#everything, change, shared);
    deliverAll(this.#byNamespace?.get(namespace), change, shared);
    deliverAll(this.#byName?.get(name), change, shared);
    if (this.#byObject?.size) deliverAll(this.#byObject.get(`${namespace}/${name}`), change, shared);
  }

  #insert(watcher: Watcher): () => void {
    const { namespace, name } = watcher.request;
    if (namespace === undefined && name === undefined) {
      this.#everything.add(watcher);
      return () => this.#everything.delete(watcher);
    }
    if (name === undefined) {
      this.#byNamespace ??= new Map();
      return insert(this.#byNamespace, namespace as string, watcher);
    }
    if (namespace === undefined) {
      this.#byName ??= new Map();
      return insert(this.#byName, name, watcher);
    }
    this.#byObject ??= new Map();
    return insert(this.#byObject, `${namespace}/${name}`, watcher);
  }
}

function insert(index: Map<string, Set<Watcher>>, key: string, watcher: Watcher): () => void {
  const watchers = index.get(key);
  if (watchers === undefined) index.set(key, new Set([watcher]));
  else watchers.add(watcher);
  return () => {
    const remaining = index.get(key);
    if (remaining?.delete(watcher) && remaining.size === 0) index.delete(key);
  };
}

function deliverAll(watchers: Set<Watcher> | undefined, change: ObjectChange, shared: SharedEvents): void {
  if (watchers === undefined) return;
  for (const watcher of watchers) deliver(watcher, change, shared);
}

function deliver(watcher: Watcher, change: ObjectChange, shared: SharedEvents): void {
  // the watcher was added during this delivery, and got the change from the history
  if (watcher.stopped || change.revision <= watcher.position) return;
  try {
    const event = toEvent(change, watcher.request.matches, shared);
    if (event !== undefined) watcher.request.onEvent(event);
  } catch (error) {
    fail(watcher, error);
  }
}

/** A failing watcher must not affect other watchers or the writer. */
function fail(watcher: Watcher, error: unknown): void {
  watcher.stopped = true;
  process.emitWarning(`a watcher failed and was stopped: ${(error as Error)?.stack ?? error}`);
}

/** Returns the event for a watcher of matching objects. (cacher/cache_watcher.go convertToWatchEvent) */
function toEvent(change: ObjectChange, matches: WatchRequest['matches'], shared: SharedEvents): ObjectEvent | undefined {
  const { current, previous } = change;
  const isIn = current !== undefined && (matches === undefined || matches(current));
  const wasIn = previous !== undefined && (matches === undefined || matches(previous));
  if (!isIn && !wasIn) return undefined;
  const type = !isIn ? 'DELETED' : wasIn ? 'MODIFIED' : 'ADDED';
  shared[type] ??= {
    type,
    revision: change.revision,
    object: type === 'DELETED' ? change.deletedObject : change.object,
    previous,
    deletedObject: type === 'MODIFIED' ? () => change.deletedObject : undefined,
  };
  return shared[type];
}
