import type { QuotaRequest } from '../../admission/quota/check-request.ts';
import type { LimitedEvent } from '../../admission/rate-limiters.ts';
import type { GroupResource } from '../../machinery/gvk.ts';
import type { ObjectKey } from '../../machinery/object-key.ts';
import type { EncodedObject, StoredObject } from '../../storage/object-store/contract.ts';
import type { StoredObjectData } from '../../storage/object-store/detached-object.ts';

/** A limit that a job counts for, as data. The server brings it about, in the order of the job. */
export type Effect =
  | { readonly kind: 'accept'; readonly events: readonly LimitedEvent[] }
  | { readonly kind: 'reserve'; readonly request: QuotaRequest };

/** An object for Collection.put. */
export interface Put {
  readonly collection: GroupResource;
  readonly object: EncodedObject;
  /** The revision that the object must have; 0 for none. */
  readonly expect: number;
}

/** See Collection.delete. */
export interface Removal extends ObjectKey {
  readonly collection: GroupResource;
  readonly expect: number;
}

/** The revisions of an object that was put. */
export type Revisions = Pick<StoredObject, 'revision' | 'createRevision'>;

/** Stores the objects of a job, after the effects that come before. Resolves with undefined after a conflict. */
export interface JobWrites {
  put(before: readonly Effect[], put: Put): Promise<Revisions | undefined>;
  /** Resolves with the last state, at the revision of the deletion. */
  delete(before: readonly Effect[], removal: Removal): Promise<StoredObjectData | undefined>;
}
