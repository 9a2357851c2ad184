/** What one party wants of a sum that is divided. */
export interface Claim {
  /** At least `least`. */
  readonly target: number;
  readonly least: number;
  /** At least `least`. */
  readonly most: number;
}

export interface Allocation {
  readonly shares: readonly number[];
  /** Every share is this times its target, unless a bound is in the way. */
  readonly fairFraction: number;
}

/** Nobody's target is nothing: all take part when there is more than enough. */
const leastTarget = 0.001;
const epsilon = 1e-7;

/**
 * Divides `sum` in proportion to the targets, as far as everybody's bounds allow; undefined where they do not, because
 * they add up to more or less. There is exactly one such division. (apiserver pkg/util/flowcontrol/conc_alloc.go)
 */
export function allocate(sum: number, claims: readonly Claim[]): Allocation | undefined {
  const lowest = total(claims, ({ least }) => least);
  const highest = total(claims, ({ most }) => most);
  if (sum < 0 || lowest - sum > epsilon || sum - highest > epsilon) return undefined;
  const targets = claims.map(({ target }) => Math.max(target, leastTarget));
  if (sum === 0) return { shares: claims.map(() => 0), fairFraction: 0 };
  const share = (fraction: number) =>
    claims.map(({ least, most }, at) => Math.max(least, Math.min(most, fraction * targets[at])));
  // what is given out grows with the fraction, in straight lines between the fractions at which somebody meets a bound
  const corners = claims
    .flatMap(({ least, most }, at) => [least / targets[at], most / targets[at]])
    .sort((a, b) => a - b);
  let below = 0;
  for (const corner of corners) {
    if (total(share(corner), (given) => given) >= sum - epsilon) {
      const fraction = between(below, corner, sum, share, targets);
      return { shares: share(fraction), fairFraction: fraction };
    }
    below = corner;
  }
  return { shares: share(below), fairFraction: below };
}

/** The fraction between two corners at which exactly `sum` is given out. */
function between(
  low: number,
  high: number,
  sum: number,
  share: (fraction: number) => readonly number[],
  targets: readonly number[],
): number {
  const atLow = share(low);
  const middle = share((low + high) / 2);
  // only those who meet no bound in between get more
  const sensitive = total(targets, (target, at) => (middle[at] > atLow[at] + Number.EPSILON * atLow[at] ? target : 0));
  if (sensitive === 0) return high;
  return Math.min(high, low + (sum - total(atLow, (given) => given)) / sensitive);
}

function total<T>(items: readonly T[], value: (item: T, at: number) => number): number {
  return items.reduce((sum, item, at) => sum + value(item, at), 0);
}
