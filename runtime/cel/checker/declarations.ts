import type { CallEstimate, CallSite } from '../cost/call-estimate.ts';
import type { Macro } from '../syntax/macros.ts';
import type { Type } from '../types/type.ts';
import type { Value } from '../values/value.ts';

/** What a function computes. Arguments are never errors, except for overloads that are not strict. */
export type Implementation = (...args: Value[]) => Value;

/** One signature of a function. */
export interface Overload {
  readonly id: string;
  /** Called as `target.name(...)`; the target is the first of `params`. */
  readonly member: boolean;
  readonly params: readonly Type[];
  readonly result: Type;
  readonly call?: Implementation;
  /** The arguments' types are not looked at when it runs. */
  readonly unguarded?: boolean;
  /** Takes errors as arguments too. */
  readonly lenient?: boolean;
  /** The worst case; undefined: counted as any call. */
  readonly estimate?: (call: CallSite) => CallEstimate | undefined;
  /** What one call costs; undefined: counted as any call. */
  readonly cost?: (args: readonly Value[]) => number;
}

export interface FunctionDecl {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** Serves all overloads: it tells them apart by the arguments itself. */
  readonly call?: Implementation;
}

/** Functions, macros and types an environment offers together. */
export interface Library {
  readonly name: string;
  readonly functions?: readonly FunctionDecl[];
  readonly macros?: readonly Macro[];
  /** Types that can be named in expressions. */
  readonly types?: readonly Type[];
  /** Fields may be quoted: ``a.`b-c` ``. */
  readonly quotedFields?: boolean;
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
