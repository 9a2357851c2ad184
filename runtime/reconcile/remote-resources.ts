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
  /** Reads another path of a group-version. @throws Error with the words of a client */
  get(groupVersion: GroupVersion, read: RemoteRead, user: UserInfo): Promise<Json>;
}

/** A read of a path that no resource list names. */
export interface RemoteRead {
  /** Below the group-version: `/namespaces/x/pods`. */
  readonly path: string;
  /** The request in errors that another server does not word: `get pods.metrics.k8s.io`. (NewGenericServerResponse) */
  readonly subject: string;
  /** The error if no server is registered for the group-version. Default: that of a path that is not found. */
  readonly unregistered?: string | undefined;
}

/** Returns the error for a group-version without a server. */
export const unregisteredError = ({ subject, unregistered }: Pick<RemoteRead, 'subject' | 'unregistered'>): Error =>
  new Error(unregistered ?? `the server could not find the requested resource (${subject})`);

/** The remote resources of a server without an aggregation layer: none. */
export const noRemoteResources: RemoteResources = {
  failures: () => new Map(),
  namespaced: () => [],
  get: (_groupVersion, read) => Promise.reject(unregisteredError(read)),
};
