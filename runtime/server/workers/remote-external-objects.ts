import type { GroupVersionResource } from '../../machinery/gvk.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ExternalObjects, FollowedObjects, Listers } from '../../resources/lister.ts';

/** What a worker asks about the objects of the server that this one stands behind. */
export interface ExternalObjectCalls {
  /** Whether the objects are known, or become known in time. */
  externalIsKnown(resource: GroupVersionResource): Promise<boolean>;
  externalKnown(resource: GroupVersionResource, namespace: string, name: string): KubeObject | undefined;
  externalList(resource: GroupVersionResource, namespace?: string): readonly KubeObject[];
  /** As ExternalObjects.get. */
  externalGet(resource: GroupVersionResource, namespace: string, name: string): Promise<KubeObject>;
}

/** Answers with what the server's own listers know. */
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

/** The same objects in a worker, which reads them again each time. */
export function remoteExternalObjects(rpc: Awaits<ExternalObjectCalls>): ExternalObjects {
  return {
    follow<T extends KubeObject>(resource: GroupVersionResource): FollowedObjects<T> {
      const isKnown = rpc.externalIsKnown(resource);
      return {
        synced: isKnown ? Promise.resolve() : new Promise(() => undefined),
        // what the server decoded is of the resource's type
        get: (namespace, name) => rpc.externalKnown(resource, namespace, name) as T | undefined,
        list: (namespace) => rpc.externalList(resource, namespace) as readonly T[],
      };
    },
    get: async (resource, namespace, name) => rpc.externalGet(resource, namespace, name),
  };
}
