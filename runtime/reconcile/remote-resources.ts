import type { GroupVersion, GroupVersionResource } from '../machinery/gvk.ts';
import type { Json } from '../machinery/object.ts';
import type { UserInfo } from '../machinery/user-info.ts';

/** A namespaced resource that another server serves, as a user of it. */
export interface RemoteResource extends GroupVersionResource {
  readonly verbs: readonly string[];
  /** Deletes the objects of a namespace, in the background. @throws Error with the words of a client */
  deleteAll(namespace: string): Promise<void>;
  /** The objects that are in the namespace. @throws Error with the words of a client */
  list(namespace: string): Promise<readonly RemoteObject[]>;
}

export interface RemoteObject {
  readonly name: string;
  readonly finalizers: readonly string[];
}

/** What an aggregation layer knows of the resources of other servers. */
export interface RemoteResources {
  /** Why the resources of some group-versions are not known. */
  failures(): ReadonlyMap<string, string>;
  /** Each resource at its preferred version. */
  namespaced(user: UserInfo): readonly RemoteResource[];
  /** Reads something else of a group-version. @param path below it, as `/namespaces/x/pods` @throws Error with the words of a client */
  get(groupVersion: GroupVersion, path: string, user: UserInfo): Promise<Json>;
}

/** For servers without an aggregation layer. */
export const noRemoteResources: RemoteResources = {
  failures: () => new Map(),
  namespaced: () => [],
  get: () => Promise.reject(new Error('the server could not find the requested resource')),
};
