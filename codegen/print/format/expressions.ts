import ts from 'typescript';
import { breaks, choice, group, ifBroken, indent, indentIfBroken, join, type Layout, line, softLine } from './layout.ts';
import { numberText, quoted } from './literals.ts';
import { braced, bracketed, type LayOut, type Layouts, layoutOf, modifiersOf, nameOf } from './nodes.ts';
import { typeAnnotation, typeArguments } from './types.ts';

/** The layouts of expressions. */
export const expressionLayouts: Layouts = {
  [ts.SyntaxKind.StringLiteral]: layoutOf<ts.StringLiteral>((node) => quoted(node.getText())),
  [ts.SyntaxKind.NumericLiteral]: layoutOf<ts.NumericLiteral>((node) => numberText(node.getText())),
  [ts.SyntaxKind.PropertyAccessExpression]: layoutOf<ts.PropertyAccessExpression>((node, layOut) => [
    layOut(node.expression),
    node.questionDotToken ? '?.' : '.',
    layOut(node.name),
  ]),
  [ts.SyntaxKind.ElementAccessExpression]: layoutOf<ts.ElementAccessExpression>((node, layOut) => [
    layOut(node.expression),
    node.questionDotToken ? '?.[' : '[',
    layOut(node.argumentExpression),
    ']',
  ]),
  [ts.SyntaxKind.CallExpression]: layoutOf<ts.CallExpression>((node, layOut) => [
    layOut(node.expression),
    node.questionDotToken ? '?.' : '',
    typeArguments(node.typeArguments, layOut),
    callArguments(node.arguments, layOut),
  ]),
  [ts.SyntaxKind.NewExpression]: layoutOf<ts.NewExpression>((node, layOut) => [
    'new ',
    layOut(node.expression),
    typeArguments(node.typeArguments, layOut),
    callArguments(node.arguments ?? [], layOut),
  ]),
  [ts.SyntaxKind.ParenthesizedExpression]: layoutOf<ts.ParenthesizedExpression>((node, layOut) => ['(', layOut(node.expression), ')']),
  [ts.SyntaxKind.AsExpression]: layoutOf<ts.AsExpression>((node, layOut) => [layOut(node.expression), ' as ', layOut(node.type)]),
  [ts.SyntaxKind.AwaitExpression]: layoutOf<ts.AwaitExpression>((node, layOut) => ['await ', layOut(node.expression)]),
  [ts.SyntaxKind.PrefixUnaryExpression]: layoutOf<ts.PrefixUnaryExpression>((node, layOut) => [
    ts.tokenToString(node.operator) ?? '',
    layOut(node.operand),
  ]),
  [ts.SyntaxKind.ConditionalExpression]: layoutOf<ts.ConditionalExpression>((node, layOut) =>
    group([layOut(node.condition), indent([line, '? ', indent(layOut(node.whenTrue)), line, ': ', indent(layOut(node.whenFalse))])]),
  ),
  [ts.SyntaxKind.BinaryExpression]: layoutOf<ts.BinaryExpression>(binary),
  [ts.SyntaxKind.ArrowFunction]: layoutOf<ts.ArrowFunction>((node, layOut) => arrow(node, layOut, false)),
  [ts.SyntaxKind.ArrayLiteralExpression]: layoutOf<ts.ArrayLiteralExpression>(array),
  [ts.SyntaxKind.ObjectLiteralExpression]: layoutOf<ts.ObjectLiteralExpression>((node, layOut) =>
    braced(node, node.properties, layOut, ','),
  ),
  [ts.SyntaxKind.PropertyAssignment]: layoutOf<ts.PropertyAssignment>((node, layOut) =>
    assigned(nameOf(node.name, layOut), ':', node.initializer, layOut),
  ),
  [ts.SyntaxKind.SpreadAssignment]: layoutOf<ts.SpreadAssignment>((node, layOut) => ['...', layOut(node.expression)]),
  [ts.SyntaxKind.SpreadElement]: layoutOf<ts.SpreadElement>((node, layOut) => ['...', layOut(node.expression)]),
  [ts.SyntaxKind.Parameter]: layoutOf<ts.ParameterDeclaration>((node, layOut) => [
    `${modifiersOf(node)}${node.dotDotDotToken ? '...' : ''}`,
    layOut(node.name),
    node.questionToken ? '?' : '',
    typeAnnotation(node.type, layOut),
    node.initializer ? [' = ', layOut(node.initializer)] : '',
  ]),
  [ts.SyntaxKind.ArrayBindingPattern]: layoutOf<ts.ArrayBindingPattern>((node, layOut) => bracketed('[', node.elements.map(layOut), ']')),
};

/** Lays out an assignment. A right side that is too long and cannot break early goes to the next line. */
export function assigned(left: Layout, operator: string, right: ts.Expression, layOut: LayOut): Layout {
  const start = [left, ` ${operator}`.replace(' :', ':')];
  const value = layOut(right);
  if (breaksAfterOperator(right)) return group([...start, group(indent([line, value]))]);
  if (neverBreaksBefore(right)) return group([...start, ' ', value]);
  const beforeValue = group(indent(line));
  return group([...start, beforeValue, indentIfBroken(value, beforeValue)]);
}

function breaksAfterOperator(value: ts.Expression): boolean {
  if (ts.isBinaryExpression(value)) return !isAssignment(value) && !isInlined(value);
  if (ts.isConditionalExpression(value)) return ts.isBinaryExpression(value.condition) && !isInlined(value.condition);
  return ts.isStringLiteral(value) || (ts.isPropertyAccessExpression(value) && ts.isPropertyAccessExpression(value.expression));
}

const neverBreaksBefore = (value: ts.Expression): boolean =>
  ts.isNumericLiteral(value) ||
  ts.isTemplateLiteral(value) ||
  value.kind === ts.SyntaxKind.TrueKeyword ||
  value.kind === ts.SyntaxKind.FalseKeyword;

/** Reports whether the right operand begins in the operator's line: `left && {`. */
const isInlined = ({ operatorToken, right }: ts.BinaryExpression): boolean =>
  isLogical(operatorToken.kind) &&
  ((ts.isObjectLiteralExpression(right) && right.properties.length > 0) ||
    (ts.isArrayLiteralExpression(right) && right.elements.length > 0));

const isLogical = (operator: ts.SyntaxKind): boolean =>
  operator === ts.SyntaxKind.AmpersandAmpersandToken ||
  operator === ts.SyntaxKind.BarBarToken ||
  operator === ts.SyntaxKind.QuestionQuestionToken;

const isAssignment = ({ operatorToken }: ts.BinaryExpression): boolean =>
  operatorToken.kind >= ts.SyntaxKind.FirstAssignment && operatorToken.kind <= ts.SyntaxKind.LastAssignment;

function binary(node: ts.BinaryExpression, layOut: LayOut): Layout {
  const { parent, left, operatorToken, right } = node;
  if (isAssignment(node)) return assigned(layOut(left), operatorToken.getText(), right, layOut);
  const parts = operands(node, layOut);
  if (isCondition(node)) return parts;
  const isAligned =
    (ts.isArrowFunction(parent) && parent.body === node) || ts.isReturnStatement(parent) || isInlined(node) || isAssigned(node);
  const [first = '', ...rest] = parts;
  return group(isAligned ? parts : [first, indent(rest)]);
}

/** Reports whether an expression is in the parentheses of a statement. */
const isCondition = ({ parent }: ts.Node): boolean => ts.isIfStatement(parent) || ts.isWhileStatement(parent);

const isAssigned = ({ parent }: ts.Node): boolean =>
  ts.isVariableDeclaration(parent) ||
  ts.isPropertyAssignment(parent) ||
  ts.isPropertyDeclaration(parent) ||
  (ts.isBinaryExpression(parent) && isAssignment(parent));

/** Returns the operands of an operator, and of the same operator to its left. */
function operands(node: ts.BinaryExpression, layOut: LayOut): Layout[] {
  const { left, operatorToken, right } = node;
  const isChain = ts.isBinaryExpression(left) && left.operatorToken.kind === operatorToken.kind;
  const before = isChain ? operands(left, layOut) : [group(layOut(left))];
  const isSingle = !ts.isBinaryExpression(left) && !ts.isBinaryExpression(right) && !ts.isBinaryExpression(node.parent);
  const after = [operatorToken.getText(), isInlined(node) ? ' ' : line, layOut(right)];
  return [...before, ' ', isSingle && !isCondition(node) ? group(after) : after];
}

/**
 * Lays out arguments in parentheses. If they are too long and the last is a function, list or object, only that one
 * breaks.
 */
function callArguments(args: readonly ts.Expression[], layOut: LayOut): Layout {
  const items = args.map(layOut);
  const all = bracketed('(', items, ')');
  if (!isHugged(args)) return all;
  const before = items.slice(0, -1).flatMap((item) => [item, ', ']);
  if (before.some((item) => breaks(item))) return all;
  const last = args.at(-1);
  const hugged = last && ts.isArrowFunction(last) ? arrow(last, layOut, true) : (items.at(-1) ?? '');
  const broken = group(['(', indent([softLine, join([',', line], items), ifBroken(',')]), softLine, ')'], true);
  return choice(['(', ...before, hugged, ')'], ['(', ...before, group(hugged, true), ')'], broken);
}

function isHugged(args: readonly ts.Expression[]): boolean {
  const [last, previous] = [args.at(-1), args.at(-2)];
  if (last === undefined || !canBeHugged(last) || (previous !== undefined && previous.kind === last.kind)) return false;
  return !(args.length === 2 && previous && ts.isArrowFunction(previous) && ts.isArrayLiteralExpression(last));
}

function canBeHugged(node: ts.Expression): boolean {
  if (ts.isObjectLiteralExpression(node)) return node.properties.length > 0;
  if (ts.isArrayLiteralExpression(node)) return node.elements.length > 0;
  return ts.isArrowFunction(node) && huggedBodies.has(inner(node.body).kind);
}

/** Bodies of arrow functions that begin in the line of a call and end in a line below. */
const huggedBodies: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.Block,
  ts.SyntaxKind.ArrowFunction,
  ts.SyntaxKind.ObjectLiteralExpression,
  ts.SyntaxKind.ArrayLiteralExpression,
  ts.SyntaxKind.CallExpression,
  ts.SyntaxKind.ConditionalExpression,
]);

/** @param isLast whether the function is the last argument of a call, whose parenthesis closes in its own line */
function arrow(node: ts.ArrowFunction, layOut: LayOut, isLast: boolean): Layout {
  const names = node.parameters.map(layOut);
  const parameters = isLast ? ['(', join(', ', names), ')'] : bracketed('(', names, ')');
  const start = [modifiersOf(node), parameters, typeAnnotation(node.type, layOut), ' =>'];
  const { body } = node;
  if (ts.isBlock(body) || ts.isObjectLiteralExpression(inner(body)) || ts.isArrayLiteralExpression(body))
    return group([start, ' ', layOut(body)]);
  const conditional = inner(body);
  const value = ts.isConditionalExpression(conditional) ? [ifBroken('', '('), layOut(conditional), ifBroken('', ')')] : layOut(body);
  return group([group(start), group([indent([line, value]), isLast ? [ifBroken(','), softLine] : ''])]);
}

const inner = (node: ts.Node): ts.Node => (ts.isParenthesizedExpression(node) ? node.expression : node);

/** Lays out a list. Objects and lists with several members each get a line. */
function array({ elements }: ts.ArrayLiteralExpression, layOut: LayOut): Layout {
  if (elements.length === 0) return '[]';
  const items = elements.map(layOut);
  const isBroken = elements.length > 1 && elements.every((each) => each.kind === elements[0]?.kind && isLong(each));
  return group(['[', indent([softLine, join([',', line], items)]), ifBroken(','), softLine, ']'], isBroken);
}

const isLong = (node: ts.Expression): boolean =>
  (ts.isObjectLiteralExpression(node) && node.properties.length > 1) || (ts.isArrayLiteralExpression(node) && node.elements.length > 1);
