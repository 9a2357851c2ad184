import type { TokenGenerator } from '../../authentication/service-account/token-generator.ts';
import type { TokenAuthenticator } from '../../authentication/token/token.ts';
import type { Authorizer } from '../../authorization/authorizer.ts';
import type { AuthorizationRuleResolver } from '../../authorization/rbac/rule-resolver.ts';
import type { ServiceAllocators } from '../../kinds/core/service/allocators.ts';
import type { GroupResource, GroupVersionResource } from '../../machinery/gvk.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ObjectKey } from '../../machinery/object-key.ts';
import type { Listers } from '../../resources/lister.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { Collection } from '../../storage/object-store/contract.ts';
import { dataOf, type StoredObjectData } from '../../storage/object-store/detached-object.ts';
import type { JobWrites } from './effects.ts';

/** Selects stored objects of one resource. */
export interface ObjectQuery {
  readonly collection: GroupResource;
  /** Default: all objects. */
  readonly namespace?: string | undefined;
  /** One object. Default: all objects of the namespace. */
  readonly name?: string | undefined;
  /** The object after which a list begins. */
  readonly after?: ObjectKey | undefined;
  /** `newest`: with every write that any server acknowledged. `corrupt`: objects that cannot be decoded. */
  readonly state: 'known' | 'newest' | 'corrupt';
}

/** Selects objects of the server behind which this one stands. `newest` asks that server for one object. */
export interface ExternalQuery {
  readonly resource: GroupVersionResource;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly state: 'known' | 'newest';
}

/** The parts of the server that a job asks. Arguments and results are plain data. Only allocations and writes change anything. */
export interface AskedParts {
  readonly objects: {
    find(query: ObjectQuery): Promise<readonly StoredObjectData[]>;
    /** See Collection.isStale. */
    isStale(collection: GroupResource, key: ObjectKey): Promise<boolean>;
    /** Resolves with undefined if the objects are not known in time. */
    findExternal(query: ExternalQuery): Promise<readonly KubeObject[] | undefined>;
  };
  readonly writes: JobWrites;
  readonly authorizer: Authorizer;
  readonly ruleResolver: AuthorizationRuleResolver;
  readonly tokens: TokenAuthenticator & { issue: TokenGenerator; allowsAnonymous(): Promise<boolean> };
  readonly serviceAllocators: Omit<ServiceAllocators, 'families'>;
}

/** Returns the stored objects of the server, and those that it knows of another one. */
export const askedObjects = (stores: ResourceStores, listers: Listers): AskedParts['objects'] => ({
  async find(query) {
    const { namespace, name, after, state } = query;
    const collection = await collectionOf(stores, query.collection);
    if (state === 'corrupt') return collection.corrupt().map(dataOf);
    const snapshot = state === 'newest' ? await collection.mostRecent() : collection.latest();
    if (name === undefined) return [...snapshot.scan({ namespace, ...(after && { after }) })].map(dataOf);
    const stored = snapshot.get(namespace ?? '', name);
    return stored === undefined ? [] : [dataOf(stored)];
  },
  async isStale(collection, { namespace, name }) {
    const found = await collectionOf(stores, collection);
    const stored = found.latest().get(namespace, name);
    return stored !== undefined && found.isStale(stored);
  },
  async findExternal({ resource, namespace, name, state }) {
    if (state === 'newest') {
      if (listers.external === undefined) throw new Error('this server stands behind no other');
      return [await listers.external.get(resource, namespace ?? '', name ?? '')];
    }
    const lister = await listers.open(resource).catch(() => undefined);
    if (lister === undefined || namespace === undefined || name === undefined) return lister?.list(namespace);
    const known = lister.get(namespace, name);
    return known === undefined ? [] : [known];
  },
});

/**
 * Returns the objects of a resource.
 *
 * @throws Error if the resource is no longer served
 */
export async function collectionOf(stores: ResourceStores, { group, resource }: GroupResource): Promise<Collection> {
  const entry = stores.registry.stored(group, resource);
  if (entry === undefined) throw new Error(`no objects of ${resource} in group "${group}" are served`);
  return (await stores.open(entry.definition ?? (await entry.load()))).collection;
}
