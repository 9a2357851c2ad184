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

/** A write to storage. `expect` is the revision that the object must have: 0 for none, or a planned one. */
export type PlannedWrite = {
  readonly collection: GroupResource;
  readonly expect: number | PlannedRevision;
  readonly planned: PlannedRevision;
} & ({ readonly kind: 'put'; readonly object: EncodedObject } | ({ readonly kind: 'delete' } & ObjectKey));

/** The consequences of a job, which the server brings about in order after the job has ended. */
export type Effect =
  | { readonly kind: 'accept'; readonly events: readonly LimitedEvent[] }
  | { readonly kind: 'reserve'; readonly request: QuotaRequest }
  | PlannedWrite
  | { readonly kind: 'releaseClusterIP'; readonly address: string; readonly service: ServiceName }
  | { readonly kind: 'releaseNodePorts'; readonly ports: readonly number[] };

/** Returns the key of the written object. */
export const keyOfWrite = (write: PlannedWrite): ObjectKey => (write.kind === 'put' ? write.object : write);
