/** (conc_alloc.go allocProblemItem) */
export interface AllocationItem {
  /** At least `lowerBound`. */
  readonly target: number;
  readonly lowerBound: number;
  /** At least `lowerBound`. */
  readonly upperBound: number;
}

export interface ConcurrencyAllocation {
  readonly allocations: readonly number[];
  /** Each allocation is the target times this fraction, unless a bound prevents that. */
  readonly fairFraction: number;
}

/** The minimum of a target, so that every item gets a part of a surplus. */
const minTarget = 0.001;
const epsilon = 1e-7;

/**
 * Allocates `sum` in proportion to the targets, within each item's bounds. The solution is unique. Returns undefined if
 * the bounds allow none. (apiserver pkg/util/flowcontrol/conc_alloc.go)
 */
export function computeConcurrencyAllocation(sum: number, items: readonly AllocationItem[]): ConcurrencyAllocation | undefined {
  const lowSum = total(items, ({ lowerBound }) => lowerBound);
  const highSum = total(items, ({ upperBound }) => upperBound);
  if (sum < 0 || lowSum - sum > epsilon || sum - highSum > epsilon) return undefined;
  if (sum === 0) return { allocations: items.map(() => 0), fairFraction: 0 };
  const problem = new AllocationProblem(sum, items);
  const fairFraction = problem.solve();
  return { allocations: problem.allocationsAt(fairFraction), fairFraction };
}

/**
 * The allocated sum is a function of the fraction. The function is linear between the fractions at which an item
 * reaches a bound.
 */
class AllocationProblem {
  readonly #sum: number;
  readonly #items: readonly AllocationItem[];
  readonly #targets: readonly number[];

  constructor(sum: number, items: readonly AllocationItem[]) {
    this.#sum = sum;
    this.#items = items;
    this.#targets = items.map(({ target }) => Math.max(target, minTarget));
  }

  /** Returns the fraction at which the allocations add up to the sum. */
  solve(): number {
    const bends = this.#items
      .flatMap(({ lowerBound, upperBound }, at) => [lowerBound / this.#target(at), upperBound / this.#target(at)])
      .sort((a, b) => a - b);
    let low = 0;
    for (const high of bends) {
      if (total(this.allocationsAt(high), (allocation) => allocation) >= this.#sum - epsilon) {
        return this.#solveBetween(low, high);
      }
      low = high;
    }
    return low;
  }

  allocationsAt(fraction: number): readonly number[] {
    return this.#items.map(({ lowerBound, upperBound }, at) => Math.max(lowerBound, Math.min(upperBound, fraction * this.#target(at))));
  }

  #target(at: number): number {
    return this.#targets[at] ?? minTarget;
  }

  /** @param low the allocated sum is linear from here to `high` */
  #solveBetween(low: number, high: number): number {
    const atLow = this.allocationsAt(low);
    const atMiddle = this.allocationsAt((low + high) / 2);
    // only items that are not at a bound grow with the fraction
    const slope = total(this.#targets, (target, at) => {
      const [below = 0, middle = 0] = [atLow[at], atMiddle[at]];
      return middle > below + Number.EPSILON * below ? target : 0;
    });
    if (slope === 0) return high;
    return Math.min(high, low + (this.#sum - total(atLow, (allocation) => allocation)) / slope);
  }
}

function total<T>(items: readonly T[], value: (item: T, at: number) => number): number {
  return items.reduce((sum, item, at) => sum + value(item, at), 0);
}
