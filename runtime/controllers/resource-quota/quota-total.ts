import type { Evaluator, Measure } from '../../admission/quota/evaluator.ts';
import { isInScopes, type Quota } from '../../admission/quota/quota.ts';
import { addQuantities, type Quantity, subtractQuantities } from '../../machinery/scalars/quantity.ts';
import {
  type Amounts,
  addTo,
  mask,
  none,
  removeZeros,
  subtractWithNonNegativeResult,
  zero,
} from '../../machinery/scalars/resource-amounts.ts';

/** The total usage of many objects, for the resources of one quota. */
export class QuotaTotal {
  readonly #quota: Quota;
  readonly #amounts = new Map<string, Quantity>();
  readonly #released = new Map<string, Quantity>();

  constructor(quota: Quota, evaluator: Evaluator) {
    this.#quota = quota;
    for (const name of quota.spec.keys()) if (evaluator.matches(name)) this.#amounts.set(name, zero);
  }

  get amounts(): Amounts {
    return this.#amounts;
  }

  /** The total usage that objects have released, without regard to new usage. */
  get released(): Amounts {
    return this.#released;
  }

  /** Reports whether the total is for this quota, regardless of its amounts. */
  isOf(quota: Quota): boolean {
    return this.#quota.countingKey === quota.countingKey;
  }

  add(measure: Measure): void {
    this.#change(measure, addQuantities);
  }

  /** Replaces the usage of a changed object. @param before undefined for a new object; `after` for a deleted one */
  replace(before: Measure | undefined, after: Measure | undefined): void {
    if (before !== undefined) this.#change(before, subtractQuantities);
    if (after !== undefined) this.#change(after, addQuantities);
    if (before !== undefined) addTo(this.#released, removeZeros(subtractWithNonNegativeResult(this.#of(before), this.#of(after))));
  }

  #of(measure: Measure | undefined): Amounts {
    if (measure === undefined || !isInScopes(this.#quota, measure)) return none;
    return mask(measure.usage, (name) => this.#amounts.has(name));
  }

  #change(measure: Measure, operation: typeof addQuantities): void {
    if (!isInScopes(this.#quota, measure)) return;
    for (const [name, before] of this.#amounts) {
      const amount = measure.usage.get(name);
      if (amount === undefined) continue;
      const after = operation(before, amount);
      this.#amounts.set(name, after.unscaled === 0n ? zero : after);
    }
  }
}
