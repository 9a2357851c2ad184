import type { ObjectEvent, WatchRequest } from '../object-store/contract.ts';
import type { ObjectChange } from './history.ts';

interface Watcher {
  readonly request: WatchRequest;
  /** The revision up to which it has seen everything. */
  position: number;
  stopped: boolean;
}

/** The events one change can be, each made at most once for all watchers. */
type SharedEvents = { [type in ObjectEvent['type']]?: ObjectEvent };

/**
 * The watchers of one collection, by what they can possibly want: all objects, one namespace, one name, or one
 * object. A change looks into four places, and meets only watchers whose namespace and name match.
 */
export class WatchHub {
  readonly #everything = new Set<Watcher>();
  readonly #byNamespace = new Map<string, Set<Watcher>>();
  readonly #byName = new Map<string, Set<Watcher>>();
  readonly #byObject = new Map<string, Set<Watcher>>();

  /**
   * Delivers `missed`, then what `dispatch` brings, until the returned function is called.
   *
   * @param position the revision of the newest change, in `missed` or before it
   */
  add(request: WatchRequest, missed: Iterable<ObjectChange>, position: number): () => void {
    const watcher: Watcher = { request, position: request.after, stopped: false };
    for (const change of missed) {
      const { namespace, name } = change.object;
      if (request.namespace !== undefined && request.namespace !== namespace) continue;
      if (request.name !== undefined && request.name !== name) continue;
      deliver(watcher, change, {});
    }
    watcher.position = Math.max(request.after, position);
    if (watcher.stopped) return () => undefined;
    const remove = this.#place(watcher);
    return () => {
      watcher.stopped = true;
      remove();
    };
  }

  dispatch(change: ObjectChange): void {
    const { namespace, name } = change.object;
    const shared: SharedEvents = {};
    deliverAll(this.#everything, change, shared);
    deliverAll(this.#byNamespace.get(namespace), change, shared);
    deliverAll(this.#byName.get(name), change, shared);
    if (this.#byObject.size > 0) deliverAll(this.#byObject.get(`${namespace}/${name}`), change, shared);
  }

  #place(watcher: Watcher): () => void {
    const { namespace, name } = watcher.request;
    if (namespace === undefined && name === undefined) {
      this.#everything.add(watcher);
      return () => this.#everything.delete(watcher);
    }
    if (name === undefined) return place(this.#byNamespace, namespace as string, watcher);
    if (namespace === undefined) return place(this.#byName, name, watcher);
    return place(this.#byObject, `${namespace}/${name}`, watcher);
  }
}

function place(index: Map<string, Set<Watcher>>, key: string, watcher: Watcher): () => void {
  const watchers = index.get(key);
  if (watchers === undefined) index.set(key, new Set([watcher]));
  else watchers.add(watcher);
  return () => {
    const here = index.get(key);
    if (here?.delete(watcher) && here.size === 0) index.delete(key);
  };
}

function deliverAll(watchers: Set<Watcher> | undefined, change: ObjectChange, shared: SharedEvents): void {
  if (watchers === undefined) return;
  for (const watcher of watchers) deliver(watcher, change, shared);
}

function deliver(watcher: Watcher, change: ObjectChange, shared: SharedEvents): void {
  // A watcher that came while this change was being delivered has had it from the history.
  if (watcher.stopped || change.revision <= watcher.position) return;
  watcher.position = change.revision;
  try {
    const event = toEvent(change, watcher.request.matches, shared);
    if (event !== undefined) watcher.request.onEvent(event);
  } catch (error) {
    // One watcher's mistake must not cost the others their events, nor the writer its answer.
    watcher.stopped = true;
    process.emitWarning(`a watcher failed and is stopped: ${(error as Error)?.stack ?? error}`);
  }
}

/** What a change is to somebody who sees only objects that match. (cacher/cache_watcher.go convertToWatchEvent) */
function toEvent(
  change: ObjectChange,
  matches: WatchRequest['matches'],
  shared: SharedEvents,
): ObjectEvent | undefined {
  const { current, previous } = change;
  const isIn = current !== undefined && (matches === undefined || matches(current));
  const wasIn = previous !== undefined && (matches === undefined || matches(previous));
  if (!isIn && !wasIn) return undefined;
  const type = !isIn ? 'DELETED' : wasIn ? 'MODIFIED' : 'ADDED';
  shared[type] ??= {
    type,
    revision: change.revision,
    object: type === 'DELETED' ? change.deletedObject : change.object,
    ...(previous === undefined ? {} : { previous }),
    ...(type === 'MODIFIED' ? { deletedObject: () => change.deletedObject } : {}),
  };
  return shared[type];
}
