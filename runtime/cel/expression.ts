import { spend } from '../machinery/event-loop/budget.ts';
import { check } from './checker/checker.ts';
import type { Library } from './checker/declarations.ts';
import { Environment } from './checker/environment.ts';
import { checkLiterals } from './checker/literals.ts';
import type { SizeEstimator } from './cost/call-estimate.ts';
import { estimateCost } from './cost/cost-estimator.ts';
import type { Estimate } from './cost/estimates.ts';
import { type Interpretable, isCostExceeded, newExecutionFrame, report } from './interpreter/execution-frame.ts';
import { isPlanError } from './interpreter/optimizations.ts';
import { type Compiled, compile, type UncheckedAst } from './interpreter/planner.ts';
import { kubernetesLibraries } from './library/kubernetes.ts';
import type { DeclType } from './types/decl-type.ts';
import type { Type } from './types/type.ts';
import { CelError, type Value } from './values/value.ts';

export { Environment } from './checker/environment.ts';
export { jsonValue } from './values/json.ts';
export type { Value as CelValue } from './values/value.ts';
export { isError as isCelError } from './values/value.ts';

export interface ExpressionOptions {
  /** The types of variables by name. */
  readonly variables?: Readonly<Record<string, Type | DeclType>>;
  /** The namespace in which names are resolved first. Default: none. */
  readonly container?: string;
  /** Default: the libraries of Kubernetes 1.35. */
  readonly libraries?: readonly Library[];
}

let kubernetes: Environment | undefined;

/** Creates an environment for compiling expressions. Reuse it: creating one costs more than compiling an expression. */
export function createEnvironment(options: ExpressionOptions = {}): Environment {
  kubernetes ??= Environment.of(kubernetesLibraries);
  const base = options.libraries ? Environment.of(options.libraries) : kubernetes;
  return base.extend(options.variables ?? {}, options.container);
}

export interface CompileOptions {
  /** Checks only the types of literals. Default: false. */
  readonly skipLiteralChecks?: boolean;
  /** Evaluates constant lists, maps and conversions at compile time, at no cost. Default: true. */
  readonly fold?: boolean;
}

/** The result of one evaluation. */
export interface Evaluation {
  /** The value, possibly an error: see isCelError. */
  readonly value: Value;
  readonly cost: number;
}

/** A compiled expression for any number of evaluations. */
export class Program {
  /** The variables that the expression reads. */
  readonly variables: readonly string[];
  readonly #interpretable: Interpretable;
  readonly #slots: number;

  constructor({ interpretable, variables, slots }: Compiled) {
    this.variables = variables;
    this.#interpretable = interpretable;
    this.#slots = slots;
  }

  /**
   * Evaluates the expression. Reading a variable without a value is an error. Exceeding the cost limit is the error
   * `operation cancelled: actual cost limit exceeded`.
   *
   * @throws EventLoopBudgetError if the evaluation takes too long for this thread
   */
  evaluate(variables: Readonly<Record<string, Value>>, costLimit = Number.POSITIVE_INFINITY): Evaluation {
    return this.evaluateWith((name) => variables[name], costLimit);
  }

  /** Like `evaluate`, with a function that makes values on demand. (interpreter.Activation) */
  evaluateWith(resolve: (name: string) => Value | undefined, costLimit: number): Evaluation {
    const frame = newExecutionFrame(this.#slots, costLimit);
    const { variables } = this;
    for (let i = 0; i < variables.length; i++) {
      const name = variables[i];
      if (name !== undefined) frame.slots[i] = resolve(name);
    }
    try {
      const value = this.#interpretable(frame);
      report(frame);
      return { value, cost: frame.cost };
    } catch (error) {
      if (isCostExceeded(error)) return { value: new CelError(error.message), cost: frame.cost };
      if (error instanceof RangeError) return { value: new CelError(`internal error: ${error.message}`), cost: frame.cost };
      throw error;
    }
  }
}

export interface CompiledExpression {
  readonly program: Program;
  readonly outputType: Type;
  /** The variables that the expression refers to. */
  readonly usedVariables: ReadonlySet<string>;
  /** Estimates the cost with the given sizes of values. */
  estimate(sizes?: SizeEstimator): Estimate;
  readonly issues?: undefined;
  readonly failure?: undefined;
}

export interface CompilationFailure {
  /** The errors as cel-go displays them; undefined if the expression is well-typed but cannot run. */
  readonly issues?: string;
  /** Why a well-typed expression cannot be run. */
  readonly failure?: string;
  readonly program?: undefined;
}

/** Microseconds to compile an expression. */
const perExpression = 50;
const perCharacter = 1.5;

/** Parses, checks and compiles an expression. */
export function compileExpression(
  source: string,
  environment: Environment,
  options: CompileOptions = {},
): CompiledExpression | CompilationFailure {
  spend(perExpression + source.length * perCharacter);
  const { ast, issues } = environment.parse(source);
  if (!ast) return { issues: issues.toString() };
  const checked = check(ast, environment, issues);
  if (issues.count === 0 && !options.skipLiteralChecks) checkLiterals(checked, issues);
  if (issues.count > 0) return { issues: issues.toString() };
  const program = tryCompile(checked, environment, options.fold);
  if (typeof program === 'string') return { failure: program };
  const usedVariables = new Set<string>();
  for (const { name } of checked.references.values()) if (name !== undefined) usedVariables.add(name);
  return {
    program,
    outputType: checked.outputType,
    usedVariables,
    estimate: (sizes) => estimateCost(checked, environment, sizes),
  };
}

/** Compiles without type checks: names and overloads are resolved at run time. */
export function compileUnchecked(source: string, environment: Environment): Program | { readonly issues: string } {
  const { ast, issues } = environment.parse(source);
  if (!ast) return { issues: issues.toString() };
  const program = tryCompile(ast, environment);
  return typeof program === 'string' ? { issues: program } : program;
}

function tryCompile(ast: UncheckedAst, environment: Environment, fold = true): Program | string {
  try {
    return new Program(compile(ast, environment, fold));
  } catch (error) {
    if (isPlanError(error)) return error.message;
    throw error;
  }
}
