import { patternOf } from '../../machinery/patterns/pattern.ts';
import type { Reference } from '../checker/checker.ts';
import type { Overload } from '../checker/declarations.ts';
import type { Environment } from '../checker/environment.ts';
import { isBind } from '../cost/cost-estimator.ts';
import { callCost } from '../cost/runtime-cost.ts';
import { type Call, type Comprehension, type Expr, type NodeId, qualifiedName } from '../syntax/ast.ts';
import type { Type } from '../types/type.ts';
import { ValueList } from '../values/list.ts';
import { type MapKey, mapKey } from '../values/map.ts';
import { CelError, isError, isTagged, noSuchOverload, type Value } from '../values/value.ts';
import { evalList, evalMap } from './aggregates.ts';
import { type Attribute, addQualifier, evalAttribute, mapAttribute } from './attribute.ts';
import { chooseCall, evalCall } from './call.ts';
import { charge, type Interpretable, newExecutionFrame } from './execution-frame.ts';
import { evalFold } from './fold.ts';
import { evalLogical, evalOr } from './logical.ts';
import { evalPresence, type Qualifier } from './qualifier.ts';

/** An expression that cannot be run, told before it is. */
export class PlanError {
  readonly isPlanError = true;
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export function isPlanError(error: unknown): error is PlanError {
  return (error as PlanError | undefined)?.isPlanError === true;
}

/** A checked expression, or one that was only parsed. */
export interface UncheckedAst {
  readonly expr: Expr;
  readonly types?: ReadonlyMap<NodeId, Type>;
  readonly references?: ReadonlyMap<NodeId, Reference>;
}

type Plan =
  | { readonly kind: 'constant'; readonly value: Value }
  | { readonly kind: 'place'; readonly place: Attribute; readonly free?: boolean }
  | { readonly kind: 'computed'; readonly thunk: Interpretable };

/** The compiled expression and the variables it reads, by slot. */
export interface Compiled {
  readonly thunk: Interpretable;
  readonly variables: readonly string[];
  readonly slots: number;
}

/** Makes closures of an expression; `fold`: what is constant is computed now, and costs nothing. Throws PlanError. (cel-go interpreter/planner.go) */
export function compile(ast: UncheckedAst, environment: Environment, fold = true): Compiled {
  const planner = new Planner(ast, environment, fold);
  const thunk = planner.thunk(ast.expr);
  return { thunk, variables: planner.variables, slots: planner.slots };
}

const evalConst =
  (value: Value): Interpretable =>
  () =>
    value;
const conversions: ReadonlySet<string> = new Set(
  'bool bytes double duration dyn int string timestamp type uint'.split(' '),
);

class Planner {
  readonly variables: string[] = [];
  slots = 0;
  readonly #environment: Environment;
  readonly #types: ReadonlyMap<NodeId, Type> | undefined;
  readonly #references: ReadonlyMap<NodeId, Reference>;
  readonly #fold: boolean;
  readonly #globals = new Map<string, number>();
  readonly #locals = new Map<string, Interpretable[]>();

  constructor(ast: UncheckedAst, environment: Environment, fold: boolean) {
    this.#fold = fold;
    this.#environment = environment;
    this.#types = ast.types;
    this.#references = ast.references ?? new Map();
  }

  /** Evaluates the expression and counts it. */
  thunk(expr: Expr): Interpretable {
    return this.#counted(this.#plan(expr));
  }

  #counted(plan: Plan): Interpretable {
    if (plan.kind === 'constant') return evalConst(plan.value);
    if (plan.kind === 'computed') return plan.thunk;
    const resolve = evalAttribute(plan.place);
    if (plan.place.kind === 'choice' || plan.free) return resolve;
    return (frame) => {
      charge(frame, 1);
      return resolve(frame);
    };
  }

  #plan(expr: Expr): Plan {
    switch (expr.kind) {
      case 'literal':
        return { kind: 'constant', value: expr.value };
      case 'ident':
        return this.#ident(this.#references.get(expr.id), expr.name);
      case 'select':
        return this.#select(expr);
      case 'call':
        return this.#call(expr);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'comprehension':
        return { kind: 'computed', thunk: this.#comprehension(expr) };
      case 'struct':
        throw new PlanError(`unknown type: ${expr.typeName}`);
      default:
        throw new PlanError('unsupported expr');
    }
  }

  #ident(reference: Reference | undefined, name: string): Plan {
    if (reference) {
      if (reference.value !== undefined) return { kind: 'constant', value: reference.value };
      return { kind: 'place', place: { kind: 'root', thunk: this.#variable(reference.name ?? name) } };
    }
    const local = this.#locals.get(name)?.at(-1);
    if (local) return { kind: 'place', place: { kind: 'root', thunk: local } };
    const declared = this.#declared(name);
    return declared ?? { kind: 'place', place: { kind: 'root', thunk: this.#variable(name.replace(/^\./, '')) } };
  }

  /** A declared name of an expression that was not checked. */
  #declared(name: string): Plan | undefined {
    for (const candidate of this.#environment.candidates(name)) {
      const found = this.#environment.variable(candidate);
      if (!found) continue;
      if (found.value !== undefined) return { kind: 'constant', value: found.value };
      return { kind: 'place', place: { kind: 'root', thunk: this.#variable(candidate) } };
    }
    return undefined;
  }

  #variable(name: string): Interpretable {
    const local = this.#locals.get(name)?.at(-1);
    if (local) return local;
    let slot = this.#globals.get(name);
    if (slot === undefined) {
      slot = this.slots++;
      this.#globals.set(name, slot);
      this.variables[slot] = name;
    }
    const absent = new CelError(`no such attribute(s): ${name}`);
    const own = slot;
    return (frame) => {
      const value = frame.slots[own];
      return value === undefined ? absent : value;
    };
  }

  #select(expr: Extract<Expr, { kind: 'select' }>): Plan {
    const reference = this.#references.get(expr.id);
    if (reference) return this.#ident(reference, '');
    if (!this.#types && !expr.test) {
      const name = qualifiedName(expr);
      const declared = name === undefined ? undefined : this.#declared(name);
      if (declared) return declared;
    }
    const place = this.#place(expr.operand);
    if (expr.test) {
      const thunk = mapAttribute(place, (root) => evalPresence(root, expr.field));
      return { kind: 'place', place: thunk, free: true };
    }
    return { kind: 'place', place: addQualifier(place, { constant: expr.field, optional: false }) };
  }

  #place(expr: Expr): Attribute {
    const plan = this.#plan(expr);
    return plan.kind === 'place' ? plan.place : { kind: 'root', thunk: this.#counted(plan) };
  }

  #call(expr: Call): Plan {
    const { name, args } = expr;
    switch (name) {
      case '_&&_':
      case '_||_':
        return { kind: 'computed', thunk: evalLogical(this.thunk(args[0]), this.thunk(args[1]), name === '_||_') };
      case '_?_:_':
        return {
          kind: 'place',
          place: { kind: 'choice', test: this.thunk(args[0]), yes: this.#place(args[1]), no: this.#place(args[2]) },
        };
      case '_[_]':
        return this.#index(args[0], args[1], false);
      case '_[?_]':
      case '_?._':
        return this.#index(args[0], args[1], true);
      case '@in':
        return this.#membership(expr);
      default:
    }
    if (expr.target && args.length === 1 && (name === 'or' || name === 'orValue')) {
      return { kind: 'computed', thunk: evalOr(this.thunk(expr.target), this.thunk(args[0]), name === 'orValue') };
    }
    return this.#function(expr);
  }

  #index(operand: Expr, key: Expr, optional: boolean): Plan {
    const place = this.#place(operand);
    const plan = this.#plan(key);
    const step: Qualifier =
      plan.kind === 'constant'
        ? { constant: plan.value, optional }
        : { key: plan.kind === 'place' ? evalAttribute(plan.place) : plan.thunk, optional };
    return { kind: 'place', place: addQualifier(place, step) };
  }

  #function(expr: Call): Plan {
    const { name, target, overloads, call } = this.#resolve(expr);
    const operands = target ? [target, ...expr.args] : expr.args;
    const plans = operands.map((operand) => this.#plan(operand));
    const only = overloads.length === 1 ? overloads[0] : undefined;
    const cost = callCost(name, only?.id ?? '', only);
    const apply = this.#regexCall(name, plans) ?? chooseCall(name, overloads, call, operands, this.#types);
    const [first] = plans;
    if (this.#fold && plans.length === 1 && first.kind === 'constant' && conversions.has(name)) {
      const value = isError(first.value) && !only?.lenient ? first.value : apply(first.value);
      if (isError(value)) throw new PlanError(value.message);
      return { kind: 'constant', value };
    }
    const thunks = plans.map((plan) => this.#counted(plan));
    return { kind: 'computed', thunk: evalCall(thunks, apply, cost, only?.lenient === true) };
  }

  /** The function's name, and the overloads the call may mean. */
  #resolve(expr: Call): {
    name: string;
    target: Expr | undefined;
    overloads: readonly Overload[];
    call: ((...args: Value[]) => Value) | undefined;
  } {
    const ids = this.#references.get(expr.id)?.overloads;
    let { name, target } = expr;
    let declared = ids ? this.#environment.functions.get(name) : undefined;
    if (!ids) {
      const prefix = target && qualifiedName(target);
      const qualified = prefix === undefined ? undefined : this.#environment.function(`${prefix}.${name}`);
      if (qualified) target = undefined;
      declared = qualified ?? this.#environment.function(name);
      name = declared?.name ?? name;
    }
    const count = expr.args.length + (target ? 1 : 0);
    const overloads = (declared?.overloads ?? []).filter((overload) =>
      ids ? ids.includes(overload.id) : overload.member === (target !== undefined) && overload.params.length === count,
    );
    return { name, target, overloads, call: declared?.call };
  }

  /** A regular expression known beforehand is compiled once, and refused at once. */
  #regexCall(name: string, plans: readonly Plan[]): ((...args: Value[]) => Value) | undefined {
    const pattern = plans[1];
    if (!['matches', 'find', 'findAll'].includes(name) || pattern?.kind !== 'constant') return undefined;
    if (typeof pattern.value !== 'string') return undefined;
    const regex = patternOf(pattern.value);
    if (regex.error !== undefined) throw new PlanError(regex.error);
    const onText =
      (use: (text: string, limit: Value | undefined) => Value) => (text: Value, _pattern: Value, limit?: Value) =>
        typeof text === 'string' ? use(text, limit) : noSuchOverload;
    if (name === 'matches') return onText((text) => regex.test(text));
    if (name === 'find') return onText((text) => regex.find(text));
    return onText((text, limit) => new ValueList(regex.findAll(text, limit === undefined ? -1 : Number(limit))));
  }

  /** `x in [constants]` looks x up, and costs nothing but x. */
  #membership(expr: Call): Plan {
    const [item, aggregate] = expr.args;
    const plan = this.#plan(aggregate);
    if (plan.kind !== 'constant' || !isTagged(plan.value, 'list')) return this.#function(expr);
    const list = plan.value;
    if (list.size === 0) return { kind: 'constant', value: false };
    const keys = new Set<MapKey>();
    for (let i = 0; i < list.size; i++) {
      const key = mapKey(list.at(i));
      if (key === undefined) return this.#function(expr);
      keys.add(key);
    }
    const operand = this.thunk(item);
    return {
      kind: 'computed',
      thunk: (frame) => {
        const value = operand(frame);
        if (isError(value)) return value;
        const key = mapKey(value);
        return key !== undefined && keys.has(key);
      },
    };
  }

  #list(expr: Extract<Expr, { kind: 'list' }>): Plan {
    const plans = expr.elements.map((element) => this.#plan(element));
    if (this.#fold && plans.every((plan) => plan.kind === 'constant') && expr.optional.length === 0) {
      return { kind: 'constant', value: new ValueList(plans.map(({ value }) => value)) };
    }
    const places = new Set(expr.optional);
    const optional = expr.elements.map((_, i) => places.has(i));
    return {
      kind: 'computed',
      thunk: evalList(
        plans.map((plan) => this.#counted(plan)),
        optional,
      ),
    };
  }

  #map(expr: Extract<Expr, { kind: 'map' }>): Plan {
    const keys = expr.entries.map((entry) => this.#plan(entry.key));
    const values = expr.entries.map((entry) => this.#plan(entry.value));
    const thunk = evalMap(
      keys.map((plan) => this.#counted(plan)),
      values.map((plan) => this.#counted(plan)),
      expr.entries.map((entry) => entry.optional),
    );
    const constant = this.#fold && [...keys, ...values].every((plan) => plan.kind === 'constant');
    if (!constant || expr.entries.some((entry) => entry.optional)) return { kind: 'computed', thunk };
    const value = thunk(newExecutionFrame(0, Number.POSITIVE_INFINITY));
    if (isError(value)) return { kind: 'computed', thunk: () => value };
    return { kind: 'constant', value };
  }

  #comprehension(expr: Comprehension): Interpretable {
    const range = this.thunk(expr.range);
    const init = this.thunk(expr.accuInit);
    const accu = this.slots++;
    if (isBind(expr)) return this.#bind(expr, init, accu);
    const first = this.slots++;
    const second = expr.iterVar2 === '' ? undefined : this.slots++;
    const read =
      (slot: number): Interpretable =>
      (frame) =>
        frame.slots[slot] as Value;
    this.#push(expr.accuVar, read(accu));
    this.#push(expr.iterVar, read(first));
    if (second !== undefined) this.#push(expr.iterVar2, read(second));
    const condition = this.thunk(expr.condition);
    const step = this.thunk(expr.step);
    this.#pop(expr.iterVar);
    if (second !== undefined) this.#pop(expr.iterVar2);
    const result = this.thunk(expr.result);
    this.#pop(expr.accuVar);
    return evalFold({ range, init, condition, step, result, accu, first, second });
  }

  /** A variable's value is computed when it is first used. */
  #bind(expr: Comprehension, init: Interpretable, slot: number): Interpretable {
    this.#push(expr.accuVar, (frame) => {
      let value = frame.slots[slot];
      if (value === undefined) {
        value = init(frame);
        frame.slots[slot] = value;
      }
      return value;
    });
    const result = this.thunk(expr.result);
    this.#pop(expr.accuVar);
    return (frame) => {
      frame.slots[slot] = undefined;
      return result(frame);
    };
  }

  #push(name: string, thunk: Interpretable): void {
    const stack = this.#locals.get(name);
    if (stack) stack.push(thunk);
    else this.#locals.set(name, [thunk]);
  }

  #pop(name: string): void {
    this.#locals.get(name)?.pop();
  }
}
