import { spend } from '../machinery/event-loop/budget.ts';
import { check } from './checker/checker.ts';
import type { Library } from './checker/declarations.ts';
import { Environment } from './checker/environment.ts';
import { checkLiterals } from './checker/literals.ts';
import type { SizeEstimator } from './cost/call-estimate.ts';
import { estimateCost } from './cost/cost-estimator.ts';
import type { Estimate } from './cost/estimates.ts';
import { isCostExceeded, newExecutionFrame, report } from './interpreter/execution-frame.ts';
import { type Compiled, compile, isPlanError, type UncheckedAst } from './interpreter/planner.ts';
import { kubernetesLibraries } from './library/kubernetes.ts';
import type { DeclType } from './types/decl-type.ts';
import type { Type } from './types/type.ts';
import { CelError, type Value } from './values/value.ts';

export { Environment } from './checker/environment.ts';
export { jsonValue } from './values/json.ts';
export type { Value as CelValue } from './values/value.ts';
export { isError as isCelError } from './values/value.ts';

export interface ExpressionOptions {
  /** Types by name: of types/type.ts, or a schema's. */
  readonly variables?: Readonly<Record<string, Type | DeclType>>;
  /** Names are looked up in it first. Default: none. */
  readonly container?: string;
  /** Default: what Kubernetes 1.35 offers. */
  readonly libraries?: readonly Library[];
}

let kubernetes: Environment | undefined;

/** What expressions are compiled against. Keep it: making one costs more than compiling an expression. */
export function createEnvironment(options: ExpressionOptions = {}): Environment {
  kubernetes ??= Environment.of(kubernetesLibraries);
  const base = options.libraries ? Environment.of(options.libraries) : kubernetes;
  return base.extend(options.variables ?? {}, options.container);
}

export interface CompileOptions {
  /** Literals are not looked at beyond their types. Default: they are. */
  readonly skipLiteralChecks?: boolean;
  /** Constant lists, maps and conversions are computed beforehand, and cost nothing. Default: true. */
  readonly fold?: boolean;
}

/** The outcome of one evaluation. */
export interface Evaluation {
  /** An error of the expression is a value too: isCelError tells. */
  readonly value: Value;
  readonly cost: number;
}

/** An expression ready to run, any number of times. */
export class Program {
  readonly #compiled: Compiled;

  constructor(compiled: Compiled) {
    this.#compiled = compiled;
  }

  /** The variables it reads. */
  get variables(): readonly string[] {
    return this.#compiled.variables;
  }

  /**
   * Runs it. A variable without a value is an error where it is read. Past the limit it gives up:
   * `operation cancelled: actual cost limit exceeded`.
   *
   * @throws EventLoopBudgetError where it takes too long for the thread
   */
  evaluate(variables: Readonly<Record<string, Value>>, costLimit = Number.POSITIVE_INFINITY): Evaluation {
    const { thunk, variables: names, slots } = this.#compiled;
    const frame = newExecutionFrame(slots, costLimit);
    for (let i = 0; i < names.length; i++) {
      const name = names[i];
      if (name !== undefined) frame.slots[i] = variables[name];
    }
    try {
      const value = thunk(frame);
      report(frame);
      return { value, cost: frame.cost };
    } catch (error) {
      if (isCostExceeded(error)) return { value: new CelError(error.message), cost: frame.cost };
      if (error instanceof RangeError)
        return { value: new CelError(`internal error: ${error.message}`), cost: frame.cost };
      throw error;
    }
  }
}

export interface CompiledExpression {
  readonly program: Program;
  readonly outputType: Type;
  /** The names of the variables it refers to. */
  readonly usedVariables: ReadonlySet<string>;
  /** What it costs at least and at most; sizes of values are looked up by path. */
  estimate(sizes?: SizeEstimator): Estimate;
  readonly issues?: undefined;
  readonly failure?: undefined;
}

export interface CompilationFailure {
  /** What is wrong, as cel-go displays it; undefined where only running it is impossible. */
  readonly issues?: string;
  /** Why a well-typed expression cannot be run. */
  readonly failure?: string;
  readonly program?: undefined;
}

/** Microseconds that compiling takes. */
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

/** Compiles without checking: names and overloads are found when it runs. */
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
