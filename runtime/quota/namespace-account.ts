import { TimeSlice } from '../machinery/event-loop/yield.ts';
import {
  type Amounts,
  add,
  equalAmounts,
  mask,
  subtractWithNonNegativeResult,
} from '../machinery/scalars/resource-amounts.ts';
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
import type { ObservedUsage } from './observed-usage.ts';
import type { Quota } from './quota.ts';
import type { QuotaStatusWriter } from './status-writer.ts';

/** What a write has reserved. */
export interface Reservation {
  readonly namespace: string;
  readonly id: number;
}

/** Undefined if nothing had to be reserved. */
export type ReserveResult = Refusal | Reservation | undefined;

export interface NamespaceAccountOptions {
  readonly namespace: string;
  readonly statusWriter: QuotaStatusWriter;
  quotas(): readonly Quota[];
  observed(): ObservedUsage | undefined;
  report(error: unknown): void;
  /** Nothing is reserved, and nobody waits. */
  onIdle(): void;
}

/** A write that wants to be judged. */
interface Applicant {
  readonly request: QuotaRequest;
  readonly evaluator: Evaluator;
}

interface Waiting<T> {
  resolve(result: T): void;
  reject(error: unknown): void;
}

/** A quota while writes are judged: `used` grows with each that is accepted. */
interface Page extends BoundingQuota {
  used: Amounts;
  isCharged: boolean;
}

/** How many writes are judged before others get a turn. */
const mostInTurn = 256;

/** How often quotas may change while their usage is counted for the first time. */
const mostRounds = 100;

/** The quotas of one namespace, and who waits for them. */
export class NamespaceAccount {
  readonly #options: NamespaceAccountOptions;
  readonly #reserved = new Map<number, { readonly request: QuotaRequest; readonly charges: readonly Charge[] }>();
  #applicants: (Applicant & Waiting<ReserveResult>)[] = [];
  #syncing: Waiting<void>[] = [];
  /** What was reserved in vain. */
  #givenBack: Charge[] = [];
  #isRunning = false;
  #lastId = 0;

  constructor(options: NamespaceAccountOptions) {
    this.#options = options;
  }

  /** Returns a promise only if a quota has to be asked for room. */
  reserve(applicant: Applicant): ReserveResult | Promise<ReserveResult> {
    const isObserved = this.#options.observed() !== undefined;
    const bounding = this.#options
      .quotas()
      // how much is used decides nothing yet
      .map((quota) => (isObserved ? { quota, hard: quota.spec, used: quota.spec } : { quota, ...quota.status }));
    const charges = chargesOf(applicant.request, applicant.evaluator, bounding);
    if (isRefusal(charges) || charges.length === 0) {
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
    const observed = this.#options.observed();
    const isInVain = observed ? !observed.isSettled(reserved.request) : !stored;
    if (!isInVain) {
      this.#forgetIfIdle();
      return;
    }
    this.#givenBack.push(...reserved.charges);
    this.sync().catch((error) => this.#options.report(error));
  }

  /** Resolves when the statuses say what was known at the call, or better. */
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
    if (!this.#isRunning && this.#reserved.size === 0) this.#options.onIdle();
  }

  /** Judges everybody who waits, writes the statuses that change, and tells everybody. */
  async #takeTurn(): Promise<void> {
    let applicants: (Applicant & Waiting<ReserveResult>)[] = [];
    let syncing: Waiting<void>[] = [];
    try {
      const quotas = await this.#countedQuotas();
      applicants = this.#applicants.splice(0, mostInTurn);
      syncing = this.#syncing.splice(0);
      const givenBack = this.#givenBack.splice(0);
      // what changes while others work makes pages too careful, never too generous
      const slice = new TimeSlice();
      const pages: Page[] = [];
      for (const quota of quotas) {
        pages.push(this.#pageOf(quota, givenBack));
        if (slice.isOver) await slice.next();
      }
      const accepted: { applicant: (typeof applicants)[number]; charges: readonly Charge[] }[] = [];
      for (const applicant of applicants) {
        const charges = judge(applicant, pages);
        if (!isRefusal(charges) && charges.length > 0 && !applicant.request.dryRun)
          accepted.push({ applicant, charges });
        else applicant.resolve(isRefusal(charges) ? charges : undefined);
        if (slice.isOver) await slice.next();
      }
      await this.#write(
        pages,
        accepted.flatMap(({ charges }) => charges),
      );
      for (const { applicant, charges } of accepted) {
        const id = ++this.#lastId;
        this.#reserved.set(id, { request: applicant.request, charges });
        applicant.resolve({ namespace: this.#options.namespace, id });
      }
      for (const { resolve } of syncing) resolve();
    } catch (error) {
      const everybody = syncing.length + applicants.length > 0 ? [...applicants, ...syncing] : this.#removeAll();
      for (const { reject } of everybody) reject(error);
    }
  }

  #removeAll(): Waiting<never>[] {
    return [...this.#applicants.splice(0), ...this.#syncing.splice(0)];
  }

  /** The quotas, when all that counts for them has been counted. */
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
    if (observed !== undefined)
      return { quota, hard: quota.spec, used: this.#observedUse(quota, observed), isCharged: false };
    const rest = givenBack
      .filter((one) => one.quota.uid === quota.uid)
      .reduce((sum, { amounts }) => subtractWithNonNegativeResult(sum, amounts), used);
    return { quota, hard, used: mask(rest, (name) => used.has(name)), isCharged: false };
  }

  /** What is stored, and what may be about to be stored. What nobody can count stays as it is. */
  #observedUse(quota: Quota, observed: ObservedUsage): Amounts {
    let used = observed.usage(quota);
    for (const { request } of this.#reserved.values()) {
      if (!observed.isSettled(request)) used = add(used, increaseFor(quota, request));
    }
    const uncounted = mask(quota.status.used, (name) => !used.has(name));
    return mask(add(used, uncounted), (name) => quota.spec.has(name));
  }

  /** @param charges what the pages include */
  async #write(pages: readonly Page[], charges: readonly Charge[]): Promise<void> {
    const changed = pages.filter(
      ({ quota: { status }, hard, used }) => !equalAmounts(used, status.used) || !equalAmounts(hard, status.hard),
    );
    const written = await Promise.allSettled(
      changed.map((page) =>
        this.#options.statusWriter.write(page.quota, page, page.isCharged ? 'admission' : 'controller'),
      ),
    );
    const failed = written.find(({ status }) => status === 'rejected');
    if (failed === undefined) return;
    const included = new Set(
      changed.filter((_, index) => written[index].status === 'fulfilled').map(({ quota }) => quota),
    );
    this.#givenBack.push(...charges.filter(({ quota }) => included.has(quota)));
    throw (failed as PromiseRejectedResult).reason;
  }
}

/** Charges the pages, if all of them have room. Dry runs charge nothing. */
function judge({ request, evaluator }: Applicant, pages: readonly Page[]): Refusal | readonly Charge[] {
  const charges = chargesOf(request, evaluator, pages);
  if (isRefusal(charges)) return charges;
  const charged: { readonly page: Page; readonly used: Amounts }[] = [];
  for (const { quota, amounts } of charges) {
    const page = pages[pages.findIndex((one) => one.quota === quota)];
    const result = charge(page, amounts, request.subresource !== 'status');
    if (isRefusal(result)) return result;
    charged.push({ page, used: result.used });
  }
  if (!request.dryRun) for (const { page, used } of charged) Object.assign(page, { used, isCharged: true });
  return charges;
}
