import type { Expr } from '../syntax/ast.ts';
import type { DeclType } from '../types/decl-type.ts';
import type { Type } from '../types/type.ts';
import type { Estimate } from './estimates.ts';

/** The cost of a call without its arguments, and the size of what it gives. */
export interface CallEstimate {
  readonly cost: Estimate;
  readonly size?: Estimate;
}

/** An argument as estimates see it. */
export interface AstNode {
  readonly expr?: Expr;
  readonly type: Type;
  /** From the variable to the value: `self`, `spec`, `@items`. */
  readonly path: readonly string[];
  /** What is known of its size without a schema. */
  readonly known: Estimate | undefined;
}

/** A call whose cost is asked for. */
export interface CallSite {
  readonly name: string;
  readonly overload: string;
  readonly target: AstNode | undefined;
  readonly args: readonly AstNode[];
  /** The size, as known, by the schema, or anything. */
  size(node: AstNode): Estimate;
}

/** The size of the value at a path that begins with a variable's name; undefined: unknown. */
export type SizeEstimator = (path: readonly string[]) => Estimate | undefined;

/** Sizes by a schema: the most elements that the value at the path may have. */
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
