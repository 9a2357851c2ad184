import { LoopSlice } from '../../machinery/event-loop/yield.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ObjectEvent, StoredObject } from '../../storage/object-store/contract.ts';
import { Index, type IndexFunction, nameOf } from './index-by.ts';

/**
 * Callbacks for the objects of a resource. The objects must not be changed. (client-go tools/cache
 * ResourceEventHandler)
 */
export interface ResourceEventHandler<T> {
  onAdd?(object: T): void;
  /**
   * Called for a change. An object that was deleted and recreated under the same name may be reported as a change; its
   * uid then differs.
   */
  onUpdate?(before: T, after: T): void;
  /** @param last the object before its deletion */
  onDelete?(last: T): void;
}

/**
 * The objects of one resource, decoded once and shared by all controllers. Copy an object before changing it. The
 * informer has every write before the write resolves, so controllers need no expectations. (client-go tools/cache
 * SharedIndexInformer)
 */
export class SharedInformer<T extends KubeObject> {
  readonly #decode: (stored: StoredObject) => T;
  readonly #namespaces = new Map<string, Map<string, T>>();
  readonly #indexes = new Map<IndexFunction<T>, Index<T>>();
  readonly #handlers = new Set<ResourceEventHandler<T>>();

  constructor(decode: (stored: StoredObject) => T) {
    this.#decode = decode;
  }

  /** @param namespace "" for cluster-scoped resources */
  get(namespace: string, name: string): T | undefined {
    return this.#namespaces.get(namespace)?.get(name);
  }

  /** Yields the objects of one namespace, or of all, in no defined order. */
  *list(namespace?: string): Iterable<T> {
    if (namespace !== undefined) yield* this.#namespaces.get(namespace)?.values() ?? [];
    else for (const objects of this.#namespaces.values()) yield* objects.values();
  }

  /** Returns the index of a function. The same function always returns the same index, which is kept up to date. */
  index(keysOf: IndexFunction<T>): Index<T> {
    let index = this.#indexes.get(keysOf);
    if (index === undefined) {
      index = new Index(keysOf);
      for (const object of this.list()) index.replace(undefined, object);
      this.#indexes.set(keysOf, index);
    }
    return index;
  }

  /**
   * Calls the handler for each existing object, and then for each change, in the order of revisions, before the write
   * resolves.
   *
   * @returns a function that stops it
   */
  addEventHandler(handler: ResourceEventHandler<T>): () => void {
    this.#handlers.add(handler);
    for (const object of this.list()) handler.onAdd?.(object);
    return () => this.#handlers.delete(handler);
  }

  /**
   * Like `addEventHandler`, for slow handlers: other work runs between slices of existing objects. Changes are reported
   * at once, as additions if the handler does not know the object yet.
   *
   * @param stops receives the function that stops it, before the first call of the handler
   */
  async addEventHandlerInSlices(handler: ResourceEventHandler<T>, stops: (() => void)[]): Promise<void> {
    const untold = new Map<string, T>();
    for (const object of this.list()) untold.set(nameOf(object), object);
    const isFirst = (object: T): boolean => untold.delete(nameOf(object));
    const told: ResourceEventHandler<T> = {
      onAdd: (object) => handler.onAdd?.(object),
      onUpdate: (before, after) => (isFirst(before) ? handler.onAdd?.(after) : handler.onUpdate?.(before, after)),
      onDelete: (last) => {
        if (!isFirst(last)) handler.onDelete?.(last);
      },
    };
    this.#handlers.add(told);
    stops.push(() => {
      this.#handlers.delete(told);
      untold.clear();
    });
    const slice = new LoopSlice();
    for (const [name, object] of untold) {
      if (slice.isOver()) await slice.next();
      // a change may have reported the object meanwhile
      if (untold.delete(name)) handler.onAdd?.(object);
    }
  }

  /** Adds an object that exists when the informer starts. */
  load(stored: StoredObject): void {
    this.#set(stored);
  }

  onEvent({ type, object }: ObjectEvent): void {
    if (type === 'DELETED') this.#delete(object.namespace, object.name);
    else this.#set(object);
  }

  #set(stored: StoredObject): void {
    const { namespace, name } = stored;
    const object = this.#decode(stored);
    let objects = this.#namespaces.get(namespace);
    if (objects === undefined) {
      objects = new Map();
      this.#namespaces.set(namespace, objects);
    }
    const before = objects.get(name);
    objects.set(name, object);
    for (const index of this.#indexes.values()) index.replace(before, object);
    for (const handler of this.#handlers) {
      if (before === undefined) handler.onAdd?.(object);
      else handler.onUpdate?.(before, object);
    }
  }

  #delete(namespace: string, name: string): void {
    const objects = this.#namespaces.get(namespace);
    const last = objects?.get(name);
    if (objects === undefined || last === undefined) return;
    objects.delete(name);
    if (objects.size === 0) this.#namespaces.delete(namespace);
    for (const index of this.#indexes.values()) index.replace(last, undefined);
    for (const handler of this.#handlers) handler.onDelete?.(last);
  }
}
