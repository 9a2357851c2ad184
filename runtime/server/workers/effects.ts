import type { QuotaRequest } from '../../admission/quota/check-request.ts';
import type { LimitedEvent } from '../../admission/rate-limiters.ts';
import type { ServiceName } from '../../kinds/core/service/allocators.ts';
import type { GroupResource } from '../../machinery/gvk.ts';
import type { ObjectKey } from '../../machinery/object-key.ts';
import type { EncodedObject } from '../../storage/object-store/contract.ts';

/**
 * A revision that does not exist yet: -1 for the first write of a job, -2 for the second. A later write of the same object
 * expects it.
 */
export type PlannedRevision = number;

/** A write to storage. */
interface WriteEffect {
  readonly collection: GroupResource;
  /** The revision that the object must have: 0 for none, or a planned one. */
  readonly expect: number | PlannedRevision;
  readonly planned: PlannedRevision;
}

export interface PutEffect extends WriteEffect {
  readonly kind: 'put';
  readonly object: EncodedObject;
  /** Whether the object has metadata.generateName. */
  readonly generatesName: boolean;
}

export interface DeleteEffect extends WriteEffect, ObjectKey {
  readonly kind: 'delete';
}

/** The consequences of a job, which the server brings about in order after the job has ended. */
export type Effect =
  | { readonly kind: 'accept'; readonly events: readonly LimitedEvent[] }
  | { readonly kind: 'reserve'; readonly request: QuotaRequest }
  | PutEffect
  | DeleteEffect
  | { readonly kind: 'releaseClusterIP'; readonly address: string; readonly service: ServiceName }
  | { readonly kind: 'releaseNodePorts'; readonly ports: readonly number[] };

/** Returns the key of the written object. */
export const keyOfWrite = (write: PutEffect | DeleteEffect): ObjectKey => (write.kind === 'put' ? write.object : write);
