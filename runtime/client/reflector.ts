import type { Clock } from '../machinery/clock.ts';
import { hasStatusCode } from '../machinery/errors/status.ts';
import type { ListOptions, WatchEvent, WatchOptions } from './options.ts';
import type { NamedObject, ObjectList } from './resource-client.ts';

/** An object as a reflector knows it. */
export interface ReflectedObject extends NamedObject {
  readonly metadata?: { readonly name?: string; readonly namespace?: string; readonly resourceVersion?: string };
}

/** The client of what is followed. (client-go cache.ListerWatcher) */
export interface ListerWatcher<T> {
  list(options: ListOptions): Promise<ObjectList<T>>;
  watch(options: WatchOptions): AsyncIterable<WatchEvent<T>>;
}

export interface ReflectorOptions<T> {
  readonly source: ListerWatcher<T>;
  /** Default: all objects of the source. */
  readonly fieldSelector?: string;
  readonly clock: Clock;
  /** Called when a list or a watch fails, before it is repeated. */
  readonly onError: (error: unknown) => void;
}

/** Objects in each response to a list, so that none takes long to decode. (client-go pager) */
const pageSize = 500;
/** Seconds that a watch lasts at least; at most twice that. */
const minWatchTimeout = 300;
/** Milliseconds that a server has to end a watch, before the client does. */
const watchGrace = 30_000;
/** Milliseconds before a failed list or watch is repeated for the first time, and at most. (client-go: the same) */
const initialBackoff = 800;
const maxBackoff = 30_000;

/**
 * Follows objects of another server: lists them, then watches, and starts over with longer and longer delays when that
 * fails. What is known stays known in between. (client-go tools/cache Reflector)
 */
export class Reflector<T extends ReflectedObject> {
  /** Resolves when the objects that exist are known; never if the reflector is closed before. */
  readonly synced: Promise<void>;
  readonly #options: ReflectorOptions<T>;
  readonly #closed = new AbortController();
  #objects = new Map<string, T>();
  /** By namespace; `undefined` for all. Emptied when an object changes. */
  readonly #lists = new Map<string | undefined, readonly T[]>();
  #resourceVersion: string | undefined;
  #hasSynced = false;
  #markSynced: () => void = () => undefined;
  #backoff = initialBackoff;
  readonly #listeners: (() => void)[] = [];

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
    this.synced = new Promise((resolve) => {
      this.#markSynced = resolve;
    });
    void this.#run();
  }

  /** Whether the objects that exist are known. */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** Calls `listener` after every change, and when the objects that exist are known. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  get(namespace: string, name: string): T | undefined {
    return this.#objects.get(`${namespace}/${name}`);
  }

  /**
   * In the order of their names. The same array as before if nothing has changed.
   *
   * @param namespace default: all namespaces
   */
  list(namespace?: string): readonly T[] {
    let list = this.#lists.get(namespace);
    if (list === undefined) {
      const keys = [...this.#objects.keys()].filter((key) => namespace === undefined || key.startsWith(`${namespace}/`));
      list = keys.sort().map((key) => this.#objects.get(key) as T);
      this.#lists.set(namespace, list);
    }
    return list;
  }

  /** Ends the watch. */
  close(): void {
    this.#closed.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#closed;
    while (!signal.aborted) {
      try {
        if (this.#resourceVersion === undefined) await this.#list(signal);
        // without a pause, a server that ends every watch at once would be kept busy
        if (await this.#watch(signal)) continue;
      } catch (error) {
        if (signal.aborted) return;
        // the events since that version are gone
        if (hasStatusCode(error, 410)) this.#resourceVersion = undefined;
        else this.#options.onError(error);
      }
      await this.#pause(signal);
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { source, fieldSelector } = this.#options;
    const found = new Map<string, T>();
    let next: string | undefined;
    let version: string | undefined;
    do {
      const page = await source.list({ signal, fieldSelector, limit: pageSize, continue: next });
      for (const object of page.items) found.set(keyOf(object), object);
      next = page.metadata.continue || undefined;
      version = page.metadata.resourceVersion;
    } while (next !== undefined);
    if (signal.aborted) return;
    this.#objects = found;
    this.#resourceVersion = version ?? '0';
    this.#hasSynced = true;
    this.#markSynced();
    this.#changed();
  }

  /** Resolves when the server ends the watch, with whether there were any events. */
  async #watch(closed: AbortSignal): Promise<boolean> {
    const { source, fieldSelector, clock } = this.#options;
    const timeoutSeconds = Math.ceil(minWatchTimeout * (1 + Math.random()));
    const late = new AbortController();
    let hadEvents = false;
    const cancel = clock.after(timeoutSeconds * 1000 + watchGrace, () => late.abort());
    try {
      const events = source.watch({
        fieldSelector,
        timeoutSeconds,
        allowWatchBookmarks: true,
        resourceVersion: this.#resourceVersion,
        signal: AbortSignal.any([closed, late.signal]),
      });
      for await (const event of events) {
        if (closed.aborted) break;
        hadEvents = true;
        this.#backoff = initialBackoff;
        this.#take(event);
      }
      return hadEvents;
    } finally {
      cancel();
    }
  }

  #take({ type, object }: WatchEvent<T>): void {
    this.#resourceVersion = object.metadata?.resourceVersion ?? this.#resourceVersion;
    if (type === 'BOOKMARK') return;
    if (type === 'DELETED') this.#objects.delete(keyOf(object));
    else this.#objects.set(keyOf(object), object);
    this.#changed();
  }

  #changed(): void {
    this.#lists.clear();
    for (const listener of this.#listeners) listener();
  }

  #pause(signal: AbortSignal): Promise<void> {
    const delay = this.#backoff * (1 + Math.random());
    this.#backoff = Math.min(this.#backoff * 2, maxBackoff);
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(delay, end);
      signal.addEventListener('abort', end);
      function end(): void {
        cancel();
        signal.removeEventListener('abort', end);
        resolve();
      }
    });
  }
}

const keyOf = ({ metadata: { namespace = '', name = '' } = {} }: ReflectedObject): string => `${namespace}/${name}`;
