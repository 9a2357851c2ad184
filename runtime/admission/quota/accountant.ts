import type { ResourceQuota } from '../../../generated/v1.35/core/v1/types.ts';
import { type Clock, monotonicClock } from '../../machinery/clock.ts';
import type { Lister, Listers } from '../../resources/lister.ts';
import { isRefusal, type QuotaRequest, type Refusal } from './check-request.ts';
import { NamespaceAccount, type Reservation, type ReserveResult } from './namespace-account.ts';
import type { ObservedUsage } from './observed-usage.ts';
import { type Quota, quotaOf } from './quota.ts';
import { evaluatorOf } from './registry.ts';
import type { QuotaStatusWriter } from './status-writer.ts';

/** The accountant's interface for admission. A worker thread has one that leaves the reservations to its server. */
export interface QuotaReservations {
  /** Prepares the accountant. Must be awaited before any other call. */
  open(): Promise<void>;
  /** Returns a promise only if the room in a quota must be checked. */
  reserve(request: QuotaRequest): ReserveResult | Promise<ReserveResult>;
  /** Ends a reservation when it is known whether the object was stored. */
  settle(reservation: Reservation, stored: boolean): void;
}

export interface AccountantOptions {
  readonly listers: Listers;
  readonly clock: Clock;
  readonly statusWriter: QuotaStatusWriter;
  /** Undefined if no other server writes to the store. */
  readonly shared?: SharedQuotas | undefined;
  report(error: unknown): void;
}

/** Coordination with other servers that reserve parts of the same quotas. */
export interface SharedQuotas {
  /** Resolves when this server knows all writes of other servers. */
  refresh(): Promise<unknown>;
  /** Reports whether the quota controller of this server corrects statuses. */
  isLeading(): boolean;
}

/** Milliseconds that a write waits for its quotas. (quotaEvaluator.Evaluate) */
const timeout = 10_000;
const timedOut: Refusal = { kind: 'internal', message: 'resource quota evaluation timed out' };

/**
 * Accounts for all quotas of a server. The writes of a namespace are judged in batches, one batch after the other. A
 * status is written before the objects that it counts: `used` is never below the stored objects, and never raised above
 * `hard`.
 *
 * With observed usage, the used amounts are the stored and reserved ones, as in the quota controller. Without it, the
 * status counts. If other servers write to the store, the status always counts, and changes by compare and swap.
 * (apiserver pkg/admission/plugin/resourcequota/controller.go quotaEvaluator)
 */
export class QuotaAccountant implements QuotaReservations {
  readonly #options: AccountantOptions;
  readonly #accounts = new Map<string, NamespaceAccount>();
  #quotas: Lister<ResourceQuota> | undefined;
  #observed: ObservedUsage | undefined;

  constructor(options: AccountantOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    this.#quotas ??= await this.#options.listers.open({ group: '', version: 'v1', resource: 'resourcequotas' });
  }

  /** From now on, judges by the stored objects instead of statuses. Undefined ends that. */
  observe(usage: ObservedUsage | undefined): void {
    this.#observed = usage;
  }

  /** Resolves when the statuses of the namespace's quotas are correct. */
  sync(namespace: string): Promise<void> {
    return this.#accountOf(namespace).sync();
  }

  quotasIn(namespace: string): readonly Quota[] {
    return (this.#quotas?.list(namespace) ?? []).map(quotaOf);
  }

  reserve(request: QuotaRequest): ReserveResult | Promise<ReserveResult> {
    const evaluator = evaluatorOf(request.group, request.resource);
    if (evaluator === undefined) return undefined;
    const account = this.#accountOf(request.namespace);
    const waiting = account.reserve({ request, evaluator });
    return waiting instanceof Promise ? this.#withinTimeout(waiting) : waiting;
  }

  settle({ namespace, id }: Reservation, stored: boolean): void {
    this.#accounts.get(namespace)?.settle(id, stored);
  }

  #withinTimeout(waiting: Promise<ReserveResult>): Promise<ReserveResult> {
    return new Promise((resolve, reject) => {
      let isOver = false;
      const cancel = this.#options.clock.after(timeout, () => {
        isOver = true;
        resolve(timedOut);
      });
      const settled = (result: ReserveResult): void => {
        cancel();
        // returns a reservation that came too late for its write
        if (isOver && result !== undefined && !isRefusal(result)) this.settle(result, false);
        resolve(result);
      };
      waiting.then(settled, (error) => {
        cancel();
        reject(error);
      });
    });
  }

  #accountOf(namespace: string): NamespaceAccount {
    let account = this.#accounts.get(namespace);
    if (account === undefined) {
      const { statusWriter, clock, shared, report } = this.#options;
      account = new NamespaceAccount({
        namespace,
        statusWriter,
        clock: monotonicClock(clock),
        refresh: shared && (() => shared.refresh()),
        report,
        quotas: () => this.quotasIn(namespace),
        observed: () => (shared?.isLeading() === false ? undefined : this.#observed),
        onIdle: () => this.#accounts.delete(namespace),
      });
      this.#accounts.set(namespace, account);
    }
    return account;
  }
}
