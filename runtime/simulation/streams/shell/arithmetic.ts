import { type ArithmeticExpression, parse } from 'unbash';

/** The variables that an expression reads and changes. */
export interface ArithmeticScope {
  get(name: string): string;
  set(name: string, value: string): void;
  /** Expands a word of the expression. */
  text(word: Extract<ArithmeticExpression, { readonly type: 'ArithmeticWord' }>): Promise<string>;
}

export class ArithmeticError extends Error {}

const maxDepth = 64;
const syntaxError = (): ArithmeticError => new ArithmeticError('arithmetic syntax error');

/**
 * Evaluates an expression with integers of 64 bits.
 *
 * @throws ArithmeticError
 */
export async function evaluate(node: ArithmeticExpression | undefined, scope: ArithmeticScope, depth = 0): Promise<bigint> {
  if (node === undefined) return 0n;
  if (depth > maxDepth) throw new ArithmeticError('expression recursion level exceeded');
  const value = (each: ArithmeticExpression): Promise<bigint> => evaluate(each, scope, depth + 1);
  switch (node.type) {
    case 'ArithmeticGroup':
      return value(node.expression);
    case 'ArithmeticTernary':
      return (await value(node.test)) !== 0n ? value(node.consequent) : value(node.alternate);
    case 'ArithmeticWord':
      return valueOfText((await scope.text(node)).trim(), scope, depth);
    case 'ArithmeticUnary':
      return unary(node, value, scope);
    case 'ArithmeticBinary':
      return binary(node, value, scope);
    default:
      throw syntaxError();
  }
}

const namePattern = /^[A-Za-z_]\w*$/;

async function valueOfText(text: string, scope: ArithmeticScope, depth: number): Promise<bigint> {
  if (text === '') return 0n;
  if (/^(?:0[xX][0-9a-fA-F]{1,16}|\d{1,20})$/.test(text)) {
    if (/^0[0-7]+$/.test(text)) return BigInt(`0o${text.slice(1)}`);
    return BigInt.asIntN(64, BigInt(text));
  }
  if (namePattern.test(text)) return evaluateText(scope.get(text).trim(), scope, depth);
  return evaluateText(text, scope, depth);
}

/** Parses and evaluates the text that expansions have made. */
async function evaluateText(text: string, scope: ArithmeticScope, depth: number): Promise<bigint> {
  if (/^-?\d{1,20}$/.test(text))
    return text.startsWith('-') ? -(await valueOfText(text.slice(1), scope, depth)) : valueOfText(text, scope, depth);
  if (text === '') return 0n;
  if (text.length > 1024 || depth > maxDepth) throw syntaxError();
  const [statement] = parse(`((${text}))`).commands;
  if (statement?.command.type !== 'ArithmeticCommand' || statement.command.expression === undefined) throw syntaxError();
  const { expression } = statement.command;
  if (expression.type === 'ArithmeticWord' && !namePattern.test(expression.value) && !/^(?:0[xX])?[0-9a-fA-F]+$/.test(expression.value)) {
    throw syntaxError();
  }
  return evaluate(expression, scope, depth + 1);
}

type ValueOf = (node: ArithmeticExpression) => Promise<bigint>;

function nameOf(node: ArithmeticExpression): string {
  if (node.type === 'ArithmeticWord' && namePattern.test(node.value)) return node.value;
  throw syntaxError();
}

async function unary(
  { operator, operand, prefix }: Extract<ArithmeticExpression, { readonly type: 'ArithmeticUnary' }>,
  value: ValueOf,
  scope: ArithmeticScope,
): Promise<bigint> {
  const before = await value(operand);
  switch (operator) {
    case '-':
      return BigInt.asIntN(64, -before);
    case '+':
      return before;
    case '!':
      return before === 0n ? 1n : 0n;
    case '~':
      return ~before;
    case '++':
    case '--': {
      const after = BigInt.asIntN(64, before + (operator === '++' ? 1n : -1n));
      scope.set(nameOf(operand), String(after));
      return prefix ? after : before;
    }
    default:
      throw syntaxError();
  }
}

async function binary(
  { operator, left, right }: Extract<ArithmeticExpression, { readonly type: 'ArithmeticBinary' }>,
  value: ValueOf,
  scope: ArithmeticScope,
): Promise<bigint> {
  if (operator === '&&') return (await value(left)) !== 0n && (await value(right)) !== 0n ? 1n : 0n;
  if (operator === '||') return (await value(left)) !== 0n || (await value(right)) !== 0n ? 1n : 0n;
  const [, assigned] = /^(.*[^=!<>]|<<|>>|)=$/.exec(operator) ?? [];
  if (assigned !== undefined) {
    const name = nameOf(left);
    const given = await value(right);
    const result = assigned === '' ? given : operate(assigned, await value(left), given);
    scope.set(name, String(result));
    return result;
  }
  const first = await value(left);
  return operate(operator, first, await value(right));
}

const truth = (holds: boolean): bigint => (holds ? 1n : 0n);

function operate(operator: string, left: bigint, right: bigint): bigint {
  return BigInt.asIntN(64, result(operator, left, right));
}

function result(operator: string, left: bigint, right: bigint): bigint {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
    case '%':
      if (right === 0n) throw new ArithmeticError('divide by zero');
      return operator === '/' ? left / right : left % right;
    case '**':
      if (right < 0n) throw new ArithmeticError('exponent less than 0');
      return power(left, right);
    case '<<':
      return left << (right & 63n);
    case '>>':
      return left >> (right & 63n);
    case '&':
      return left & right;
    case '|':
      return left | right;
    case '^':
      return left ^ right;
    case '==':
      return truth(left === right);
    case '!=':
      return truth(left !== right);
    case '<':
      return truth(left < right);
    case '>':
      return truth(left > right);
    case '<=':
      return truth(left <= right);
    case '>=':
      return truth(left >= right);
    case ',':
      return right;
    default:
      throw syntaxError();
  }
}

/** Returns a power modulo 2^64. */
function power(base: bigint, exponent: bigint): bigint {
  let product = 1n;
  for (let [square, left] = [base, exponent]; left > 0n; left >>= 1n) {
    if (left & 1n) product = BigInt.asIntN(64, product * square);
    square = BigInt.asIntN(64, square * square);
  }
  return product;
}
