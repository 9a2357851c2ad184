import type { KubeObject } from '../../machinery/object.ts';

/** Returns the index keys of an object. (client-go tools/cache IndexFunc) */
export type IndexFunction<T> = (object: T) => readonly string[];

/** Objects by keys. An object may have several keys or none. */
export class Index<T extends KubeObject> {
  readonly #keysOf: IndexFunction<T>;
  readonly #objects = new Map<string, Map<string, T>>();

  constructor(keysOf: IndexFunction<T>) {
    this.#keysOf = keysOf;
  }

  /** Returns the objects of a key, in no defined order. */
  of(key: string): Iterable<T> {
    return this.#objects.get(key)?.values() ?? [];
  }

  count(key: string): number {
    return this.#objects.get(key)?.size ?? 0;
  }

  /** Returns the keys with objects. */
  keys(): Iterable<string> {
    return this.#objects.keys();
  }

  replace(before: T | undefined, after: T | undefined): void {
    if (before !== undefined) for (const key of this.#keysOf(before)) this.#remove(key, before);
    if (after !== undefined) for (const key of this.#keysOf(after)) this.#add(key, after);
  }

  #add(key: string, object: T): void {
    const objects = this.#objects.get(key);
    if (objects === undefined) this.#objects.set(key, new Map([[nameOf(object), object]]));
    else objects.set(nameOf(object), object);
  }

  #remove(key: string, object: T): void {
    const objects = this.#objects.get(key);
    objects?.delete(nameOf(object));
    if (objects?.size === 0) this.#objects.delete(key);
  }
}

/** Returns the namespace and name of an object. */
export const nameOf = ({ metadata }: KubeObject): string => `${metadata.namespace ?? ''}/${metadata.name}`;

const noKeys: readonly string[] = [];

/** Returns the uid of the controlling owner, or `orphans/` and the namespace for an orphan. (PodControllerIndex) */
export const byController: IndexFunction<KubeObject> = ({ metadata }) => [
  metadata.ownerReferences?.find(({ controller }) => controller)?.uid ?? orphansOf(metadata.namespace ?? ''),
];

/** Returns the key in `byController` for the orphans of a namespace. */
export const orphansOf = (namespace: string): string => `orphans/${namespace}`;

/** Returns the node of a pod. (pkg/controller/util/node, spec.nodeName) */
export const byNode: IndexFunction<KubeObject & { readonly spec?: { readonly nodeName?: string } }> = ({ spec }) =>
  spec?.nodeName ? [spec.nodeName] : noKeys;
