import { elementAt } from '../../machinery/collections/element-at.ts';
import type { Value } from '../values/value.ts';
import { accumulatorName, type Expr, type MapEntry, type NodeId } from './ast.ts';

/** A call that the parser expands to another expression. */
export interface Macro {
  readonly name: string;
  /** Whether calls have the form `target.name(...)`. */
  readonly receiver: boolean;
  /** The number of arguments; undefined for any number. */
  readonly args: number | undefined;
  /** Called with as many arguments as `args` says. Returns undefined if this is an ordinary call. */
  expand(make: MacroFactory, target: Expr | undefined, ...args: Expr[]): Expr | MacroError | undefined;
}

/** An incorrect use of a macro. */
export class MacroError {
  readonly id: NodeId;
  readonly message: string;

  constructor(id: NodeId, message: string) {
    this.id = id;
    this.message = message;
  }
}

/** The names of one iteration variable or of two. */
export type IterationVariables = readonly [string, string?];

export interface Fold {
  readonly range: Expr;
  readonly vars: IterationVariables;
  readonly accuVar?: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** Creates the nodes of an expanded macro, with new ids and the position of the macro. */
export class MacroFactory {
  readonly #newId: () => NodeId;
  readonly #copyId: (node: NodeId) => NodeId;

  constructor(newId: () => NodeId, copyId: (node: NodeId) => NodeId) {
    this.#newId = newId;
    this.#copyId = copyId;
  }

  literal(value: Value): Expr {
    return { kind: 'literal', id: this.#newId(), value };
  }

  ident(name: string): Expr {
    return { kind: 'ident', id: this.#newId(), name };
  }

  accumulator(): Expr {
    return this.ident(accumulatorName);
  }

  call(name: string, ...args: Expr[]): Expr {
    return { kind: 'call', id: this.#newId(), name, args };
  }

  memberCall(name: string, target: Expr, ...args: Expr[]): Expr {
    return { kind: 'call', id: this.#newId(), name, target, args };
  }

  list(...elements: Expr[]): Expr {
    return { kind: 'list', id: this.#newId(), elements, optional: [] };
  }

  map(...entries: MapEntry[]): Expr {
    return { kind: 'map', id: this.#newId(), entries };
  }

  presence(operand: Expr, field: string): Expr {
    return { kind: 'select', id: this.#newId(), operand, field, test: true };
  }

  fold({ range, vars, accuVar = accumulatorName, init, condition, step, result }: Fold): Expr {
    const [iterVar, iterVar2 = ''] = vars;
    return {
      kind: 'comprehension',
      id: this.#newId(),
      range,
      iterVar,
      iterVar2,
      accuVar,
      accuInit: init,
      condition,
      step,
      result,
    };
  }

  /** Binds `name` to `value` within `body`. This is a fold over an empty list whose accumulator is the variable. */
  bind(name: string, value: Expr, body: Expr): Expr {
    return this.fold({
      range: this.list(),
      vars: ['#unused'],
      accuVar: name,
      init: value,
      condition: this.literal(false),
      step: this.ident(name),
      result: body,
    });
  }

  /** Copies an expression with new ids. */
  copy(expr: Expr): Expr {
    const id = this.#copyId(expr.id);
    const copy = (node: Expr): Expr => this.copy(node);
    switch (expr.kind) {
      case 'select':
        return { ...expr, id, operand: copy(expr.operand) };
      case 'call':
        return expr.target
          ? { ...expr, id, target: copy(expr.target), args: expr.args.map(copy) }
          : { ...expr, id, args: expr.args.map(copy) };
      case 'list':
        return { ...expr, id, elements: expr.elements.map(copy) };
      case 'map': {
        const entries = expr.entries.map((entry) => ({
          ...entry,
          id: this.#newId(),
          key: copy(entry.key),
          value: copy(entry.value),
        }));
        return { ...expr, id, entries };
      }
      case 'struct': {
        const fields = expr.fields.map((field) => ({ ...field, id: this.#newId(), value: copy(field.value) }));
        return { ...expr, id, fields };
      }
      case 'comprehension':
        return {
          ...expr,
          id,
          range: copy(expr.range),
          accuInit: copy(expr.accuInit),
          condition: copy(expr.condition),
          step: copy(expr.step),
          result: copy(expr.result),
        };
      default:
        return { ...expr, id };
    }
  }
}

/** Returns the names of a macro's iteration variables. */
export function iterationVariables(args: readonly [Expr, Expr?], notIdentifier: string): IterationVariables | MacroError {
  const [first, second] = args;
  if (first.kind !== 'ident') return new MacroError(first.id, notIdentifier);
  if (second && second.kind !== 'ident') return new MacroError(second.id, notIdentifier);
  if (first.name === second?.name) return new MacroError(second.id, `duplicate variable name: ${first.name}`);
  for (const { id, name } of second ? [first, second] : [first]) {
    if (name === accumulatorName || name === '__result__') {
      return new MacroError(id, 'iteration variable overwrites accumulator variable');
    }
  }
  return second ? [first.name, second.name] : [first.name];
}

type Quantifier = (make: MacroFactory, predicate: Expr) => Omit<Fold, 'range' | 'vars'>;

const quantifiers = {
  all: (make, predicate) => ({
    init: make.literal(true),
    condition: make.call('@not_strictly_false', make.accumulator()),
    step: make.call('_&&_', make.accumulator(), predicate),
    result: make.accumulator(),
  }),
  exists: (make, predicate) => ({
    init: make.literal(false),
    condition: make.call('@not_strictly_false', make.call('!_', make.accumulator())),
    step: make.call('_||_', make.accumulator(), predicate),
    result: make.accumulator(),
  }),
  exists_one: (make, predicate) => ({
    init: make.literal(0),
    condition: make.literal(true),
    step: make.call('_?_:_', predicate, make.call('_+_', make.accumulator(), make.literal(1)), make.accumulator()),
    result: make.call('_==_', make.accumulator(), make.literal(1)),
  }),
} satisfies Record<string, Quantifier>;

/** Returns `all`, `exists` and `existsOne` over one variable, or over index and value, or key and value. */
export function quantifierMacros(variables: 1 | 2): Macro[] {
  return (['all', 'exists', 'exists_one', 'existsOne'] as const).map((name) => ({
    name,
    receiver: true,
    args: variables + 1,
    expand(make, target, first, ...rest) {
      const named: readonly [Expr, Expr?] = variables === 1 ? [first] : [first, elementAt(rest, 0)];
      const vars = iterationVariables(named, 'argument must be a simple name');
      if (vars instanceof MacroError) return vars;
      const quantifier = quantifiers[name === 'existsOne' ? 'exists_one' : name];
      return make.fold({ range: target as Expr, vars, ...quantifier(make, elementAt(rest, variables - 1)) });
    },
  }));
}

interface ListFold {
  readonly range: Expr;
  readonly vars: IterationVariables;
  readonly element: Expr;
  readonly filter?: Expr | undefined;
}

/** Returns the fold of a macro that builds a list: `map`, `filter` or `transformList`. */
export function listFold(make: MacroFactory, { range, vars, element, filter }: ListFold): Expr {
  const append = make.call('_+_', make.accumulator(), make.list(element));
  return make.fold({
    range,
    vars,
    init: make.list(),
    condition: make.literal(true),
    step: filter ? make.call('_?_:_', filter, append, make.accumulator()) : append,
    result: make.accumulator(),
  });
}

function mapMacro(args: 2 | 3): Macro {
  return {
    name: 'map',
    receiver: true,
    args,
    expand(make, target, variable, ...rest) {
      const vars = iterationVariables([variable], 'argument is not an identifier');
      if (vars instanceof MacroError) return vars;
      const [element, filter] = args === 3 ? [elementAt(rest, 1), elementAt(rest, 0)] : [elementAt(rest, 0), undefined];
      return listFold(make, { range: target as Expr, vars, element, filter });
    },
  };
}

const filterMacro: Macro = {
  name: 'filter',
  receiver: true,
  args: 2,
  expand(make, target, variable, filter) {
    const vars = iterationVariables([variable], 'argument is not an identifier');
    if (vars instanceof MacroError) return vars;
    return listFold(make, { range: target as Expr, vars, element: variable, filter });
  },
};

const hasMacro: Macro = {
  name: 'has',
  receiver: false,
  args: 1,
  expand(make, _target, arg) {
    if (arg.kind !== 'select') return new MacroError(arg.id, 'invalid argument to has() macro');
    return make.presence(arg.operand, arg.field);
  },
};

/** The standard macros. (cel-go parser/macro.go) */
export const standardMacros: readonly Macro[] = [hasMacro, ...quantifierMacros(1), mapMacro(2), mapMacro(3), filterMacro];
