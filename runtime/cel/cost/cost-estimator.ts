import { maxUint64 } from '../../machinery/scalars/integers.ts';
import type { CheckedAst } from '../checker/checker.ts';
import type { Overload } from '../checker/declarations.ts';
import type { Environment } from '../checker/environment.ts';
import { accumulatorName, type Call, type Comprehension, type Expr, type NodeId } from '../syntax/ast.ts';
import type { Type } from '../types/type.ts';
import { isOptional, unwrapOptional } from '../types/type.ts';
import { runeCount } from '../values/runes.ts';
import type { Value } from '../values/value.ts';
import type { AstNode, CallEstimate, CallSite, SizeEstimator } from './call-estimate.ts';
import { estimateLibraryCall } from './estimate-libraries.ts';
import { estimateStandardCall } from './estimate-standard.ts';
import type { Estimate } from './estimates.ts';
import {
  fixed,
  listBaseCost,
  mapBaseCost,
  noCost,
  oneCost,
  plus,
  scaled,
  stringTraversalFactor,
  structBaseCost,
  times,
  total,
  union,
  unknownSize,
} from './estimates.ts';

interface EntrySize {
  readonly container: 'list' | 'map';
  readonly key: Estimate;
  readonly value: Estimate;
}

interface Local {
  readonly path: readonly string[];
  readonly size: Estimate | undefined;
  readonly entries: EntrySize | undefined;
}

/** Returns the minimum and the maximum cost of an expression. (cel-go checker/cost.go) */
export function estimateCost(ast: CheckedAst, environment: Environment, sizes: SizeEstimator = () => undefined): Estimate {
  return new CostEstimator(ast, environment, sizes).cost(ast.expr);
}

class CostEstimator {
  readonly #ast: CheckedAst;
  readonly #sizes: SizeEstimator;
  readonly #overloads = new Map<string, Overload>();
  readonly #environment: Environment;
  readonly #paths = new Map<NodeId, readonly string[]>();
  readonly #knownSizes = new Map<NodeId, Estimate>();
  readonly #entries = new Map<NodeId, EntrySize>();
  readonly #locals = new Map<string, Local[]>();

  constructor(ast: CheckedAst, environment: Environment, sizes: SizeEstimator) {
    this.#ast = ast;
    this.#environment = environment;
    this.#sizes = sizes;
  }

  cost(expr: Expr): Estimate {
    switch (expr.kind) {
      case 'ident':
        return this.#ident(expr.id, this.#ast.references.get(expr.id)?.name ?? expr.name);
      case 'select':
        return this.#select(expr);
      case 'call':
        return this.#call(expr);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'struct':
        return plus(total(expr.fields.map((field) => this.cost(field.value))), fixed(structBaseCost));
      case 'comprehension':
        return isBind(expr) ? this.#bind(expr) : this.#comprehension(expr);
      default:
        return noCost;
    }
  }

  #ident(id: NodeId, name: string): Estimate {
    this.#paths.set(id, this.#local(name)?.path ?? [name]);
    return oneCost;
  }

  #select(expr: Extract<Expr, { kind: 'select' }>): Estimate {
    const name = this.#ast.references.get(expr.id)?.name;
    if (name !== undefined) return this.#ident(expr.id, name);
    const operand = this.cost(expr.operand);
    if (expr.test) return operand;
    const { kind } = this.#type(expr.operand);
    this.#paths.set(expr.id, [...this.#path(expr.operand), expr.field]);
    return kind === 'map' || kind === 'struct' || kind === 'param' ? plus(operand, oneCost) : operand;
  }

  #call(expr: Call): Estimate {
    const [only, ...more] = expr.args;
    if (expr.name === 'dyn' && only && more.length === 0) {
      const cost = plus(oneCost, this.cost(only));
      this.#copySizes(expr, only);
      return cost;
    }
    const argCosts = expr.args.map((arg) => this.cost(arg));
    const args = expr.args.map((arg) => this.#node(arg));
    const overloads = this.#ast.references.get(expr.id)?.overloads ?? [];
    if (overloads.length === 0) return noCost;
    const targetCost = expr.target ? this.cost(expr.target) : noCost;
    const target = expr.target && this.#node(expr.target);
    const size = (node: AstNode | undefined): Estimate => node?.known ?? (node && this.#sizes(node.path)) ?? unknownSize;
    let cost: Estimate = { min: maxUint64, max: 0n };
    let resultSize: Estimate | undefined;
    for (const overload of overloads) {
      const estimated = this.#estimateOverload(expr, { name: expr.name, overload, target, args, size }, argCosts);
      cost = union(cost, estimated.cost);
      if (estimated.size) resultSize = resultSize ? union(resultSize, estimated.size) : estimated.size;
      if ((overload === 'index_list' || overload === 'index_map') && only) {
        resultSize = this.#entrySize(only)?.value;
        const step = overload === 'index_list' ? '@items' : '@values';
        this.#paths.set(expr.id, [...this.#path(only), step]);
      }
      resultSize ??= this.#size(expr);
    }
    if (resultSize) this.#knownSizes.set(expr.id, resultSize);
    return plus(targetCost, cost);
  }

  /** @param argCosts the costs of evaluating the arguments */
  #estimateOverload(expr: Call, call: CallSite, argCosts: readonly Estimate[]): CallEstimate {
    const { overload, args } = call;
    const withArgs = ({ cost, size }: CallEstimate): CallEstimate => {
      const all = plus(cost, total(argCosts));
      return size ? { cost: all, size } : { cost: all };
    };
    const estimate = this.#overload(expr.name, overload)?.estimate?.(call) ?? estimateLibraryCall(call);
    if (estimate) return withArgs(estimate);
    const unsized = (node: AstNode | undefined): Estimate => node?.known ?? unknownSize;
    const [firstCost = noCost, secondCost = noCost, thirdCost = noCost] = argCosts;
    switch (overload) {
      case 'logical_and':
      case 'logical_or':
        return { cost: { min: firstCost.min, max: plus(firstCost, secondCost).max } };
      case 'conditional': {
        const [, yes, no] = expr.args;
        const yesEntries = yes && this.#entrySize(yes);
        const noEntries = no && this.#entrySize(no);
        if (yesEntries && noEntries) this.#entries.set(expr.id, unionEntries(yesEntries, noEntries));
        return {
          cost: plus(firstCost, union(secondCost, thirdCost)),
          size: union(unsized(args[1]), unsized(args[2])),
        };
      }
      case 'add_list':
      case 'add_string':
      case 'add_bytes': {
        const size = plus(unsized(args[0]), unsized(args[1]));
        const [first, second] = expr.args;
        const left = first && this.#entrySize(first);
        const right = second && this.#entrySize(second);
        if (left && right) this.#entries.set(expr.id, unionEntries(left, right));
        const cost = overload === 'add_list' ? oneCost : scaled(size, stringTraversalFactor);
        return withArgs({ cost, size });
      }
      default:
        return withArgs(estimateStandardCall(call, unsized) ?? { cost: oneCost });
    }
  }

  #overload(name: string, id: string): Overload | undefined {
    const key = `${name}/${id}`;
    if (!this.#overloads.has(key)) {
      const found = this.#environment.functions.get(name)?.overloads.find((overload) => overload.id === id);
      if (found) this.#overloads.set(key, found);
    }
    return this.#overloads.get(key);
  }

  #list(expr: Extract<Expr, { kind: 'list' }>): Estimate {
    let cost = fixed(listBaseCost);
    let value: Estimate = { min: expr.elements.length === 0 ? 0n : maxUint64, max: 0n };
    for (const element of expr.elements) {
      cost = plus(cost, this.cost(element));
      value = union(value, this.#sizeOrUnknown(element));
    }
    this.#entries.set(expr.id, { container: 'list', key: oneCost, value });
    return cost;
  }

  #map(expr: Extract<Expr, { kind: 'map' }>): Estimate {
    let cost = fixed(mapBaseCost);
    const none = { min: expr.entries.length === 0 ? 0n : maxUint64, max: 0n };
    let key: Estimate = none;
    let value: Estimate = none;
    for (const entry of expr.entries) {
      cost = plus(plus(cost, this.cost(entry.key)), this.cost(entry.value));
      key = union(key, this.#sizeOrUnknown(entry.key));
      value = union(value, this.#sizeOrUnknown(entry.value));
    }
    this.#entries.set(expr.id, { container: 'map', key, value });
    return cost;
  }

  #comprehension(expr: Comprehension): Estimate {
    const range = this.cost(expr.range);
    const init = this.cost(expr.accuInit);
    this.#push(expr.accuVar, this.#localOf(expr.accuInit));
    const entries = this.#entrySize(expr.range);
    const isList = (entries?.container ?? this.#type(expr.range).kind) === 'list';
    const at = (step: string): readonly string[] => [...this.#path(expr.range), step];
    if (expr.iterVar2 === '') {
      const size = isList ? entries?.value : entries?.key;
      this.#push(expr.iterVar, { path: at(isList ? '@items' : '@keys'), size, entries: undefined });
    } else {
      this.#push(expr.iterVar, { path: at(isList ? '@indices' : '@keys'), size: entries?.key, entries: undefined });
      this.#push(expr.iterVar2, { path: at(isList ? '@items' : '@values'), size: entries?.value, entries: undefined });
    }
    const condition = this.cost(expr.condition);
    const step = this.cost(expr.step);
    this.#pop(expr.iterVar);
    if (expr.iterVar2 !== '') this.#pop(expr.iterVar2);
    const result = this.cost(expr.result);
    this.#pop(expr.accuVar);
    const count = this.#sizeOrUnknown(expr.range);
    if (expr.accuInit.kind === 'literal') {
      const size = this.#size(expr.accuInit);
      if (size) this.#knownSizes.set(expr.id, size);
    } else if (expr.accuInit.kind === 'list' || expr.accuInit.kind === 'map') {
      this.#knownSizes.set(expr.id, count);
      const stepEntries = this.#entrySize(expr.step);
      if (stepEntries) this.#entries.set(expr.id, stepEntries);
    }
    return total([range, init, result, times(count, plus(step, condition))]);
  }

  #bind(expr: Comprehension): Estimate {
    const cost = plus(this.cost(expr.range), this.cost(expr.accuInit));
    this.#push(expr.accuVar, this.#localOf(expr.accuInit));
    const result = this.cost(expr.result);
    this.#pop(expr.accuVar);
    this.#copySizes(expr, expr.result);
    return plus(cost, result);
  }

  #localOf(expr: Expr): Local {
    return { path: this.#path(expr), size: this.#size(expr), entries: this.#entrySize(expr) };
  }

  #push(name: string, local: Local): void {
    const stack = this.#locals.get(name);
    if (stack) stack.push(local);
    else this.#locals.set(name, [local]);
  }

  #pop(name: string): void {
    this.#locals.get(name)?.pop();
  }

  #local(name: string): Local | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #localFor(expr: Expr): Local | undefined {
    return expr.kind === 'ident' ? this.#local(this.#ast.references.get(expr.id)?.name ?? expr.name) : undefined;
  }

  #type(expr: Expr): Type {
    return this.#ast.types.get(expr.id) as Type;
  }

  #path(expr: Expr): readonly string[] {
    return this.#localFor(expr)?.path ?? this.#paths.get(expr.id) ?? [];
  }

  #node(expr: Expr): AstNode {
    const path = this.#path(expr);
    const hidden = path[0] === accumulatorName || path[0] === '__result__';
    return { expr, type: this.#type(expr), path: hidden ? [] : path, known: this.#size(expr) };
  }

  #copySizes(to: Expr, from: Expr): void {
    const size = this.#size(from);
    if (size) this.#knownSizes.set(to.id, size);
    const entries = this.#entrySize(from);
    if (entries) this.#entries.set(to.id, entries);
  }

  #sizeOrUnknown(expr: Expr): Estimate {
    return this.#size(expr) ?? unknownSize;
  }

  #size(expr: Expr): Estimate | undefined {
    const known = this.#knownSizes.get(expr.id) ?? literalSize(expr);
    if (known) return known;
    const hinted = this.#sizes(this.#path(expr));
    if (hinted) {
      this.#knownSizes.set(expr.id, hinted);
      return hinted;
    }
    return isScalar(this.#type(expr)) ? oneCost : this.#localFor(expr)?.size;
  }

  #entrySize(expr: Expr): EntrySize | undefined {
    return this.#entries.get(expr.id) ?? this.#localFor(expr)?.entries;
  }
}

const unionEntries = (a: EntrySize, b: EntrySize): EntrySize => ({
  container: a.container,
  key: union(a.key, b.key),
  value: union(a.value, b.value),
});

/** Reports whether a fold is the expansion of cel.bind: a fold over an empty list. */
export function isBind(expr: Comprehension): boolean {
  return (
    expr.range.kind === 'list' &&
    expr.range.elements.length === 0 &&
    expr.condition.kind === 'literal' &&
    expr.condition.value === false &&
    expr.accuVar !== '__result__'
  );
}

function literalSize(expr: Expr): Estimate | undefined {
  if (expr.kind === 'list') return fixed(BigInt(expr.elements.length));
  if (expr.kind === 'map') return fixed(BigInt(expr.entries.length));
  if (expr.kind !== 'literal') return undefined;
  const value: Value = expr.value;
  if (typeof value === 'string') return fixed(BigInt(runeCount(value)));
  if (typeof value === 'object' && value !== null && value.tag === 'bytes') return fixed(BigInt(value.value.length));
  return oneCost;
}

function isScalar(type: Type): boolean {
  if (isOptional(type)) return isScalar(unwrapOptional(type).type);
  return ['bool', 'double', 'duration', 'int', 'timestamp', 'uint'].includes(type.kind);
}
