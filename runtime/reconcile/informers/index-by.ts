import type { KubeObject } from '../../machinery/object.ts';

/** The keys under which an object is found. (client-go tools/cache IndexFunc) */
export type IndexFunction<T> = (object: T) => readonly string[];

/** Objects by keys of which an object may have several, or none. */
export class Index<T extends KubeObject> {
  readonly #keysOf: IndexFunction<T>;
  readonly #objects = new Map<string, Map<string, T>>();

  constructor(keysOf: IndexFunction<T>) {
    this.#keysOf = keysOf;
  }

  /** The order is not defined. */
  of(key: string): Iterable<T> {
    return this.#objects.get(key)?.values() ?? [];
  }

  count(key: string): number {
    return this.#objects.get(key)?.size ?? 0;
  }

  /** The keys that have objects. */
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

/** The namespace and the name of an object. */
export const nameOf = ({ metadata }: KubeObject): string => `${metadata.namespace ?? ''}/${metadata.name}`;

const noKeys: readonly string[] = [];

/** The uid of the owner that controls the object; of an orphan, `orphans/` and its namespace. (PodControllerIndex) */
export const byController: IndexFunction<KubeObject> = ({ metadata }) => [
  metadata.ownerReferences?.find(({ controller }) => controller)?.uid ?? orphansOf(metadata.namespace ?? ''),
];

/** The key of `byController` for the objects of a namespace that no owner controls. */
export const orphansOf = (namespace: string): string => `orphans/${namespace}`;

/** The node that a pod is assigned to. (pkg/controller/util/node, spec.nodeName) */
export const byNode: IndexFunction<KubeObject & { readonly spec?: { readonly nodeName?: string } }> = ({ spec }) =>
  spec?.nodeName ? [spec.nodeName] : noKeys;
