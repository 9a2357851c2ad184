import { elementAt } from '../../machinery/collections/element-at.ts';
import { patternOf } from '../../machinery/patterns/pattern.ts';
import { checkFormatCall } from '../library/format-string.ts';
import { type Expr, walk } from '../syntax/ast.ts';
import type { Issues } from '../syntax/errors.ts';
import { durationType, equivalentType, formatType, type Type, timestampType } from '../types/type.ts';
import { convert } from '../values/convert.ts';
import { isError } from '../values/value.ts';
import type { CheckedAst } from './checker.ts';

/**
 * Validates the literals of a well-typed expression as Kubernetes does: durations, timestamps and regular expressions
 * must be valid, aggregates homogeneous, and format strings match their arguments. (cel-go cel/validator.go)
 */
export function checkLiterals(ast: CheckedAst, issues: Issues): void {
  walk(ast.expr, (expr, ancestors) => {
    if (expr.kind === 'call') checkCall(expr, ast, issues);
    if (expr.kind !== 'list' && expr.kind !== 'map') return;
    if (!ancestors.some((parent) => parent.kind === 'call' && parent.name === 'format')) checkTypes(expr, ast, issues);
  });
}

function checkCall(expr: Extract<Expr, { kind: 'call' }>, ast: CheckedAst, issues: Issues): void {
  const report = (id: number, message: string): void => issues.report(ast.offsets.get(id), message);
  if (expr.name === 'format' && expr.target) {
    checkFormatCall(expr, ast, report);
    return;
  }
  const [arg] = expr.args;
  if (arg?.kind !== 'literal') return;
  const isPattern = expr.name === 'matches' && expr.args.length === 1 && typeof arg.value === 'string';
  const invalid =
    (expr.name === 'duration' && isError(convert(arg.value, durationType))) ||
    (expr.name === 'timestamp' && isError(convert(arg.value, timestampType))) ||
    (isPattern && patternOf(arg.value as string).error !== undefined);
  if (invalid) report(arg.id, `invalid ${expr.name} argument`);
}

function checkTypes(expr: Extract<Expr, { kind: 'list' | 'map' }>, ast: CheckedAst, issues: Issues): void {
  const typeAt = (node: Expr, optional: boolean): Type => {
    const type = ast.types.get(node.id) as Type;
    return optional ? (type.params[0] ?? type) : type;
  };
  const compare = (expected: Type, node: Expr, found: Type): boolean => {
    if (equivalentType(expected, found)) return true;
    const message = `expected type '${formatType(expected)}' but found '${formatType(found)}'`;
    issues.report(ast.offsets.get(node.id), message);
    return false;
  };
  if (expr.kind === 'list') {
    const optional = new Set(expr.optional);
    const [first, ...others] = expr.elements.map((element, i) => typeAt(element, optional.has(i)));
    if (first) others.every((type, i) => compare(first, elementAt(expr.elements, i + 1), type));
    return;
  }
  const [first, ...rest] = expr.entries;
  if (!first) return;
  const keys = typeAt(first.key, false);
  const values = typeAt(first.value, first.optional);
  for (const entry of rest) {
    compare(keys, entry.key, typeAt(entry.key, false));
    compare(values, entry.value, typeAt(entry.value, entry.optional));
  }
}
