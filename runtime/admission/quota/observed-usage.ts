import type { Amounts } from '../../machinery/scalars/resource-amounts.ts';
import type { QuotaRequest } from './check-request.ts';
import type { Quota } from './quota.ts';

/** The usage of stored objects as the quota controller counts it. */
export interface ObservedUsage {
  /**
   * Returns a promise that resolves when more is known; undefined if everything that counts for the quota has been
   * counted.
   */
  whenCounted(quota: Quota): Promise<void> | undefined;
  /** Returns the stored usage of each resource of the quota that can be counted. */
  usage(quota: Quota): Amounts;
  /** Reports whether the usage includes the request, or the request can no longer succeed. */
  isSettled(request: QuotaRequest): boolean;
  /**
   * Returns the right status of a quota whose status other servers write, too.
   *
   * @param givenBack amounts that this server reserved for writes that were not stored
   */
  correction(quota: Quota, givenBack: Amounts): Correction;
}

export interface Correction {
  readonly used: Amounts;
  /** The correction is only right if this server knows the newest state. */
  readonly needsNewest: boolean;
  /** Records that the status has been corrected. */
  done(): void;
}
