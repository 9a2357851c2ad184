import type { Reference } from '../checker/checker.ts';
import type { Environment } from '../checker/environment.ts';
import { isBind } from '../cost/cost-estimator.ts';
import { callCost } from '../cost/runtime-cost.ts';
import { type Call, type Comprehension, type Expr, type NodeId, qualifiedName, type Struct } from '../syntax/ast.ts';
import type { Type } from '../types/type.ts';
import { ValueList } from '../values/list.ts';
import { CelError, isError, isTagged, type Value } from '../values/value.ts';
import { evalList, evalMap, evalStruct } from './aggregates.ts';
import { type Attribute, absolute, addQualifier, evalAttribute, presence } from './attribute.ts';
import { type CallTarget, chooseCall, evalCall, evalCallWithConstant } from './call.ts';
import { type ExecutionFrame, type Interpretable, newExecutionFrame } from './execution-frame.ts';
import { evalFold, untilAccumulated } from './fold.ts';
import { evalLogical, evalOr } from './logical.ts';
import { constantRegexCall, evalSetMembership, mapKeysOf, PlanError, stopOfQuantifier } from './optimizations.ts';
import type { Qualifier } from './qualifier.ts';

/** A parsed expression; the optional members are set if it was checked. */
export interface UncheckedAst {
  readonly expr: Expr;
  readonly types?: ReadonlyMap<NodeId, Type>;
  readonly references?: ReadonlyMap<NodeId, Reference>;
}

type Plan =
  | { readonly kind: 'constant'; readonly value: Value }
  | { readonly kind: 'attribute'; readonly attribute: Attribute; readonly free?: boolean }
  | { readonly kind: 'computed'; readonly interpretable: Interpretable };

/** A compiled expression and the variables it reads, by slot. */
export interface Compiled {
  readonly interpretable: Interpretable;
  readonly variables: readonly string[];
  readonly slots: number;
}

/**
 * Compiles an expression to closures. (cel-go interpreter/planner.go)
 *
 * @param fold evaluates constant parts now, at no cost
 * @throws PlanError
 */
export function compile(ast: UncheckedAst, environment: Environment, fold = true): Compiled {
  const planner = new Planner(ast, environment, fold);
  const interpretable = planner.plan(ast.expr);
  return { interpretable, variables: planner.variables, slots: planner.slots };
}

const evalConst =
  (value: Value): Interpretable =>
  () =>
    value;
const conversions: ReadonlySet<string> = new Set('bool bytes double duration dyn int string timestamp type uint'.split(' '));

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

  /** Compiles the expression with the code that charges for it. */
  plan(expr: Expr): Interpretable {
    return this.#counted(this.#plan(expr));
  }

  #counted(plan: Plan): Interpretable {
    if (plan.kind === 'constant') return evalConst(plan.value);
    if (plan.kind === 'computed') return plan.interpretable;
    return evalAttribute(plan.attribute, plan.free ? 0 : 1);
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
        return { kind: 'computed', interpretable: this.#comprehension(expr) };
      case 'struct':
        return { kind: 'computed', interpretable: this.#struct(expr) };
      default:
        throw new PlanError('unsupported expr');
    }
  }

  #ident(reference: Reference | undefined, name: string): Plan {
    if (reference) {
      if (reference.value !== undefined) return { kind: 'constant', value: reference.value };
      return { kind: 'attribute', attribute: absolute(this.#variable(reference.name ?? name)) };
    }
    const local = this.#locals.get(name)?.at(-1);
    if (local) return { kind: 'attribute', attribute: absolute(local) };
    const declared = this.#declared(name);
    return declared ?? { kind: 'attribute', attribute: absolute(this.#variable(name.replace(/^\./, ''))) };
  }

  /** Resolves a declared name in an unchecked expression. */
  #declared(name: string): Plan | undefined {
    for (const candidate of this.#environment.candidates(name)) {
      const found = this.#environment.variable(candidate);
      if (!found) continue;
      if (found.value !== undefined) return { kind: 'constant', value: found.value };
      return { kind: 'attribute', attribute: absolute(this.#variable(candidate)) };
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
    const variableSlot = slot;
    return (frame) => {
      const value = frame.slots[variableSlot];
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
    const attribute = this.#attribute(expr.operand);
    if (expr.test) return { kind: 'attribute', attribute: presence(attribute, expr.field), free: true };
    return { kind: 'attribute', attribute: addQualifier(attribute, { constant: expr.field, optional: false }) };
  }

  #attribute(expr: Expr): Attribute {
    const plan = this.#plan(expr);
    return plan.kind === 'attribute' ? plan.attribute : absolute(this.#counted(plan));
  }

  #call(expr: Call): Plan {
    const { name, args } = expr;
    const [first, second, third] = args;
    switch (name) {
      case '_&&_':
      case '_||_':
        if (!first || !second) break;
        return { kind: 'computed', interpretable: evalLogical(this.plan(first), this.plan(second), name === '_||_') };
      case '_?_:_':
        if (!first || !second || !third) break;
        return {
          kind: 'attribute',
          attribute: {
            kind: 'conditional',
            condition: this.plan(first),
            truthy: this.#attribute(second),
            falsy: this.#attribute(third),
          },
        };
      case '_[_]':
        if (!first || !second) break;
        return this.#index(first, second, false);
      case '_[?_]':
      case '_?._':
        if (!first || !second) break;
        return this.#index(first, second, true);
      case '@in':
        return this.#membership(expr);
      default:
    }
    if (expr.target && first && !second && (name === 'or' || name === 'orValue')) {
      return {
        kind: 'computed',
        interpretable: evalOr(this.plan(expr.target), this.plan(first), name === 'orValue'),
      };
    }
    return this.#function(expr);
  }

  #index(operand: Expr, key: Expr, optional: boolean): Plan {
    const attribute = this.#attribute(operand);
    const plan = this.#plan(key);
    const step: Qualifier =
      plan.kind === 'constant'
        ? { constant: plan.value, optional }
        : { key: plan.kind === 'attribute' ? evalAttribute(plan.attribute) : plan.interpretable, optional };
    return { kind: 'attribute', attribute: addQualifier(attribute, step) };
  }

  #function(expr: Call): Plan {
    const { target, ...callTarget } = this.#resolve(expr);
    const { name, overloads } = callTarget;
    const operands = target ? [target, ...expr.args] : expr.args;
    const plans = operands.map((operand) => this.#plan(operand));
    const only = overloads.length === 1 ? overloads[0] : undefined;
    const cost = callCost(name, only?.id ?? '', only);
    const [first, second, third] = plans;
    const regexCall = second?.kind === 'constant' ? constantRegexCall(name, second.value) : undefined;
    const apply = regexCall ?? chooseCall(callTarget, operands, this.#types);
    if (this.#fold && !second && first?.kind === 'constant' && conversions.has(name)) {
      const value = isError(first.value) && !only?.nonStrict ? first.value : apply(first.value);
      if (isError(value)) throw new PlanError(value.message);
      return { kind: 'constant', value };
    }
    if (first && !third && second?.kind === 'constant' && !isError(second.value)) {
      const interpretable = evalCallWithConstant(this.#counted(first), second.value, apply, cost);
      return { kind: 'computed', interpretable };
    }
    const interpretables = plans.map((plan) => this.#counted(plan));
    return { kind: 'computed', interpretable: evalCall(interpretables, apply, cost, only?.nonStrict === true) };
  }

  /** Returns the function's qualified name and the candidate overloads. */
  #resolve(expr: Call): CallTarget & { readonly target: Expr | undefined } {
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

  /** Compiles `x in [constants]` to a look-up that costs no more than x. */
  #membership(expr: Call): Plan {
    const [item, aggregate] = expr.args;
    if (!item || !aggregate) return this.#function(expr);
    const plan = this.#plan(aggregate);
    if (plan.kind !== 'constant' || !isTagged(plan.value, 'list')) return this.#function(expr);
    if (plan.value.size === 0) return { kind: 'constant', value: false };
    const keys = mapKeysOf(plan.value);
    if (keys === undefined) return this.#function(expr);
    return { kind: 'computed', interpretable: evalSetMembership(this.plan(item), keys) };
  }

  #list(expr: Extract<Expr, { kind: 'list' }>): Plan {
    const plans = expr.elements.map((element) => this.#plan(element));
    if (this.#fold && plans.every((plan) => plan.kind === 'constant') && expr.optional.length === 0) {
      return { kind: 'constant', value: new ValueList(plans.map(({ value }) => value)) };
    }
    const indexes = new Set(expr.optional);
    const optional = expr.elements.map((_, i) => indexes.has(i));
    return {
      kind: 'computed',
      interpretable: evalList(
        plans.map((plan) => this.#counted(plan)),
        optional,
      ),
    };
  }

  #map(expr: Extract<Expr, { kind: 'map' }>): Plan {
    const keys = expr.entries.map((entry) => this.#plan(entry.key));
    const values = expr.entries.map((entry) => this.#plan(entry.value));
    const interpretable = evalMap(
      keys.map((plan) => this.#counted(plan)),
      values.map((plan) => this.#counted(plan)),
      expr.entries.map((entry) => entry.optional),
    );
    const constant = this.#fold && [...keys, ...values].every((plan) => plan.kind === 'constant');
    if (!constant || expr.entries.some((entry) => entry.optional)) return { kind: 'computed', interpretable };
    const value = interpretable(newExecutionFrame(0, Number.POSITIVE_INFINITY));
    if (isError(value)) return { kind: 'computed', interpretable: () => value };
    return { kind: 'constant', value };
  }

  #struct({ typeName, fields }: Struct): Interpretable {
    for (const candidate of this.#environment.candidates(typeName)) {
      const found = this.#environment.struct(candidate);
      if (found === undefined) continue;
      const values = fields.map(({ value }) => this.plan(value));
      return evalStruct(found, fields, values);
    }
    throw new PlanError(`unknown type: ${typeName}`);
  }

  #comprehension(expr: Comprehension): Interpretable {
    const range = this.plan(expr.range);
    const init = this.plan(expr.accuInit);
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
    const condition = this.#condition(expr, accu);
    const step = this.plan(expr.step);
    this.#pop(expr.iterVar);
    if (second !== undefined) this.#pop(expr.iterVar2);
    const result = this.plan(expr.result);
    this.#pop(expr.accuVar);
    return evalFold({ range, init, condition, step, result, accu, first, second });
  }

  #condition(expr: Comprehension, accu: number): (frame: ExecutionFrame) => boolean {
    const stop = stopOfQuantifier(expr);
    if (stop !== undefined) return untilAccumulated(accu, stop);
    const condition = this.plan(expr.condition);
    return (frame) => condition(frame) !== false;
  }

  /** Compiles a bound variable, which is evaluated on first use. */
  #bind(expr: Comprehension, init: Interpretable, slot: number): Interpretable {
    this.#push(expr.accuVar, (frame) => {
      let value = frame.slots[slot];
      if (value === undefined) {
        value = init(frame);
        frame.slots[slot] = value;
      }
      return value;
    });
    const result = this.plan(expr.result);
    this.#pop(expr.accuVar);
    return (frame) => {
      frame.slots[slot] = undefined;
      return result(frame);
    };
  }

  #push(name: string, interpretable: Interpretable): void {
    const stack = this.#locals.get(name);
    if (stack) stack.push(interpretable);
    else this.#locals.set(name, [interpretable]);
  }

  #pop(name: string): void {
    this.#locals.get(name)?.pop();
  }
}
