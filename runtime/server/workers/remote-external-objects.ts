import type { GroupVersionResource } from '../../machinery/gvk.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ExternalObjects, FollowedObjects, Listers } from '../../resources/lister.ts';

/** A worker's calls for the objects of the server behind which this one stands. */
export interface ExternalObjectCalls {
  /** Resolves with whether the objects are known, or become known in time. */
  externalIsKnown(resource: GroupVersionResource): Promise<boolean>;
  externalKnown(resource: GroupVersionResource, namespace: string, name: string): KubeObject | undefined;
  externalList(resource: GroupVersionResource, namespace?: string): readonly KubeObject[];
  /** See ExternalObjects.get. */
  externalGet(resource: GroupVersionResource, namespace: string, name: string): Promise<KubeObject>;
}

/** Handles the calls with the server's own listers. */
export function externalObjectCalls(listers: Listers): ExternalObjectCalls {
  const objects = (): ExternalObjects => {
    if (listers.external === undefined) throw new Error('this server stands behind no other');
    return listers.external;
  };
  return {
    externalIsKnown: (resource) =>
      listers.open(resource).then(
        () => true,
        () => false,
      ),
    externalKnown: (resource, namespace, name) => objects().follow(resource).get(namespace, name),
    externalList: (resource, namespace) => objects().follow(resource).list(namespace),
    externalGet: (resource, namespace, name) => objects().get(resource, namespace, name),
  };
}

type Awaits<T> = {
  readonly [K in keyof T]: T[K] extends (...args: infer A) => infer R ? (...args: A) => Awaited<R> : T[K];
};

/** Returns the external objects for a worker, which reads them from the server each time. */
export function remoteExternalObjects(rpc: Awaits<ExternalObjectCalls>): ExternalObjects {
  return {
    follow<T extends KubeObject>(resource: GroupVersionResource): FollowedObjects<T> {
      const isKnown = rpc.externalIsKnown(resource);
      return {
        synced: isKnown ? Promise.resolve() : new Promise(() => undefined),
        // the server decoded it as the resource's type
        get: (namespace, name) => rpc.externalKnown(resource, namespace, name) as T | undefined,
        list: (namespace) => rpc.externalList(resource, namespace) as readonly T[],
      };
    },
    get: async (resource, namespace, name) => rpc.externalGet(resource, namespace, name),
  };
}
