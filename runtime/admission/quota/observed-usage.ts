import type { Amounts } from '../../machinery/scalars/resource-amounts.ts';
import type { QuotaRequest } from './check-request.ts';
import type { Quota } from './quota.ts';

/** What is stored, as the quota controller counts it. */
export interface ObservedUsage {
  /** Undefined if everything that counts for the quota has been counted; else resolves when more is known. */
  whenCounted(quota: Quota): Promise<void> | undefined;
  /** What is stored now, of every resource of the quota that can be counted. */
  usage(quota: Quota): Amounts;
  /** Whether it includes what was requested, or the request can no longer succeed. */
  isSettled(request: QuotaRequest): boolean;
  /**
   * What the status of a quota should say, which other servers write, too.
   *
   * @param givenBack what this server has reserved in vain
   */
  correction(quota: Quota, givenBack: Amounts): Correction;
}

export interface Correction {
  readonly used: Amounts;
  /** It is right only if nothing has happened that this server does not know of. */
  readonly needsNewest: boolean;
  /** The status says this now. */
  done(): void;
}
