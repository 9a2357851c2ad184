import { elementAt } from '../../machinery/collections/element-at.ts';
import { dynType, isDyn, isDynOrError, listOf, mapOf, opaqueType, sameType, type Type, typeOf } from '../types/type.ts';

/**
 * The types bound to type parameters. If an assignment fails, its bindings are undone.
 * (cel-go checker/types.go, checker/mapping.go)
 */
export class Substitution {
  readonly #types = new Map<string, Type>();
  /** The bindings of the current attempt, and the values that they replaced. */
  readonly #undoLog: { readonly name: string; readonly before: Type | undefined }[] = [];

  bind({ name }: Type, type: Type): void {
    this.#undoLog.push({ name, before: this.#types.get(name) });
    this.#types.set(name, type);
  }

  find(type: Type): Type | undefined {
    return type.kind === 'param' ? this.#types.get(type.name) : undefined;
  }

  /** Reports whether a value of `from` is assignable to `to`. If so, binds their parameters. */
  assign(to: Type, from: Type): boolean {
    return this.#attempt(() => this.#assignable(to, from));
  }

  assignAll(to: readonly Type[], from: readonly Type[]): boolean {
    return this.#attempt(() => this.#allAssignable(to, from));
  }

  /**
   * Returns the type with bound parameters replaced by their types.
   *
   * @param freeToDyn replaces unbound parameters by dyn
   */
  resolve(type: Type, freeToDyn: boolean): Type {
    const found = this.find(type);
    if (found) return this.resolve(found, freeToDyn);
    switch (type.kind) {
      case 'param':
        return freeToDyn ? dynType : type;
      case 'opaque':
        return opaqueType(type.name, ...type.params.map((param) => this.resolve(param, freeToDyn)));
      case 'list':
        return type.params.length === 0 ? type : listOf(this.resolve(elementAt(type.params, 0), freeToDyn));
      case 'map':
        if (type.params.length === 0) return type;
        return mapOf(this.resolve(elementAt(type.params, 0), freeToDyn), this.resolve(elementAt(type.params, 1), freeToDyn));
      case 'type':
        return type.params.length === 0 ? type : typeOf(this.resolve(elementAt(type.params, 0), freeToDyn));
      default:
        return type;
    }
  }

  #attempt(assign: () => boolean): boolean {
    this.#undoLog.length = 0;
    if (assign()) return true;
    for (let step = this.#undoLog.pop(); step !== undefined; step = this.#undoLog.pop()) {
      if (step.before === undefined) this.#types.delete(step.name);
      else this.#types.set(step.name, step.before);
    }
    return false;
  }

  #assignable(a: Type, b: Type): boolean {
    if (b.kind === 'param') {
      const { valid, bound } = this.#unify(a, b);
      if (valid) return true;
      if (bound) return false;
    }
    if (a.kind === 'param') return this.#unify(b, a).valid;
    if (isDynOrError(a) || isDynOrError(b)) return true;
    if (a.kind === 'null') return acceptsNull(b);
    if (b.kind === 'null') return acceptsNull(a);
    switch (a.kind) {
      case 'type':
        return b.kind === 'type';
      case 'opaque':
      case 'list':
      case 'map':
        return a.kind === b.kind && a.name === b.name && this.#allAssignable(a.params, b.params);
      default:
        return a.kind === b.kind && a.name === b.name;
    }
  }

  #allAssignable(a: readonly Type[], b: readonly Type[]): boolean {
    return a.length === b.length && a.every((type, i) => this.#assignable(type, elementAt(b, i)));
  }

  /** Binds the parameter to the type, or checks the type against the existing binding. */
  #unify(type: Type, param: Type): { valid: boolean; bound: boolean } {
    if (sameType(type, param)) return { valid: true, bound: true };
    const bound = this.find(param);
    if (bound) {
      if (sameType(type, bound)) return { valid: true, bound: true };
      if (!this.#assignable(type, bound)) return { valid: false, bound: true };
      const general = mostGeneral(type, bound);
      if (!this.#mentions(param, general)) this.bind(param, general);
      return { valid: true, bound: true };
    }
    if (this.#mentions(param, type)) return { valid: false, bound: false };
    this.bind(param, type);
    return { valid: true, bound: false };
  }

  #mentions(param: Type, within: Type): boolean {
    if (sameType(param, within)) return true;
    if (within.kind === 'param') {
      const bound = this.find(within);
      return bound !== undefined && this.#mentions(param, bound);
    }
    return within.params.some((inner) => this.#mentions(param, inner));
  }
}

const acceptsNull = (type: Type): boolean =>
  type.nullable === true || ['opaque', 'struct', 'any', 'duration', 'timestamp', 'null', 'dyn', 'param'].includes(type.kind);

export function mostGeneral(a: Type, b: Type): Type {
  return isLessSpecific(a, b) ? a : b;
}

function isLessSpecific(a: Type, b: Type): boolean {
  if (isDyn(a) || a.kind === 'param') return true;
  if (isDyn(b) || b.kind === 'param') return false;
  if (a.kind !== b.kind) return false;
  switch (a.kind) {
    case 'opaque':
      if (a.name !== b.name || a.params.length !== b.params.length) return false;
      return a.params.every((param, i) => isLessSpecific(param, elementAt(b.params, i)));
    case 'list':
    case 'map':
      return a.params.every((param, i) => isLessSpecific(param, elementAt(b.params, i)));
    case 'type':
      return true;
    default:
      return sameType(a, b);
  }
}
