import type { GroupVersionResource } from '../machinery/gvk.ts';
import type { KubeObject } from '../machinery/object.ts';
import type { ResourceDefinition } from '../machinery/resource.ts';
import type { StoredObject } from '../storage/object-store/contract.ts';
import type { ResourceStore } from './resource-store.ts';
import type { ResourceStores } from './stores.ts';

/** A resource at one of its versions, in the server's own store. */
export interface OpenResource {
  readonly definition: ResourceDefinition;
  readonly store: ResourceStore;
}

/** What is told of the objects of a resource. (client-go tools/cache ResourceEventHandler) */
export interface ResourceEventHandler<T> {
  /** The object is new, or has changed. It may be kept, and must not be changed. */
  onSet(object: T): void;
  onDelete(namespace: string, name: string): void;
}

/** The server must serve the resource at this version. */
export async function openResource(stores: ResourceStores, resource: GroupVersionResource): Promise<OpenResource> {
  const definition = await stores.registry.definition(resource);
  return { definition, store: await stores.of(definition) };
}

/** The objects of the resource as they are now, at its version. The caller owns them. */
export function* listObjects({ definition, store }: OpenResource): Iterable<KubeObject> {
  for (const stored of store.collection.latest().scan()) yield decode(definition, stored);
}

/**
 * Tells the handler of every object that exists, and then of every change, before its write resolves. So that nothing is
 * decoded while requests run, the handler keeps what they need. `T` is the type of the objects at this version.
 *
 * @param knowsExisting whether the handler is told of changes only
 * @returns what ends it
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

/** An object that the handler cannot take counts as deleted; the informer goes on with the others. */
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

/** A resource, and what is told of its objects. */
interface Informed<T> extends ResourceEventHandler<T> {
  readonly resource: GroupVersionResource;
}

/**
 * Starts an informer for each of the resources that the server serves. Resolves when all have told of the objects that exist.
 *
 * @returns what ends them
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
