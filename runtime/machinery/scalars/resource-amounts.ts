import { addQuantities, compareQuantities, formatQuantity, parseQuantity, type Quantity, subtractQuantities } from './quantity.ts';

/**
 * Arithmetic of resource lists. Functions leave their arguments unchanged unless their comment says otherwise.
 * (apiserver pkg/quota/v1/resources.go)
 */

/** Amounts as text, as objects contain them. (v1.ResourceList) */
type ResourceList = Record<string, string>;

/** Quantities by the name of their resource. */
export type Amounts = ReadonlyMap<string, Quantity>;

export const none: Amounts = new Map();
export const zero: Quantity = { unscaled: 0n, scale: 0, format: 'DecimalSI' };

/** A number of objects. */
export const countOf = (count: number): Quantity => ({ unscaled: BigInt(count), scale: 0, format: 'DecimalSI' });

export function amountsOf(list: Readonly<ResourceList> | null | undefined): Amounts {
  if (list === undefined || list === null) return none;
  const amounts = new Map<string, Quantity>();
  for (const [name, amount] of Object.entries(list)) amounts.set(name, parseQuantity(String(amount)));
  return amounts;
}

/** Returns the amounts with sorted names, as Go writes a map. */
export function resourceListOf(amounts: Amounts): ResourceList {
  return Object.fromEntries(sortedNames(amounts).map((name) => [name, formatQuantity(amounts.get(name) ?? zero)]));
}

export const sortedNames = (amounts: Amounts): string[] => [...amounts.keys()].sort();

/** Adds `amounts` to `sum`, in place. */
export function addTo(sum: Map<string, Quantity>, amounts: Amounts): void {
  for (const [name, amount] of amounts) {
    const before = sum.get(name);
    sum.set(name, before === undefined ? amount : addQuantities(before, amount));
  }
}

/** Raises the amounts in `most` to those of `amounts`, in place. */
export function raiseTo(most: Map<string, Quantity>, amounts: Amounts): void {
  for (const [name, amount] of amounts) {
    const before = most.get(name);
    if (before === undefined || compareQuantities(amount, before) > 0) most.set(name, amount);
  }
}

export function add(a: Amounts, b: Amounts): Amounts {
  const sum = new Map(a);
  addTo(sum, b);
  return sum;
}

/** Returns `a` minus `b`. A resource that only `b` has becomes negative. */
export function subtract(a: Amounts, b: Amounts): Amounts {
  const difference = new Map(a);
  for (const [name, amount] of b) difference.set(name, subtractQuantities(a.get(name) ?? zero, amount));
  return difference;
}

/** Returns `a` minus `b`, with 0 in place of negative amounts. */
export function subtractWithNonNegativeResult(a: Amounts, b: Amounts): Amounts {
  const difference = new Map<string, Quantity>();
  for (const [name, amount] of subtract(a, b)) difference.set(name, isPositive(amount) ? amount : zero);
  return difference;
}

/** Returns the amounts whose names pass. */
export function mask(amounts: Amounts, isWanted: (name: string) => boolean): Amounts {
  const masked = new Map<string, Quantity>();
  for (const [name, amount] of amounts) if (isWanted(name)) masked.set(name, amount);
  return masked;
}

export function removeZeros(amounts: Amounts): Amounts {
  const rest = new Map<string, Quantity>();
  for (const [name, amount] of amounts) if (amount.unscaled !== 0n) rest.set(name, amount);
  return rest;
}

export const isPositive = ({ unscaled }: Quantity): boolean => unscaled > 0n;

export const negativeNames = (amounts: Amounts): string[] =>
  sortedNames(mask(amounts, (name) => (amounts.get(name) ?? zero).unscaled < 0n));

/** Returns the names of the amounts that exceed `limits`. Resources without a limit never do. */
export function exceededNames(amounts: Amounts, limits: Amounts): ReadonlySet<string> {
  const exceeded = new Set<string>();
  for (const [name, amount] of amounts) {
    const limit = limits.get(name);
    if (limit !== undefined && compareQuantities(amount, limit) > 0) exceeded.add(name);
  }
  return exceeded;
}

export function equalAmounts(a: Amounts, b: Amounts): boolean {
  if (a.size !== b.size) return false;
  for (const [name, amount] of a) {
    const other = b.get(name);
    if (other === undefined || compareQuantities(amount, other) !== 0) return false;
  }
  return true;
}

/** `cpu=2,pods=1` */
export const prettyPrint = (amounts: Amounts): string =>
  sortedNames(amounts)
    .map((name) => `${name}=${formatQuantity(amounts.get(name) ?? zero)}`)
    .join(',');
