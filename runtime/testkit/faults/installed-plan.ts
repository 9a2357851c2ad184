import type { MatchedRequest, RequestPredicate } from '../requests/request-match.ts';
import { requestPredicate } from '../requests/request-match.ts';
import type { FaultAction } from './actions/action.ts';
import type { FaultPlanSpec } from './fault-plan.ts';
import type { FaultPlanHandle } from './faults.ts';
import { Occurrence } from './occurrence.ts';

interface Waiter {
  readonly hits: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** A plan in force: counts matching requests, and decides which of them its action hits. */
export class InstalledPlan implements FaultPlanHandle {
  readonly action: FaultAction;
  /** The name of its fault: `status`, `drop`. */
  readonly kind: string;
  readonly #matches: RequestPredicate;
  readonly #occurrence: Occurrence;
  readonly #onRemove: (plan: InstalledPlan) => void;
  readonly #listeners = new Set<() => void>();
  #waiters: Waiter[] = [];
  #isRemoved = false;
  #matched = 0;
  #hits = 0;

  constructor({ match = {}, occurrence, fault }: FaultPlanSpec, action: FaultAction, onRemove: (plan: InstalledPlan) => void) {
    this.action = action;
    this.kind = Object.keys(fault)[0] ?? '';
    this.#matches = requestPredicate(match);
    this.#occurrence = new Occurrence(occurrence);
    this.#onRemove = onRemove;
  }

  get matches(): number {
    return this.#matched;
  }

  get hits(): number {
    return this.#hits;
  }

  /** Counts an applicable request, and reports whether the action hits it. */
  hit(request: MatchedRequest): boolean {
    if (!this.#matches(request)) return false;
    this.#matched++;
    const isHit = this.#occurrence.next();
    if (isHit) this.#hits++;
    // listeners run after the effect of the hit
    queueMicrotask(() => this.#notify());
    return isHit;
  }

  waitForHits(hits: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiters.push({ hits, resolve, reject });
      this.#notify();
    });
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  remove(): void {
    if (this.#isRemoved) return;
    this.#isRemoved = true;
    this.#onRemove(this);
    this.action.stop?.();
    this.#notify();
  }

  #notify(): void {
    const waiting = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiting) {
      if (this.#hits >= waiter.hits) waiter.resolve();
      else if (this.#isRemoved) waiter.reject(new Error(`the plan was removed after ${this.#hits} hits, not ${waiter.hits}`));
      else this.#waiters.push(waiter);
    }
    for (const listener of this.#listeners) listener();
  }
}
