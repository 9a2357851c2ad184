import type { Range } from '../check/declarations.ts';
import type { Expr } from '../syntax/ast.ts';
import type { DeclType } from '../types/decl-type.ts';
import type { Type } from '../types/type.ts';

/** An argument as estimates see it. */
export interface SizedNode {
  readonly expr?: Expr;
  readonly type: Type;
  /** From the variable to the value: `self`, `spec`, `@items`. */
  readonly path: readonly string[];
  /** What is known of its size without a schema. */
  readonly known: Range | undefined;
}

/** A call whose cost is asked for. */
export interface SizedCall {
  readonly name: string;
  readonly overload: string;
  readonly target: SizedNode | undefined;
  readonly args: readonly SizedNode[];
  /** The size, as known, by the schema, or anything. */
  size(node: SizedNode): Range;
}

/** The size of the value at a path that begins with a variable's name; undefined: unknown. */
export type SizeHint = (path: readonly string[]) => Range | undefined;

/** Sizes by a schema: the most elements that the value at the path may have. */
export function schemaSizes(root: DeclType): SizeHint {
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
