import type { Expr } from '../syntax/ast.ts';
import type { DeclType } from '../types/decl-type.ts';
import type { Type } from '../types/type.ts';
import type { Estimate } from './estimates.ts';

/** The cost of a call without evaluating its arguments, and the size of its result. (checker.CallEstimate) */
export interface CallEstimate {
  readonly cost: Estimate;
  readonly size?: Estimate;
}

/** The target or an argument of a call. (checker.AstNode) */
export interface AstNode {
  readonly expr?: Expr;
  readonly type: Type;
  /** The path to the value, from the variable on: `self`, `spec`, `@items`. */
  readonly path: readonly string[];
  /** The size, if it is known without a schema. */
  readonly known: Estimate | undefined;
}

/** A call whose cost is estimated. */
export interface CallSite {
  readonly name: string;
  readonly overload: string;
  readonly target: AstNode | undefined;
  readonly args: readonly AstNode[];
  /** Returns the known size, the size by the schema, or `unknownSize`, also of an argument that the call lacks. */
  size(node: AstNode | undefined): Estimate;
}

/** Returns the size of the value at a path that begins with a variable; undefined if unknown. (CostEstimator.EstimateSize) */
export type SizeEstimator = (path: readonly string[]) => Estimate | undefined;

/**
 * Estimates sizes by the maximum number of elements that a schema allows. (apiserver pkg/apiserver/schema/cel
 * sizeEstimator)
 */
export function schemaSizeEstimator(root: DeclType): SizeEstimator {
  return (path) => {
    if (path.length === 0) return undefined;
    let current: DeclType | undefined = root;
    for (const name of path.slice(1)) {
      if (name === '@items' || name === '@values') current = current.element;
      else if (name === '@keys') current = current.key;
      else current = current.fields?.get(name);
      if (!current) return undefined;
    }
    return { min: 0n, max: BigInt(current.maxElements) };
  };
}
