import type { Value } from '../values/value.ts';
import type { Source } from './source.ts';

/** Identifies a node: the key of its position, type, reference and size. */
export type NodeId = number;

export interface Literal {
  readonly kind: 'literal';
  readonly id: NodeId;
  readonly value: Value;
}

/** An identifier. The checker may replace `name` by the qualified name. */
export interface Ident {
  readonly kind: 'ident';
  readonly id: NodeId;
  readonly name: string;
}

export interface Select {
  readonly kind: 'select';
  readonly id: NodeId;
  readonly operand: Expr;
  readonly field: string;
  /** Whether the expression is `has(operand.field)`. */
  readonly test: boolean;
}

export interface Call {
  readonly kind: 'call';
  readonly id: NodeId;
  readonly name: string;
  /** Set for `target.name(args)`. */
  readonly target?: Expr;
  readonly args: readonly Expr[];
}

export interface ListExpr {
  readonly kind: 'list';
  readonly id: NodeId;
  readonly elements: readonly Expr[];
  /** The indexes of elements with a question mark: `?element`. */
  readonly optional: readonly number[];
}

export interface MapEntry {
  readonly id: NodeId;
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface MapExpr {
  readonly kind: 'map';
  readonly id: NodeId;
  readonly entries: readonly MapEntry[];
}

export interface StructField {
  readonly id: NodeId;
  readonly name: string;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface Struct {
  readonly kind: 'struct';
  readonly id: NodeId;
  readonly typeName: string;
  readonly fields: readonly StructField[];
}

/** A fold with one or two iteration variables, to which all macros over lists and maps expand. */
export interface Comprehension {
  readonly kind: 'comprehension';
  readonly id: NodeId;
  readonly range: Expr;
  readonly iterVar: string;
  readonly iterVar2: string;
  readonly accuVar: string;
  readonly accuInit: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** A node with an error that has been reported. */
export interface Unspecified {
  readonly kind: 'unspecified';
  readonly id: NodeId;
}

export type Expr = Literal | Ident | Select | Call | ListExpr | MapExpr | Struct | Comprehension | Unspecified;

/** A parsed expression and the positions of its nodes. */
export interface Ast {
  readonly source: Source;
  readonly expr: Expr;
  /** UTF-16 offsets by node id. */
  readonly offsets: ReadonlyMap<NodeId, number>;
}

/** The accumulator variable of macros, which expressions cannot refer to. */
export const accumulatorName = '@result';

/** Returns `a.b.c` if the expression consists of idents and selects; otherwise undefined. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name;
  if (expr.kind !== 'select' || expr.test) return undefined;
  const prefix = qualifiedName(expr.operand);
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`;
}

/** Visits the expression and all its descendants, parents first. */
export function walk(expr: Expr, visit: (expr: Expr, ancestors: readonly Expr[]) => void): void {
  const ancestors: Expr[] = [];
  const step = (node: Expr): void => {
    visit(node, ancestors);
    ancestors.push(node);
    for (const child of children(node)) step(child);
    ancestors.pop();
  };
  step(expr);
}

export function children(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'select':
      return [expr.operand];
    case 'call':
      return expr.target ? [expr.target, ...expr.args] : expr.args;
    case 'list':
      return expr.elements;
    case 'map':
      return expr.entries.flatMap((entry) => [entry.key, entry.value]);
    case 'struct':
      return expr.fields.map((field) => field.value);
    case 'comprehension':
      return [expr.range, expr.accuInit, expr.condition, expr.step, expr.result];
    default:
      return [];
  }
}
