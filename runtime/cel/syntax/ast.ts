import type { Value } from '../values/value.ts';

/** A node's identity: keys its position, its type, what it refers to and its sizes. */
export type NodeId = number;

export interface Literal {
  readonly kind: 'literal';
  readonly id: NodeId;
  readonly value: Value;
}

/** The checker may rewrite `name` to the fully qualified one. */
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
  /** `has(operand.field)`. */
  readonly test: boolean;
}

export interface Call {
  readonly kind: 'call';
  readonly id: NodeId;
  readonly name: string;
  /** Present for `target.name(args)`. */
  readonly target?: Expr;
  readonly args: readonly Expr[];
}

export interface ListExpr {
  readonly kind: 'list';
  readonly id: NodeId;
  readonly elements: readonly Expr[];
  /** Positions of `?element`. */
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

/** What every macro over a list or map becomes: a fold with one or two iteration variables. */
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

/** Stands where an error was reported. */
export interface Unspecified {
  readonly kind: 'unspecified';
  readonly id: NodeId;
}

export type Expr = Literal | Ident | Select | Call | ListExpr | MapExpr | Struct | Comprehension | Unspecified;

/** The variable macros fold into; no expression can name it. */
export const accumulatorName = '@result';

/** `a.b.c` of plain idents and selects. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name;
  if (expr.kind !== 'select' || expr.test) return undefined;
  const prefix = qualifiedName(expr.operand);
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`;
}

/** Calls `visit` with the node and all below it, parents first. */
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
