import { compileExpression, type Environment, type Program } from '../expression.ts';
import { isDyn, sameType, type Type, typeString } from '../types/type.ts';

/** A compiled expression, or its error in upstream's words. (cel.CompilationResult) */
export type CompilationResult =
  | { readonly program: Program; readonly outputType: Type; readonly error?: undefined }
  | { readonly program?: undefined; readonly outputType?: undefined; readonly error: CompilationError };

export interface CompilationError {
  readonly type: 'Invalid' | 'Internal';
  readonly detail: string;
}

/**
 * An expression about a write. It is compiled on first use, and then kept. If compiling a policy takes too long for
 * this thread, the next attempt continues where this one stopped. (cel.ExpressionAccessor)
 */
export class AdmissionExpression {
  readonly text: string;
  readonly #returnTypes: readonly Type[];
  readonly #environment: () => Environment;
  #result: CompilationResult | undefined;

  /** @param returnTypes the allowed types of the result; dyn for any */
  constructor(text: string, returnTypes: readonly Type[], environment: () => Environment) {
    this.text = text;
    this.#returnTypes = returnTypes;
    this.#environment = environment;
  }

  /** @throws EventLoopBudgetError if compiling takes too long for this thread */
  get result(): CompilationResult {
    this.#result ??= compileAdmissionExpression(this.text, this.#returnTypes, this.#environment());
    return this.#result;
  }
}

/** (cel.Compiler CompileCELExpression) */
export function compileAdmissionExpression(text: string, returnTypes: readonly Type[], environment: Environment): CompilationResult {
  const compiled = compileExpression(text, environment);
  if (compiled.program === undefined) {
    const { issues, failure } = compiled;
    if (issues !== undefined) return failed('Invalid', `compilation failed: ${issues}`);
    return failed('Internal', `program instantiation failed: ${failure}`);
  }
  const { program, outputType } = compiled;
  if (returnTypes.some((type) => isDyn(type) || sameType(type, outputType))) return { program, outputType };
  const wanted = returnTypes.map(typeString);
  const shown = wanted.length === 1 ? wanted[0] : `one of [${wanted.join(' ')}]`;
  return failed('Invalid', `must evaluate to ${shown} but got ${typeString(outputType)}`);
}

const failed = (type: CompilationError['type'], detail: string): CompilationResult => ({ error: { type, detail } });
