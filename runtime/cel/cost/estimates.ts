import { maxUint64 } from '../../machinery/scalars/integers.ts';

/** Bounds of a cost or a size. (cel-go checker.CostEstimate, SizeEstimate) */
export interface Estimate {
  readonly min: bigint;
  readonly max: bigint;
}

// arithmetic on uint64 that saturates instead of overflowing (cel-go checker/cost.go)
const twoTo64 = 2 ** 64;

export const stringTraversalFactor = 0.1;
export const regexLengthFactor = 0.25;
export const listBaseCost = 10n;
export const mapBaseCost = 30n;
export const structBaseCost = 40n;

export const fixed = (value: bigint): Estimate => ({ min: value, max: value });
export const unknownSize: Estimate = { min: 0n, max: maxUint64 };
export const noCost = fixed(0n);
export const oneCost = fixed(1n);

const cap = (value: bigint): bigint => (value > maxUint64 ? maxUint64 : value);

function scaleOne(value: bigint, factor: number): bigint {
  const product = Math.ceil(Number(value) * factor);
  return product >= twoTo64 ? maxUint64 : BigInt(product);
}

export const plus = (a: Estimate, b: Estimate): Estimate => ({ min: cap(a.min + b.min), max: cap(a.max + b.max) });
export const times = (a: Estimate, b: Estimate): Estimate => ({ min: cap(a.min * b.min), max: cap(a.max * b.max) });
export const scaled = (a: Estimate, factor: number): Estimate => ({
  min: scaleOne(a.min, factor),
  max: scaleOne(a.max, factor),
});
export const minOf = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const maxOf = (a: bigint, b: bigint): bigint => (a < b ? b : a);
export const union = (a: Estimate, b: Estimate): Estimate => ({
  min: minOf(a.min, b.min),
  max: maxOf(a.max, b.max),
});
export const total = (costs: readonly Estimate[]): Estimate => costs.reduce(plus, noCost);

export function multiplySaturating(a: bigint, b: bigint): bigint {
  return cap(a * b);
}

export function addSaturating(a: bigint, b: bigint): bigint {
  return cap(a + b);
}
