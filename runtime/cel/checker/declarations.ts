import type { CallEstimate, CallSite } from '../cost/call-estimate.ts';
import type { Macro } from '../syntax/macros.ts';
import type { Type } from '../types/type.ts';
import type { Value } from '../values/value.ts';

/** Implements a function. Arguments are never errors unless the overload is non-strict. */
export type Implementation = (...args: Value[]) => Value;

/** One signature of a function. (cel-go decls.OverloadDecl) */
export interface Overload {
  readonly id: string;
  /** Whether calls have the form `target.name(...)`. The first of `params` is then the target. */
  readonly member: boolean;
  readonly params: readonly Type[];
  readonly result: Type;
  readonly call?: Implementation;
  /** Skips the check of argument types at run time. */
  readonly disableTypeGuards?: boolean;
  /** Also called with arguments that are errors. (cel-go OverloadIsNonStrict) */
  readonly nonStrict?: boolean;
  /** Estimates the cost of a call; undefined for the default estimate. */
  readonly estimate?: (call: CallSite) => CallEstimate | undefined;
  /** Computes the cost of a call from its arguments; undefined for the default cost. */
  readonly cost?: (...args: Value[]) => number;
}

export interface FunctionDecl {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /**
   * The implementation of all overloads, which it distinguishes by their arguments. (cel-go SingletonFunctionBinding)
   */
  readonly call?: Implementation;
}

/** A type with a constructor in expressions: `Name{field: value}`. (apiserver pkg/cel/common ResolvedType) */
export interface StructType {
  readonly type: Type;
  /** Returns undefined if there is no such field. */
  field(name: string): Type | undefined;
  create(fields: ReadonlyMap<string, Value>): Value;
}

/** A set of functions, macros, types and constants. (cel-go cel.Library) */
export interface Library {
  readonly name: string;
  readonly functions?: readonly FunctionDecl[];
  readonly macros?: readonly Macro[];
  /** Types whose names expressions may use. */
  readonly types?: readonly Type[];
  /** Allows quoted fields: ``a.`b-c` ``. */
  readonly quotedFields?: boolean;
  /** Finds a type by its qualified name. */
  structs?(name: string): StructType | undefined;
  /** Constants by qualified name. */
  readonly constants?: ReadonlyMap<string, { readonly type: Type; readonly value: Value }>;
}

export function declare(name: string, overloads: readonly Overload[], call?: Implementation): FunctionDecl {
  return call ? { name, overloads, call } : { name, overloads };
}

export function member(id: string, params: readonly Type[], result: Type, call?: Implementation): Overload {
  return call ? { id, member: true, params, result, call } : { id, member: true, params, result };
}

export function global(id: string, params: readonly Type[], result: Type, call?: Implementation): Overload {
  return call ? { id, member: false, params, result, call } : { id, member: false, params, result };
}
