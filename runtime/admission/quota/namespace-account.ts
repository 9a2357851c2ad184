import type { Clock } from '../../machinery/clock.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';
import { TimeSlice } from '../../machinery/event-loop/yield.ts';
import type { Quantity } from '../../machinery/scalars/quantity.ts';
import { type Amounts, add, addTo, equalAmounts, mask, subtractWithNonNegativeResult } from '../../machinery/scalars/resource-amounts.ts';
import { mayBeWritten } from '../../resources/write/steps.ts';
import {
  type BoundingQuota,
  type Charge,
  charge,
  chargesOf,
  increaseFor,
  isRefusal,
  type QuotaRequest,
  type Refusal,
} from './check-request.ts';
import type { Evaluator } from './evaluator.ts';
import type { Correction, ObservedUsage } from './observed-usage.ts';
import type { Quota } from './quota.ts';
import type { QuotaStatusWriter } from './status-writer.ts';

/** The reservation of a write. */
export interface Reservation {
  readonly namespace: string;
  readonly id: number;
}

/** Undefined if the write needed no reservation. */
export type ReserveResult = Refusal | Reservation | undefined;

export interface NamespaceAccountOptions {
  readonly namespace: string;
  readonly statusWriter: QuotaStatusWriter;
  readonly clock: Clock;
  /** Resolves when this server knows all writes of other servers. Undefined if no other server writes to the store. */
  readonly refresh?: (() => Promise<unknown>) | undefined;
  quotas(): readonly Quota[];
  observed(): ObservedUsage | undefined;
  report(error: unknown): void;
  /** Called when no reservation, return or waiting call is left. */
  onIdle(): void;
}

/** A write that waits to be judged. */
interface Applicant {
  readonly request: QuotaRequest;
  readonly evaluator: Evaluator;
}

interface Waiting<T> {
  resolve(result: T): void;
  reject(error: unknown): void;
}

/** A quota during judging: `used` grows with each accepted write. */
interface Page extends BoundingQuota {
  used: Amounts;
  isCharged: boolean;
  readonly correction?: Correction;
}

type Verdict = Refusal | readonly Charge[];

interface JudgedTurn {
  readonly pages: readonly Page[];
  /** Returned charges, which the pages no longer include. */
  readonly givenBack: readonly Charge[];
  /** The verdicts on the applicants. The pages include their charges. */
  readonly verdicts: readonly Verdict[];
  /** Whether newer statuses could change the result. */
  readonly needsNewest: boolean;
}

interface Reserved {
  readonly request: QuotaRequest;
  readonly charges: readonly Charge[];
  readonly reservedAt: number;
}

/** The most writes in one turn. */
const mostInTurn = 256;

/**
 * Milliseconds after which a reservation is not given back, because other servers may count it as lost. Less than their
 * quiet period.
 */
const mostReserved = 45_000;

/** The most changes of quotas while their usage is counted for the first time. */
const mostRounds = 100;

/** The quotas of one namespace, and the calls that wait for them. */
export class NamespaceAccount {
  readonly #options: NamespaceAccountOptions;
  readonly #reserved = new Map<number, Reserved>();
  #applicants: (Applicant & Waiting<ReserveResult>)[] = [];
  #syncing: Waiting<void>[] = [];
  /** Charges of writes that were not stored. */
  #givenBack: Charge[] = [];
  #isRunning = false;
  #lastId = 0;

  constructor(options: NamespaceAccountOptions) {
    this.#options = options;
  }

  /** Returns a promise only if the room in a quota must be checked. */
  reserve(applicant: Applicant): ReserveResult | Promise<ReserveResult> {
    const isObserved = this.#options.observed() !== undefined;
    const bounding = this.#options
      .quotas()
      // the used amounts do not matter yet
      .map((quota) => (isObserved ? { quota, hard: quota.spec, used: quota.spec } : { quota, ...quota.status }));
    const charges = chargesOf(applicant.request, applicant.evaluator, bounding);
    const mayBeOld = isRefusal(charges) && this.#options.refresh !== undefined;
    if (!mayBeOld && (isRefusal(charges) || charges.length === 0)) {
      this.#forgetIfIdle();
      return isRefusal(charges) ? charges : undefined;
    }
    return new Promise((resolve, reject) => {
      this.#applicants.push({ ...applicant, resolve, reject });
      this.#run();
    });
  }

  settle(id: number, stored: boolean): void {
    const reserved = this.#reserved.get(id);
    if (reserved === undefined) return;
    this.#reserved.delete(id);
    if (!this.#isInVain(reserved, stored)) {
      this.#forgetIfIdle();
      return;
    }
    this.#givenBack.push(...reserved.charges);
    this.sync().catch((error) => this.#options.report(error));
  }

  /** Reports whether to give back the amounts of a reservation. */
  #isInVain({ request, reservedAt }: Reserved, stored: boolean): boolean {
    const { refresh, clock } = this.#options;
    // other servers take a late reservation for lost
    if (refresh !== undefined) return !stored && clock.now() - reservedAt < mostReserved;
    const observed = this.#options.observed();
    return observed ? !observed.isSettled(request) : !stored;
  }

  /** Resolves when the statuses include everything known at the call. */
  sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#syncing.push({ resolve, reject });
      this.#run();
    });
  }

  #run(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#takeTurns();
  }

  async #takeTurns(): Promise<void> {
    while (this.#applicants.length + this.#syncing.length > 0) await this.#takeTurn();
    this.#isRunning = false;
    this.#forgetIfIdle();
  }

  #forgetIfIdle(): void {
    if (!this.#isRunning && this.#reserved.size + this.#givenBack.length === 0) this.#options.onIdle();
  }

  /**
   * Judges the waiting writes, writes changed statuses, and resolves the waiting calls. If other servers write statuses
   * too, only the newest statuses can refuse a write, and a status is only written over the status it was computed
   * from.
   */
  async #takeTurn(): Promise<void> {
    const applicants: (Applicant & Waiting<ReserveResult>)[] = [];
    const syncing: Waiting<void>[] = [];
    const { refresh } = this.#options;
    try {
      for (let isNewest = refresh === undefined; ; isNewest = true) {
        const quotas = await this.#countedQuotas();
        applicants.push(...this.#applicants.splice(0, mostInTurn - applicants.length));
        syncing.push(...this.#syncing.splice(0));
        const judged = await this.#judge(quotas, applicants);
        if (isNewest || !judged.needsNewest) {
          if (await this.#write(judged)) {
            for (const [index, { request, resolve }] of applicants.entries()) {
              resolve(this.#reservationOf(request, elementAt(judged.verdicts, index)));
            }
            for (const { resolve } of syncing) resolve();
            return;
          }
        }
        await refresh?.();
      }
    } catch (error) {
      const everybody = syncing.length + applicants.length > 0 ? [...applicants, ...syncing] : this.#removeAll();
      for (const { reject } of everybody) reject(error);
    }
  }

  async #judge(quotas: readonly Quota[], applicants: readonly Applicant[]): Promise<JudgedTurn> {
    const givenBack = [...this.#givenBack];
    // changes during a pause make pages too strict, never too generous
    const slice = new TimeSlice();
    const pages: Page[] = [];
    for (const quota of quotas) {
      pages.push(this.#pageOf(quota, givenBack));
      if (slice.isOver) await slice.next();
    }
    const verdicts: Verdict[] = [];
    for (const applicant of applicants) {
      verdicts.push(judge(applicant, pages));
      if (slice.isOver) await slice.next();
    }
    const needsNewest = verdicts.some(isRefusal) || pages.some(({ correction }) => correction?.needsNewest);
    return { pages, givenBack, verdicts, needsNewest };
  }

  #reservationOf(request: QuotaRequest, verdict: Verdict): ReserveResult {
    if (isRefusal(verdict)) return verdict;
    if (verdict.length === 0) return undefined;
    const id = ++this.#lastId;
    this.#reserved.set(id, { request, charges: verdict, reservedAt: this.#options.clock.now() });
    return { namespace: this.#options.namespace, id };
  }

  #removeAll(): Waiting<never>[] {
    return [...this.#applicants.splice(0), ...this.#syncing.splice(0)];
  }

  /** Returns the quotas once everything that counts for them has been counted. */
  async #countedQuotas(): Promise<readonly Quota[]> {
    for (let round = 0; round < mostRounds; round++) {
      const quotas = this.#options.quotas();
      const observed = this.#options.observed();
      const counting = quotas.flatMap((quota) => observed?.whenCounted(quota) ?? []);
      if (counting.length === 0) return quotas;
      await Promise.all(counting);
    }
    throw new Error('the quotas of a namespace change faster than their usage can be counted');
  }

  #pageOf(quota: Quota, givenBack: readonly Charge[]): Page {
    const { hard, used } = quota.status;
    const observed = this.#options.observed();
    const isShared = this.#options.refresh !== undefined;
    if (observed !== undefined && !isShared) {
      return { quota, hard: quota.spec, used: this.#observedUse(quota, observed), isCharged: false };
    }
    const sum = new Map<string, Quantity>();
    for (const one of givenBack) if (one.quota.uid === quota.uid) addTo(sum, one.amounts);
    if (observed !== undefined) {
      const correction = observed.correction(quota, sum);
      return { quota, hard: quota.spec, used: correction.used, isCharged: false, correction };
    }
    const rest = subtractWithNonNegativeResult(used, sum);
    return { quota, hard, used: mask(rest, (name) => used.has(name)), isCharged: false };
  }

  /** Returns stored plus reserved amounts. Resources that cannot be counted keep the amounts of the status. */
  #observedUse(quota: Quota, observed: ObservedUsage): Amounts {
    let used = observed.usage(quota);
    for (const { request } of this.#reserved.values()) {
      if (!observed.isSettled(request)) used = add(used, increaseFor(quota, request));
    }
    const uncounted = mask(quota.status.used, (name) => !used.has(name));
    return mask(add(used, uncounted), (name) => quota.spec.has(name));
  }

  /** Writes the changed statuses. Resolves with false if one of them was not the expected one. */
  async #write({ pages, givenBack, verdicts }: JudgedTurn): Promise<boolean> {
    const results = await Promise.allSettled(pages.map((page) => this.#writePage(page)));
    const uidsWhere = (is: (result: PromiseSettledResult<boolean>) => boolean): Set<string> =>
      new Set(pages.filter((_, index) => is(elementAt(results, index))).map(({ quota: { uid } }) => uid));
    const written = uidsWhere((result) => result.status === 'fulfilled' && result.value);
    // a write of unknown outcome is not repeated: a usage that is too high gets corrected, one that is too low gets
    // used
    const unknown = uidsWhere((result) => result.status === 'rejected' && mayBeWritten(result.reason));
    const isComplete = written.size === pages.length;
    const isSettled = ({ quota: { uid } }: Charge): boolean => isComplete || written.has(uid) || unknown.has(uid);
    const settled = new Set(givenBack.filter(isSettled));
    this.#givenBack = this.#givenBack.filter((charge) => !settled.has(charge));
    if (isComplete) return true;
    // the turn is repeated: returns the charges of written pages
    const charges = verdicts.flatMap((verdict) => (isRefusal(verdict) ? [] : verdict));
    this.#givenBack.push(...charges.filter(({ quota }) => written.has(quota.uid)));
    const failed = results.find(({ status }) => status === 'rejected');
    if (failed !== undefined) throw (failed as PromiseRejectedResult).reason;
    return false;
  }

  async #writePage({ quota, hard, used, isCharged, correction }: Page): Promise<boolean> {
    const { statusWriter, refresh } = this.#options;
    if (!equalAmounts(used, quota.status.used) || !equalAmounts(hard, quota.status.hard)) {
      const isShared = refresh !== undefined;
      const by = isCharged || (isShared && correction === undefined) ? 'admission' : 'controller';
      try {
        if (!(await statusWriter.write(quota, { hard, used }, { by, onlyIfUnchanged: isShared }))) return false;
      } catch (error) {
        if (mayBeWritten(error)) correction?.done();
        throw error;
      }
    }
    correction?.done();
    return true;
  }
}

/** Charges the pages if all of them have room. Dry runs charge nothing. */
function judge({ request, evaluator }: Applicant, pages: readonly Page[]): Verdict {
  const charges = chargesOf(request, evaluator, pages);
  if (isRefusal(charges)) return charges;
  const charged: { readonly page: Page; readonly used: Amounts }[] = [];
  for (const { quota, amounts } of charges) {
    const page = pages.find((one) => one.quota === quota);
    if (page === undefined) continue;
    const result = charge(page, amounts, request.subresource !== 'status');
    if (isRefusal(result)) return result;
    charged.push({ page, used: result.used });
  }
  if (request.dryRun) return [];
  for (const { page, used } of charged) Object.assign(page, { used, isCharged: true });
  return charges;
}
