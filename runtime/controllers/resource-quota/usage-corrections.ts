import type { Correction } from '../../admission/quota/observed-usage.ts';
import type { Quota } from '../../admission/quota/quota.ts';
import { type Clock, monotonicClock } from '../../machinery/clock.ts';
import {
  type Amounts,
  add,
  equalAmounts,
  exceededNames,
  mask,
  raiseTo,
  subtractWithNonNegativeResult,
} from '../../machinery/scalars/resource-amounts.ts';

/**
 * How long the usage must not have been raised before whatever is not stored is taken for lost, in milliseconds. Longer than a
 * write can take between its reservation and its end.
 */
export const quietPeriod = 70_000;

/** What is stored of what counts for a quota. */
export interface CountedUsage {
  readonly stored: Amounts;
  /** What objects have ceased to count for, all together. */
  readonly released: Amounts;
}

interface QuotaState {
  readonly countingKey: string;
  /** The part of `released` that the status does not include any more. */
  released: Amounts;
  /** What the status said last. */
  used: Amounts;
  /** When that was last raised. */
  raisedAt: number;
}

/**
 * Corrects statuses whose usage other servers raise when they reserve something. Nobody knows what they have reserved: what is
 * used and not stored may be about to be. So only what was stored and is no longer is subtracted, until nothing
 * has been reserved for so long that the rest must have been lost, as by a server that was killed.
 */
export class UsageCorrections {
  readonly #clock: Clock;
  readonly #states = new Map<string, QuotaState>();

  constructor(clock: Clock) {
    this.#clock = monotonicClock(clock);
  }

  /** The status of a quota may have changed. */
  note(quota: Quota): void {
    const state = this.#states.get(quota.uid);
    if (state === undefined) return;
    const { used } = quota.status;
    if (exceededNames(used, state.used).size > 0) state.raisedAt = this.#clock.now();
    state.used = used;
  }

  of(quota: Quota, { stored, released }: CountedUsage, givenBack: Amounts): Correction {
    const state = this.#stateOf(quota, released);
    const { used } = quota.status;
    const uncounted = mask(used, (name) => !stored.has(name));
    const kept = new Map(stored);
    const notReleased = subtractWithNonNegativeResult(
      mask(used, (name) => stored.has(name)),
      add(givenBack, subtractWithNonNegativeResult(released, state.released)),
    );
    raiseTo(
      kept,
      mask(notReleased, (name) => used.has(name)),
    );
    const isQuiet = this.#clock.now() - state.raisedAt >= quietPeriod;
    const total = (amounts: Amounts): Amounts => mask(add(amounts, uncounted), (name) => quota.spec.has(name));
    const copy = new Map(released);
    return {
      used: total(isQuiet ? stored : kept),
      needsNewest: isQuiet && !equalAmounts(stored, kept),
      done: () => {
        state.released = copy;
      },
    };
  }

  /** In how many milliseconds what is not stored can be taken for lost; undefined if there is none. */
  recountIn(quota: Quota, stored: Amounts): number | undefined {
    const state = this.#states.get(quota.uid);
    const counted = mask(quota.status.used, (name) => stored.has(name));
    if (state === undefined || exceededNames(counted, stored).size === 0) return undefined;
    return Math.max(1, state.raisedAt + quietPeriod - this.#clock.now());
  }

  forget(uid: string): void {
    this.#states.delete(uid);
  }

  /** What had been reserved before a quota is first seen is not known. */
  #stateOf({ uid, countingKey, status }: Quota, released: Amounts): QuotaState {
    let state = this.#states.get(uid);
    if (state?.countingKey !== countingKey) {
      state = { countingKey, released: new Map(released), used: status.used, raisedAt: this.#clock.now() };
      this.#states.set(uid, state);
    }
    return state;
  }
}
