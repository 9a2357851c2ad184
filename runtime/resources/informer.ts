import type { GroupVersionResource } from '../machinery/gvk.ts';
import type { KubeObject } from '../machinery/object.ts';
import type { ResourceDefinition } from '../machinery/resource.ts';
import type { StoredObject } from '../storage/object-store/contract.ts';
import type { ResourceStore } from './resource-store.ts';
import type { ResourceStores } from './stores.ts';

/** A resource at one version, in the server's own store. */
export interface OpenResource {
  readonly definition: ResourceDefinition;
  readonly store: ResourceStore;
}

/** A handler for changes of a resource's objects. (client-go tools/cache ResourceEventHandler) */
export interface ResourceEventHandler<T> {
  /** Called for a new or changed object. The handler may keep it, but must not change it. */
  onSet(object: T): void;
  onDelete(namespace: string, name: string): void;
}

/** Opens a resource, which the server must serve at this version. */
export async function openResource(stores: ResourceStores, resource: GroupVersionResource): Promise<OpenResource> {
  const definition = await stores.registry.definition(resource);
  return { definition, store: await stores.open(definition) };
}

/** Yields the current objects at the resource's version. The caller owns them. */
export function* listObjects({ definition, store }: OpenResource): Iterable<KubeObject> {
  for (const stored of store.collection.latest().scan()) yield decode(definition, stored);
}

/**
 * Calls the handler for every existing object, and then for every change, before the write of the change resolves. The
 * handler keeps the data that requests need, so that nothing is decoded while they run. `T` is the type of the objects
 * at this version.
 *
 * @param knowsExisting whether the handler gets changes only
 * @returns a function that stops the informer
 */
export async function startInformer<T extends KubeObject>(
  stores: ResourceStores,
  resource: GroupVersionResource,
  handler: ResourceEventHandler<T>,
  knowsExisting = false,
): Promise<() => void> {
  const { definition, store } = await openResource(stores, resource);
  const snapshot = store.collection.latest();
  for (const stored of knowsExisting ? [] : snapshot.scan()) notify(handler, definition, stored);
  return store.collection.watch({
    after: snapshot.revision,
    onEvent({ type, object }) {
      if (type === 'DELETED') handler.onDelete(object.namespace, object.name);
      else notify(handler, definition, object);
    },
  });
}

/** Calls the handler for one object. If the handler throws, the object counts as deleted, and the informer goes on. */
function notify<T extends KubeObject>(handler: ResourceEventHandler<T>, definition: ResourceDefinition, stored: StoredObject): void {
  try {
    handler.onSet(decode(definition, stored) as T);
  } catch (error) {
    handler.onDelete(stored.namespace, stored.name);
    const { group, resource } = definition;
    process.emitWarning(`an object of ${resource}.${group} was ignored: ${(error as Error)?.stack ?? error}`);
  }
}

function decode({ conversion }: ResourceDefinition, stored: StoredObject): KubeObject {
  return conversion.fromStorage(stored.decode());
}

/** A resource and the handler of its objects. */
interface Informed<T> extends ResourceEventHandler<T> {
  readonly resource: GroupVersionResource;
}

/**
 * Starts an informer for each resource that the server serves. Resolves when all existing objects are handled.
 *
 * @returns a function that stops them
 */
export async function startInformers<T extends readonly KubeObject[]>(
  stores: ResourceStores,
  informed: { readonly [K in keyof T]: Informed<T[K]> },
  knowExisting = false,
): Promise<() => void> {
  const served = informed.filter(({ resource: { group, version, resource } }) => stores.serves(group, version, resource));
  const stops = await Promise.all(served.map((one) => startInformer(stores, one.resource, one, knowExisting)));
  return () => {
    for (const stop of stops) stop();
  };
}
