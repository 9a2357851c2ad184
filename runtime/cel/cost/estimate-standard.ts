import type { AstNode, CallEstimate, CallSite } from './call-estimate.ts';
import type { Estimate } from './estimates.ts';
import { minOf, oneCost, plus, regexLengthFactor, scaled, stringTraversalFactor, times } from './estimates.ts';

/** Estimates calls of standard functions whose cost depends on the size of their arguments. */
export function estimateStandardCall(
  { overload, target, args }: CallSite,
  size: (node: AstNode | undefined) => Estimate,
): CallEstimate | undefined {
  const [first, second] = args;
  switch (overload) {
    case 'string_format':
      return target && { cost: scaled(size(target), stringTraversalFactor) };
    case 'string_to_bytes': {
      const sz = size(first);
      const max = BigInt.asUintN(64, sz.max * 4n);
      return { cost: scaled(sz, stringTraversalFactor), size: { min: sz.min, max } };
    }
    case 'bytes_to_string': {
      const sz = size(first);
      return { cost: scaled(sz, stringTraversalFactor), size: { min: sz.min / 4n, max: sz.max } };
    }
    case 'strings_quote': {
      const sz = size(first);
      const wide = { min: BigInt.asUintN(64, sz.min + 2n), max: BigInt.asUintN(64, sz.max * 2n + 2n) };
      return { cost: scaled(sz, stringTraversalFactor), size: wide };
    }
    case 'starts_with_string':
    case 'ends_with_string':
      return { cost: scaled(size(first), stringTraversalFactor) };
    case 'in_list':
      return { cost: scaled(size(second), 1) };
    case 'matches_string': {
      if (!target) return undefined;
      const text = scaled(plus(size(target), oneCost), stringTraversalFactor);
      return { cost: times(text, scaled(size(first), regexLengthFactor)) };
    }
    case 'contains_string': {
      if (!target) return undefined;
      const text = scaled(size(target), stringTraversalFactor);
      return { cost: times(text, scaled(size(first), stringTraversalFactor)) };
    }
    default:
  }
  if (!/^(?:(?:less|greater)(?:_equals)?_(?:string|bytes)|equals|not_equals)$/.test(overload)) return undefined;
  const left = size(first).max;
  const right = size(second).max;
  const smallest = minOf(left, right);
  return { cost: scaled({ min: smallest > 0n ? 1n : 0n, max: smallest }, stringTraversalFactor) };
}
