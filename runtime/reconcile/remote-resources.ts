import type { GroupVersion, GroupVersionResource } from '../machinery/gvk.ts';
import type { Json } from '../machinery/object.ts';
import type { UserInfo } from '../machinery/user-info.ts';

/** A namespaced resource of another server, for one user. */
export interface RemoteResource extends GroupVersionResource {
  readonly verbs: readonly string[];
  /** Deletes the objects of a namespace, in the background. @throws Error with the words of a client */
  deleteAll(namespace: string): Promise<void>;
  /** Returns the objects in the namespace. @throws Error with the words of a client */
  list(namespace: string): Promise<readonly RemoteObject[]>;
}

export interface RemoteObject {
  readonly name: string;
  readonly finalizers: readonly string[];
}

/** The aggregation layer's view of resources on other servers. */
export interface RemoteResources {
  /** Returns, by group-version, the reason why its resources are not known. */
  failures(): ReadonlyMap<string, string>;
  /** Returns each resource at its preferred version. */
  namespaced(user: UserInfo): readonly RemoteResource[];
  /**
   * Reads another path of a group-version. @param path below it, such as `/namespaces/x/pods` @throws Error with the
   * words of a client
   */
  get(groupVersion: GroupVersion, path: string, user: UserInfo): Promise<Json>;
}

/** The remote resources of a server without an aggregation layer: none. */
export const noRemoteResources: RemoteResources = {
  failures: () => new Map(),
  namespaced: () => [],
  get: () => Promise.reject(new Error('the server could not find the requested resource')),
};
