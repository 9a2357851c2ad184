import { isJsonObject } from '../../../machinery/json/values.ts';
import { JqError, tokensOf } from './tokens.ts';

export { JqError } from './tokens.ts';

/** The most values that a query may visit. */
const maxSteps = 100_000;
/** The deepest nesting of a query. */
const maxDepth = 64;

interface Run {
  steps: number;
}

type Filter = (input: unknown, run: Run) => unknown[];

/**
 * The value-selecting part of jq: paths, `.[]`, pipes, commas, literals, comparisons, `and`, `or`, `//`, and the
 * functions below. (KWOK uses gojq)
 */
export class Query {
  readonly #filter: Filter;

  /** @throws JqError if the text is not a query */
  constructor(text: string) {
    this.#filter = new Parser(text).parse();
  }

  /** Returns the values that are not null. Returns none if the query fails for this input. */
  run(input: unknown): unknown[] {
    try {
      return this.#filter(input, { steps: 0 }).filter((value) => value !== null && value !== undefined);
    } catch (error) {
      if (error instanceof JqError) return [];
      throw error;
    }
  }
}

/** Stands for an argument that a function of this arity has. */
const none: Filter = () => [];

const functions: Readonly<Record<string, (args: readonly Filter[], name: string) => Filter>> = {
  all:
    ([each]) =>
    (input, run) => [listOf(input).every((item) => isTrue(each ? each(item, run)[0] : item))],
  any:
    ([each]) =>
    (input, run) => [listOf(input).some((item) => isTrue(each ? each(item, run)[0] : item))],
  ascii_downcase: () => (input) => [textOf(input).toLowerCase()],
  ascii_upcase: () => (input) => [textOf(input).toUpperCase()],
  empty: () => () => [],
  endswith:
    ([suffix = none]) =>
    (input, run) =>
      suffix(input, run).map((text) => textOf(input).endsWith(textOf(text))),
  first:
    ([each]) =>
    (input, run) =>
      (each ? each(input, run) : listOf(input)).slice(0, 1),
  has:
    ([key = none]) =>
    (input, run) =>
      key(input, run).map((name) => isJsonObject(input) && Object.hasOwn(input, String(name))),
  keys: () => (input) => [isJsonObject(input) ? Object.keys(input).sort() : listOf(input).map((_, index) => index)],
  last:
    ([each]) =>
    (input, run) =>
      (each ? each(input, run) : listOf(input)).slice(-1),
  length: () => (input) => [lengthOf(input)],
  map:
    ([each = none]) =>
    (input, run) => [listOf(input).flatMap((item) => each(item, run))],
  not: () => (input) => [!isTrue(input)],
  select:
    ([condition = none]) =>
    (input, run) =>
      condition(input, run)
        .filter(isTrue)
        .map(() => input),
  startswith:
    ([prefix = none]) =>
    (input, run) =>
      prefix(input, run).map((text) => textOf(input).startsWith(textOf(text))),
  tonumber: () => (input) => [numberOf(input)],
  tostring: () => (input) => [typeof input === 'string' ? input : JSON.stringify(input ?? null)],
  type: () => (input) => [typeOf(input)],
};
const arities: Readonly<Record<string, readonly number[]>> = {
  all: [0, 1],
  any: [0, 1],
  first: [0, 1],
  last: [0, 1],
  endswith: [1],
  has: [1],
  map: [1],
  select: [1],
  startswith: [1],
};

class Parser {
  readonly #tokens: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#tokens = tokensOf(text);
  }

  parse(): Filter {
    const filter = this.#pipe();
    if (this.#at < this.#tokens.length) throw this.#unexpected();
    return filter;
  }

  #pipe(): Filter {
    if (++this.#depth > maxDepth) throw new JqError('query is nested too deeply');
    let filter = this.#comma();
    while (this.#take('|')) filter = compose(filter, this.#comma());
    this.#depth--;
    return filter;
  }

  #comma(): Filter {
    let filter = this.#alternative();
    while (this.#take(',')) {
      const [left, right] = [filter, this.#alternative()];
      filter = (input, run) => [...left(input, run), ...right(input, run)];
    }
    return filter;
  }

  #alternative(): Filter {
    const left = this.#or();
    if (!this.#take('//')) return left;
    const right = this.#alternative();
    return (input, run) => {
      const found = attempt(left, input, run).filter(isTrue);
      return found.length > 0 ? found : right(input, run);
    };
  }

  #or(): Filter {
    let filter = this.#and();
    while (this.#take('or')) filter = combined(filter, this.#and(), (a, b) => isTrue(a) || isTrue(b));
    return filter;
  }

  #and(): Filter {
    let filter = this.#comparison();
    while (this.#take('and')) filter = combined(filter, this.#comparison(), (a, b) => isTrue(a) && isTrue(b));
    return filter;
  }

  #comparison(): Filter {
    const left = this.#postfix();
    const operator = this.#tokens[this.#at];
    const compare = Object.hasOwn(comparisons, operator ?? '') ? comparisons[operator ?? ''] : undefined;
    if (compare === undefined) return left;
    this.#at++;
    return combined(left, this.#postfix(), compare);
  }

  #postfix(): Filter {
    let filter = this.#term();
    for (;;) {
      if (this.#take('?')) {
        const inner = filter;
        filter = (input, run) => attempt(inner, input, run);
      } else if (this.#take('[')) filter = compose(filter, this.#bracket());
      else if (this.#tokens[this.#at]?.startsWith('.')) filter = compose(filter, this.#path());
      else return filter;
    }
  }

  #term(): Filter {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new JqError('unexpected end of query');
    if (token.startsWith('.')) return this.#path();
    this.#at++;
    if (token === '(') {
      const filter = this.#pipe();
      this.#expect(')');
      return filter;
    }
    if (token.startsWith('"')) return constant(JSON.parse(token));
    if (/^-?\d/.test(token)) return constant(Number(token));
    if (token === 'true' || token === 'false') return constant(token === 'true');
    if (token === 'null') return constant(null);
    if (/^[A-Za-z_]\w*$/.test(token)) return this.#call(token);
    this.#at--;
    throw this.#unexpected();
  }

  #call(name: string): Filter {
    const args: Filter[] = [];
    if (this.#take('(')) {
      do args.push(this.#pipe());
      while (this.#take(';'));
      this.#expect(')');
    }
    const make = Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (make === undefined || !(arities[name] ?? [0]).includes(args.length)) {
      throw new JqError(`function not defined: ${name}/${args.length}`);
    }
    return make(args, name);
  }

  /** Reads `.`, `.name`, `."name"`, or a dot before a bracket. */
  #path(): Filter {
    const token = this.#tokens[this.#at++];
    const name = token?.slice(1) ?? '';
    if (name === '') return this.#take('[') ? this.#bracket() : (input) => [input];
    return member(constant(name.startsWith('"') ? JSON.parse(name) : name));
  }

  #bracket(): Filter {
    if (this.#take(']')) return iterate;
    const key = this.#pipe();
    this.#expect(']');
    return member(key);
  }

  #take(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at++;
    return true;
  }

  #expect(token: string): void {
    if (!this.#take(token)) throw this.#unexpected();
  }

  #unexpected(): JqError {
    const token = this.#tokens[this.#at];
    return new JqError(token === undefined ? 'unexpected end of query' : `unexpected token ${JSON.stringify(token)}`);
  }
}

const constant =
  (value: unknown): Filter =>
  () => [value];

const compose =
  (first: Filter, second: Filter): Filter =>
  (input, run) =>
    first(input, run).flatMap((value) => second(value, run));

const combined =
  (left: Filter, right: Filter, combine: (a: unknown, b: unknown) => boolean): Filter =>
  (input, run) =>
    left(input, run).flatMap((a) => right(input, run).map((b) => combine(a, b)));

function attempt(filter: Filter, input: unknown, run: Run): unknown[] {
  try {
    return filter(input, run);
  } catch (error) {
    if (error instanceof JqError && run.steps <= maxSteps) return [];
    throw error;
  }
}

const iterate: Filter = (input, run) => {
  const values = isJsonObject(input) ? Object.values(input) : listOf(input);
  run.steps += values.length;
  if (run.steps > maxSteps) throw new JqError('query takes too long');
  return values;
};

const member =
  (key: Filter): Filter =>
  (input, run) =>
    key(input, run).map((name) => {
      if (input === null || input === undefined) return null;
      if (typeof name === 'string' && isJsonObject(input)) return Object.hasOwn(input, name) ? input[name] : null;
      if (typeof name === 'number' && Array.isArray(input)) return input.at(name) ?? null;
      throw new JqError(`expected an object but got: ${typeOf(input)}`);
    });

const order = (a: unknown, b: unknown): number => {
  const [left, right] = typeof a === 'number' && typeof b === 'number' ? [a, b] : [String(a), String(b)];
  return left < right ? -1 : left > right ? 1 : 0;
};
const comparisons: Readonly<Record<string, (a: unknown, b: unknown) => boolean>> = {
  '==': (a, b) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null),
  '!=': (a, b) => JSON.stringify(a ?? null) !== JSON.stringify(b ?? null),
  '<': (a, b) => order(a, b) < 0,
  '<=': (a, b) => order(a, b) <= 0,
  '>': (a, b) => order(a, b) > 0,
  '>=': (a, b) => order(a, b) >= 0,
};

const isTrue = (value: unknown): boolean => value !== null && value !== undefined && value !== false;

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  throw new JqError(`cannot iterate over: ${typeOf(value)}`);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new JqError(`expected a string but got: ${typeOf(value)}`);
}

function numberOf(value: unknown): number {
  const number = typeof value === 'number' ? value : Number(textOf(value));
  if (Number.isNaN(number)) throw new JqError('invalid number');
  return number;
}

function lengthOf(value: unknown): number {
  if (value === null || value === undefined) return 0;
  if (typeof value === 'number') return Math.abs(value);
  if (typeof value === 'string') return [...value].length;
  return isJsonObject(value) ? Object.keys(value).length : listOf(value).length;
}

const typeOf = (value: unknown): string => (value === null || value === undefined ? 'null' : Array.isArray(value) ? 'array' : typeof value);
