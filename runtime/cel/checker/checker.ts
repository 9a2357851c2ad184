import { elementAt } from '../../machinery/collections/element-at.ts';
import type { Ast } from '../syntax/ast.ts';
import {
  type Call,
  type Comprehension,
  type Expr,
  type NodeId,
  qualifiedName,
  type Select,
  type Struct,
  type StructField,
} from '../syntax/ast.ts';
import type { Issues } from '../syntax/errors.ts';
import * as types from '../types/type.ts';
import {
  boolType,
  dynType,
  errorType,
  formatSignature,
  formatType,
  isDyn,
  isDynOrError,
  listOf,
  mapOf,
  optionalOf,
  paramType,
  sameType,
  type Type,
  unwrapOptional,
} from '../types/type.ts';
import { isInt, type Value } from '../values/value.ts';
import type { FunctionDecl, Overload } from './declarations.ts';
import type { Environment, Variable } from './environment.ts';
import { mostGeneral, Substitution } from './substitution.ts';

/** The target of a node: a variable, a constant, or the candidate overloads of a call. */
export interface Reference {
  readonly name?: string;
  readonly value?: Value;
  readonly overloads?: readonly string[];
}

/** A checked expression. */
export interface CheckedAst extends Ast {
  readonly types: ReadonlyMap<NodeId, Type>;
  readonly references: ReadonlyMap<NodeId, Reference>;
  readonly outputType: Type;
}

/** Infers the type of every node and reports errors to `issues`. (cel-go checker/checker.go) */
export function check(ast: Ast, environment: Environment, issues: Issues): CheckedAst {
  const checker = new Checker(ast, environment, issues);
  checker.check(ast.expr);
  const resolved = checker.resolvedTypes();
  return {
    ...ast,
    types: resolved,
    references: checker.references,
    outputType: resolved.get(ast.expr.id) ?? errorType,
  };
}

class Checker {
  readonly references = new Map<NodeId, Reference>();
  readonly #types = new Map<NodeId, Type>();
  readonly #substitution = new Substitution();
  readonly #scopes: Map<string, Variable>[] = [];
  readonly #environment: Environment;
  readonly #issues: Issues;
  readonly #offsets: ReadonlyMap<NodeId, number>;
  #free = 0;

  constructor(ast: Ast, environment: Environment, issues: Issues) {
    this.#environment = environment;
    this.#issues = issues;
    this.#offsets = ast.offsets;
  }

  resolvedTypes(): Map<NodeId, Type> {
    return new Map([...this.#types].map(([id, type]) => [id, this.#substitution.resolve(type, true)]));
  }

  check(expr: Expr): void {
    switch (expr.kind) {
      case 'literal':
        this.#set(expr, literalType(expr.value));
        return;
      case 'ident':
        this.#ident(expr.id, expr.name);
        return;
      case 'select':
        this.#select(expr);
        return;
      case 'call':
        this.#call(expr);
        return;
      case 'list':
        this.#list(expr);
        return;
      case 'map':
        this.#map(expr);
        return;
      case 'struct':
        this.#struct(expr);
        return;
      case 'comprehension':
        this.#comprehension(expr);
        return;
      default:
        this.#set(expr, errorType);
    }
  }

  #report(id: NodeId, message: string): void {
    this.#issues.report(this.#offsets.get(id), message);
  }

  #set(expr: Expr, type: Type): void {
    this.#types.set(expr.id, type);
  }

  #typeOf(expr: Expr): Type {
    return this.#types.get(expr.id) ?? errorType;
  }

  #undeclared(id: NodeId, name: string): void {
    this.#types.set(id, errorType);
    this.#report(id, `undeclared reference to '${name}' (in container '${this.#environment.container}')`);
  }

  #lookUp(name: string): Variable | undefined {
    for (const candidate of this.#environment.candidates(name)) {
      const local = this.#scopes.findLast((scope) => scope.has(candidate))?.get(candidate);
      if (local) return local;
      const found = this.#environment.variable(candidate);
      if (found) return found;
    }
    return undefined;
  }

  #refer(id: NodeId, { name, type, value }: Variable): void {
    this.#types.set(id, type);
    this.references.set(id, value === undefined ? { name } : { name, value });
  }

  #ident(id: NodeId, name: string): void {
    const found = this.#lookUp(name);
    if (found) this.#refer(id, found);
    else this.#undeclared(id, name);
  }

  #select(expr: Select): void {
    const qualified = qualifiedName(expr);
    const variable = qualified === undefined ? undefined : this.#lookUp(qualified);
    if (variable) {
      this.#refer(expr.id, variable);
      return;
    }
    const type = this.#fieldType(expr.id, expr.operand, expr.field, false);
    this.#set(expr, expr.test ? boolType : this.#substitution.resolve(type, false));
  }

  #fieldType(id: NodeId, operand: Expr, field: string, optional: boolean): Type {
    this.check(operand);
    const operandType = this.#substitution.resolve(this.#typeOf(operand), false);
    const { type: target, optional: isOptional } = unwrapOptional(operandType);
    let result: Type = errorType;
    if (target.kind === 'map') result = target.params[1] ?? dynType;
    else if (target.kind === 'struct') result = this.#declaredField(id, target, field) ?? errorType;
    else if (target.kind === 'param') {
      this.#substitution.assign(dynType, target);
      result = dynType;
    } else {
      if (!isDynOrError(target)) this.#report(id, `type '${formatType(target)}' does not support field selection`);
      result = dynType;
    }
    return isOptional || optional ? optionalOf(result) : result;
  }

  #declaredField(id: NodeId, target: Type, field: string): Type | undefined {
    const found = this.#environment.field(target.name, field);
    if (!found) this.#report(id, `undefined field '${field}'`);
    return found;
  }

  #call(expr: Call): void {
    if (expr.name === '_?._') {
      const operand = elementAt(expr.args, 0);
      const field = elementAt(expr.args, 1);
      const name = field.kind === 'literal' ? String(field.value) : '';
      const type = this.#fieldType(expr.id, operand, name, true);
      this.#set(expr, this.#substitution.resolve(type, false));
      this.references.set(expr.id, { overloads: ['select_optional_field'] });
      return;
    }
    for (const arg of expr.args) this.check(arg);
    if (!expr.target) {
      this.#resolve(expr, this.#environment.function(expr.name));
      return;
    }
    const prefix = qualifiedName(expr.target);
    const qualified = prefix === undefined ? undefined : this.#environment.function(`${prefix}.${expr.name}`);
    if (qualified) {
      // not a member call: the function's qualified name contains dots
      const rewritten = expr as { -readonly [Key in keyof Call]: Call[Key] };
      rewritten.name = qualified.name;
      delete rewritten.target;
      this.#resolve(expr, qualified);
      return;
    }
    this.check(expr.target);
    this.#resolve(expr, this.#environment.function(expr.name));
  }

  #resolve(expr: Call, declared: FunctionDecl | undefined): void {
    if (!declared) {
      this.#undeclared(expr.id, expr.name);
      return;
    }
    (expr as { name: string }).name = declared.name;
    const args = expr.target ? [expr.target, ...expr.args] : expr.args;
    const argTypes = args.map((arg) => this.#typeOf(arg));
    if (declared.name === '_&&_' || declared.name === '_||_') {
      this.#logical(expr, elementAt(declared.overloads, 0), argTypes);
      return;
    }
    const overloads: string[] = [];
    let result: Type | undefined;
    for (const overload of declared.overloads) {
      if (overload.member !== (expr.target !== undefined)) continue;
      const { params, result: overloadResult } = this.#fresh(overload);
      if (!this.#substitution.assignAll(argTypes, params)) continue;
      overloads.push(overload.id);
      const type = this.#substitution.resolve(overloadResult, false);
      if (!result) result = type;
      else if (!isDyn(result) && !sameType(type, result)) result = dynType;
    }
    if (!result) {
      const shown = argTypes.map((type) => this.#substitution.resolve(type, true));
      const signature = formatSignature(shown, expr.target !== undefined);
      this.#report(expr.id, `found no matching overload for '${declared.name}' applied to '${signature}'`);
      this.#set(expr, errorType);
      return;
    }
    this.#set(expr, result);
    this.references.set(expr.id, { overloads });
  }

  #logical(expr: Call, overload: Overload, argTypes: readonly Type[]): void {
    let valid = true;
    argTypes.forEach((type, i) => {
      if (this.#substitution.assign(type, boolType)) return;
      this.#mismatch(elementAt(expr.args, i).id, boolType, type);
      valid = false;
    });
    this.#set(expr, valid ? boolType : errorType);
    if (valid) this.references.set(expr.id, { overloads: [overload.id] });
  }

  /** Returns the overload with fresh type parameters, so that its uses do not affect each other. */
  #fresh(overload: Overload): { params: readonly Type[]; result: Type } {
    const names = new Set<string>();
    const collect = (type: Type): void => {
      if (type.kind === 'param') names.add(type.name);
      type.params.forEach(collect);
    };
    overload.params.forEach(collect);
    collect(overload.result);
    if (names.size === 0) return overload;
    const renaming = new Substitution();
    for (const name of names) renaming.bind(paramType(name), this.#variable());
    return {
      params: overload.params.map((param) => renaming.resolve(param, false)),
      result: renaming.resolve(overload.result, false),
    };
  }

  #variable(): Type {
    return paramType(`_var${this.#free++}`);
  }

  #mismatch(id: NodeId, expected: Type, found: Type): void {
    this.#report(id, `expected type '${formatType(expected)}' but found '${formatType(found)}'`);
  }

  /** Returns the type within the optional type of an optional element or entry. */
  #unwrapped(expr: Expr): Type {
    const type = this.#typeOf(expr);
    const { type: inner, optional } = unwrapOptional(type);
    if (!optional && !isDyn(type)) this.#mismatch(expr.id, optionalOf(type), type);
    return inner;
  }

  #list(expr: Extract<Expr, { kind: 'list' }>): void {
    let joined: Type | undefined;
    const optional = new Set(expr.optional);
    expr.elements.forEach((element, i) => {
      this.check(element);
      const type = optional.has(i) ? this.#unwrapped(element) : this.#typeOf(element);
      joined = this.#join(joined, type);
    });
    this.#set(expr, listOf(joined ?? this.#variable()));
  }

  #map(expr: Extract<Expr, { kind: 'map' }>): void {
    let keys: Type | undefined;
    let values: Type | undefined;
    for (const { key, value, optional } of expr.entries) {
      this.check(key);
      keys = this.#join(keys, this.#typeOf(key));
      this.check(value);
      values = this.#join(values, optional ? this.#unwrapped(value) : this.#typeOf(value));
    }
    this.#set(expr, mapOf(keys ?? this.#variable(), values ?? this.#variable()));
  }

  #struct(expr: Struct): void {
    const named = this.#lookUp(expr.typeName);
    const type = named?.type.kind === 'type' ? named.type.params[0] : undefined;
    if (named === undefined) {
      this.#undeclared(expr.id, expr.typeName);
      return;
    }
    if (type === undefined) this.#report(expr.id, `'${formatType(named.type)}' is not a type`);
    else if (type.kind !== 'struct') this.#report(expr.id, `'${type.name}' is not a message type`);
    const message = type?.kind === 'struct' ? type : undefined;
    this.#set(expr, message ?? errorType);
    for (const field of expr.fields) this.#structField(message, field);
  }

  #structField(message: Type | undefined, { id, name, value, optional }: StructField): void {
    this.check(value);
    const type = optional ? this.#unwrapped(value) : this.#typeOf(value);
    const wanted = message && this.#declaredField(id, message, name);
    if (wanted === undefined || this.#substitution.assign(wanted, type)) return;
    const [expected, found] = [formatType(wanted), formatType(type)];
    this.#report(id, `expected type of field '${name}' is '${expected}' but provided type is '${found}'`);
  }

  /** Elements without a common type have the type dyn. */
  #join(previous: Type | undefined, current: Type): Type {
    if (!previous) return current;
    return this.#substitution.assign(previous, current) ? mostGeneral(previous, current) : dynType;
  }

  #comprehension(expr: Comprehension): void {
    this.check(expr.range);
    this.check(expr.accuInit);
    const range = this.#substitution.resolve(this.#typeOf(expr.range), false);
    const accumulator = this.#typeOf(expr.accuInit);
    const two = expr.iterVar2 !== '';
    let first: Type = errorType;
    let second: Type = errorType;
    if (range.kind === 'list') {
      first = two ? types.intType : (range.params[0] ?? dynType);
      second = range.params[0] ?? dynType;
    } else if (range.kind === 'map') {
      first = range.params[0] ?? dynType;
      second = range.params[1] ?? dynType;
    } else if (isDynOrError(range) || range.kind === 'param') {
      this.#substitution.assign(dynType, range);
      first = dynType;
      second = dynType;
    } else {
      const shown = formatType(range);
      this.#report(expr.range.id, `expression of type '${shown}' cannot be range of a comprehension (must be list, map, or dynamic)`);
    }
    this.#scopes.push(new Map([[expr.accuVar, { name: expr.accuVar, type: accumulator }]]));
    const variables = new Map<string, Variable>([[expr.iterVar, { name: expr.iterVar, type: first }]]);
    if (two) variables.set(expr.iterVar2, { name: expr.iterVar2, type: second });
    this.#scopes.push(variables);
    this.check(expr.condition);
    this.#assert(expr.condition, boolType);
    this.check(expr.step);
    this.#assert(expr.step, accumulator);
    this.#scopes.pop();
    this.check(expr.result);
    this.#scopes.pop();
    this.#set(expr, this.#substitution.resolve(this.#typeOf(expr.result), false));
  }

  #assert(expr: Expr, type: Type): void {
    const found = this.#typeOf(expr);
    if (!this.#substitution.assign(type, found)) this.#mismatch(expr.id, type, found);
  }
}

function literalType(value: Value): Type {
  if (value === null) return types.nullType;
  if (typeof value === 'string') return types.stringType;
  if (typeof value === 'boolean') return boolType;
  if (isInt(value)) return types.intType;
  if (value.tag === 'double') return types.doubleType;
  return value.tag === 'uint' ? types.uintType : types.bytesType;
}
