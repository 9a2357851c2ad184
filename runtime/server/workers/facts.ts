import type { GroupResource } from '../../machinery/gvk.ts';
import type { ObjectKey } from '../../machinery/object-key.ts';
import type { StoredObjectData } from '../../storage/object-store/detached-object.ts';

/** The facts that come with a job. It asks for others. */
export interface JobFacts {
  /** The newest revision that the server knows. */
  readonly revision: number;
  readonly objects: readonly Fact[];
  /** The prefix of all keys of the store. */
  readonly root: string;
  /** See Collection.checksSize. */
  readonly checksSize: boolean;
  /** The message of the storage that found the object of the last run too large. */
  readonly refusal?: string | undefined;
}

/** The state of one stored object. */
export interface Fact extends ObjectKey {
  readonly collection: GroupResource;
  /** Undefined if it does not exist. */
  readonly object: StoredObjectData | undefined;
  /** Whether no server has acknowledged a newer state. */
  readonly isNewest: boolean;
}

/** Reports whether a fact is about an object. */
export const isAbout = (fact: Fact, { group, resource }: GroupResource, { namespace, name }: ObjectKey): boolean =>
  fact.name === name && fact.namespace === namespace && fact.collection.resource === resource && fact.collection.group === group;
