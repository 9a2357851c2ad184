import type { Clock } from '../machinery/clock.ts';
import { hasStatusCode } from '../machinery/errors/status.ts';
import type { ListOptions, WatchEvent, WatchOptions } from './options.ts';
import type { NamedObject, ObjectList } from './resource-client.ts';

/** An object in a reflector's cache. */
export interface ReflectedObject extends NamedObject {
  readonly metadata?: { readonly name?: string; readonly namespace?: string; readonly resourceVersion?: string };
}

/** Lists and watches the reflected objects. (client-go cache.ListerWatcher) */
export interface ListerWatcher<T> {
  list(options: ListOptions): Promise<ObjectList<T>>;
  watch(options: WatchOptions): AsyncIterable<WatchEvent<T>>;
}

export interface ReflectorOptions<T> {
  readonly source: ListerWatcher<T>;
  /** Default: all objects of the source. */
  readonly fieldSelector?: string;
  readonly clock: Clock;
  /** Called when a list or a watch fails, before the retry. */
  readonly onError: (error: unknown) => void;
}

/** Objects in each page of a list. A small page decodes quickly. (client-go pager) */
const pageSize = 500;
/** The minimum duration of a watch in seconds. The maximum is twice that. */
const minWatchTimeout = 300;
/** Milliseconds after which the client ends a watch that the server should have ended. */
const watchGrace = 30_000;
/** The first and the maximum delay before a failed list or watch is retried, in milliseconds. (client-go: the same) */
const initialBackoff = 800;
const maxBackoff = 30_000;

/**
 * Follows objects of another server: lists them, then watches. After a failure it starts over with growing delays, and
 * keeps the known objects meanwhile. (client-go tools/cache Reflector)
 */
export class Reflector<T extends ReflectedObject> {
  /** Resolves when the existing objects are known; never if the reflector is closed before. */
  readonly synced: Promise<void>;
  readonly #options: ReflectorOptions<T>;
  readonly #closed = new AbortController();
  #objects = new Map<string, T>();
  /** Lists by namespace; `undefined` for all. Cleared when an object changes. */
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

  /** Whether the existing objects are known. */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** Calls `listener` after every change, and when the existing objects are known. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  get(namespace: string, name: string): T | undefined {
    return this.#objects.get(`${namespace}/${name}`);
  }

  /**
   * Returns the objects, sorted by name. Returns the same array until something changes.
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
        // the pause prevents a busy loop with a server that ends every watch at once
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

  /** Resolves when the server ends the watch: whether there were any events. */
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
