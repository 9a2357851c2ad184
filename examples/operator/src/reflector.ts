import { type KubeConfig, type KubernetesObject, Watch } from '@kubernetes/client-node';
import type { Clock } from './clock.ts';
import type { List, ListOptions } from './cluster.ts';
import { keyOf } from './pool.ts';
import type { Steps } from './steps/index.ts';

/** The source of objects of one kind. */
export interface Source<T> {
  /** For example `/api/v1/pods`. */
  readonly path: string;
  list(options: ListOptions): Promise<List<T>>;
}

interface Ending {
  /** The newest resourceVersion that the watch delivered. */
  readonly last: string;
  /** The reason why the watch did not end normally: a server's error, or a failed connection, which has no code. */
  readonly error?: { readonly code?: number };
}

/** Minimum milliseconds between the starts of two watches, since a server may end each at once. */
const pause = 1000;

/** Keeps a copy of all objects of a kind: lists them, then watches changes. */
export class Reflector<T extends KubernetesObject> {
  readonly #source: Source<T>;
  readonly #watch: Watch;
  readonly #steps: Steps;
  readonly #clock: Clock;
  readonly #onChange: (object: T) => void;
  readonly #objects = new Map<string, T>();
  #isStopped = false;
  /** Ends the current wait: a watch or a pause. */
  #interrupt = (): void => {};

  constructor(config: KubeConfig, source: Source<T>, steps: Steps, clock: Clock, onChange: (object: T) => void) {
    this.#source = source;
    this.#watch = new Watch(config);
    this.#steps = steps;
    this.#clock = clock;
    this.#onChange = onChange;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  list(): T[] {
    return [...this.#objects.values()];
  }

  /** Resolves when the reflector knows all objects. It goes on until it is stopped. */
  start(): Promise<void> {
    return new Promise((resolve) => void this.#run(resolve));
  }

  stop(): void {
    this.#isStopped = true;
    this.#interrupt();
  }

  async #run(onList: () => void): Promise<void> {
    let from: string | undefined;
    while (!this.#isStopped) {
      const begun = this.#clock.now();
      try {
        from ??= await this.#relist();
        onList();
        const { last, error } = await this.#follow(from);
        from = this.#steps.resumeFrom(last, error);
      } catch {
        // a failed list is tried again
      }
      await this.#wait(begun + pause - this.#clock.now());
    }
  }

  /** Returns the resourceVersion of the list. */
  async #relist(): Promise<string> {
    const { items, metadata } = await this.#source.list(this.#steps.listOptions());
    const gone = new Map(this.#objects);
    for (const object of items) {
      gone.delete(keyOf(object));
      this.#keep(object);
    }
    for (const object of gone.values()) this.#forget(object);
    return metadata?.resourceVersion ?? '';
  }

  #follow(from: string): Promise<Ending> {
    return new Promise((resolve) => {
      let last = from;
      let error: Ending['error'];
      let isOver = false;
      const silence = this.#steps.guardSilence(this.#clock, () => this.#interrupt());
      const hear = (type: string, object: T & { code?: number }): void => {
        silence.heard();
        if (type === 'ERROR') error = object;
        else last = object.metadata?.resourceVersion ?? last;
        if (type === 'ADDED' || type === 'MODIFIED') this.#keep(object);
        else if (type === 'DELETED') this.#forget(object);
      };
      const end = (failure: { statusCode?: number } | null): void => {
        isOver = true;
        silence.end();
        if (failure !== null) error ??= failure.statusCode === undefined ? {} : { code: failure.statusCode };
        resolve(error === undefined ? { last } : { last, error });
      };
      this.#interrupt = () => end(null);
      if (this.#isStopped) return end(null);
      const query = { resourceVersion: from, allowWatchBookmarks: true };
      void this.#watch.watch(this.#source.path, query, hear, end).then((request) => {
        if (isOver) request.abort();
        else this.#interrupt = () => request.abort();
      });
    });
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(ms, resolve);
      this.#interrupt = () => {
        cancel();
        resolve();
      };
      if (this.#isStopped) this.#interrupt();
    });
  }

  #keep(object: T): void {
    this.#objects.set(keyOf(object), object);
    this.#onChange(object);
  }

  #forget(object: T): void {
    this.#objects.delete(keyOf(object));
    this.#onChange(object);
  }
}
