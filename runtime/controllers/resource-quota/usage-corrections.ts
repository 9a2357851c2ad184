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
 * Milliseconds without an increase after which reserved usage that is not stored counts as lost. Longer than a write
 * can take from its reservation to its end.
 */
export const quietPeriod = 70_000;

/** The stored usage of a quota. */
export interface CountedUsage {
  readonly stored: Amounts;
  /** The total usage that objects have released. */
  readonly released: Amounts;
}

interface QuotaState {
  readonly countingKey: string;
  /** The part of `released` that the status no longer includes. */
  released: Amounts;
  /** The usage of the last status. */
  used: Amounts;
  /** The time of the last increase of `used`. */
  raisedAt: number;
}

/**
 * Corrects statuses that other servers increase when they reserve usage. The reservations of other servers are unknown:
 * usage that is not stored may belong to a write in flight. Only released usage is subtracted, until no reservation has
 * happened for so long that the rest must be lost, as after a crash of a server.
 */
export class UsageCorrections {
  readonly #clock: Clock;
  readonly #states = new Map<string, QuotaState>();

  constructor(clock: Clock) {
    this.#clock = monotonicClock(clock);
  }

  /** Takes over the status of a quota. */
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

  /** Returns the milliseconds until unstored usage counts as lost; undefined if all usage is stored. */
  recountIn(quota: Quota, stored: Amounts): number | undefined {
    const state = this.#states.get(quota.uid);
    const counted = mask(quota.status.used, (name) => stored.has(name));
    if (state === undefined || exceededNames(counted, stored).size === 0) return undefined;
    return Math.max(1, state.raisedAt + quietPeriod - this.#clock.now());
  }

  forget(uid: string): void {
    this.#states.delete(uid);
  }

  /** Returns the state of a quota. Earlier reservations are unknown. */
  #stateOf({ uid, countingKey, status }: Quota, released: Amounts): QuotaState {
    let state = this.#states.get(uid);
    if (state?.countingKey !== countingKey) {
      state = { countingKey, released: new Map(released), used: status.used, raisedAt: this.#clock.now() };
      this.#states.set(uid, state);
    }
    return state;
  }
}
