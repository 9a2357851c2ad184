import type { JsonSchema, ValidationRule } from '../../machinery/schema/json-schema.ts';
import type { Environment } from '../checker/environment.ts';
import { type SizeEstimator, schemaSizeEstimator } from '../cost/call-estimate.ts';
import { compileExpression, createEnvironment, type Program } from '../expression.ts';
import { type DeclType, maxRequestBytes } from '../types/decl-type.ts';
import { optionalOf, type Type } from '../types/type.ts';
import { resolveFieldPath } from './field-path.ts';
import { compilations } from './timings.ts';

/** The compile error of a rule's expression, in upstream's words. (cel.Error) */
export interface CompileError {
  readonly type: 'Invalid' | 'Internal';
  readonly detail: string;
}

/** A compiled rule of x-kubernetes-validations. */
export interface CompilationResult {
  readonly rule: ValidationRule;
  /** Undefined if there is an error or the rule is blank. */
  readonly program?: Program;
  readonly error?: CompileError;
  readonly usesOldSelf: boolean;
  /** The estimated cost of one evaluation. */
  readonly maxCost: bigint;
  /** The maximum number of evaluations if no schema above limits it: as many values as fit into a request. */
  readonly maxCardinality: bigint;
  readonly messageExpression?: Program;
  readonly messageExpressionError?: CompileError;
  readonly messageExpressionMaxCost: bigint;
  /** The path of errors, relative to the schema; empty if the rule has none, or an invalid one. */
  readonly fieldPath: string;
}

/** Compiles the rules of one schema node. (apiextensions pkg/apiserver/schema/cel/compilation.go) */
export function compileRules(schema: JsonSchema, declared: DeclType): CompilationResult[] {
  const rules = schema['x-kubernetes-validations'] ?? [];
  if (rules.length === 0) return [];
  const compiler = new RuleCompiler(schema, declared);
  return rules.map((rule) => compiler.compile(rule));
}

/** Compiles the rules of one schema node. */
export class RuleCompiler {
  readonly #schema: JsonSchema;
  readonly #withOldSelf: Environment;
  readonly #withOptional: Environment;
  readonly #sizes: SizeEstimator;
  readonly #maxCardinality: bigint;

  constructor(schema: JsonSchema, declared: DeclType) {
    this.#schema = schema;
    const base = createEnvironment({ variables: { self: declared } });
    const { type } = base.variable('self') as { readonly type: Type };
    this.#withOldSelf = base.extend({ oldSelf: type });
    this.#withOptional = base.extend({ oldSelf: optionalOf(type) });
    this.#sizes = schemaSizeEstimator(declared);
    this.#maxCardinality = BigInt(Math.trunc(maxRequestBytes / (declared.minSerializedSize + 1)));
  }

  compile(rule: ValidationRule): CompilationResult {
    const since = performance.now();
    try {
      return this.#compile(rule);
    } finally {
      compilations.observe(since);
    }
  }

  #compile(rule: ValidationRule): CompilationResult {
    const blank: CompilationResult = {
      rule,
      usesOldSelf: false,
      maxCost: 0n,
      maxCardinality: 0n,
      messageExpressionMaxCost: 0n,
      fieldPath: '',
    };
    if (rule.rule.trim() === '') return blank;
    const environment = rule.optionalOldSelf === true ? this.#withOptional : this.#withOldSelf;
    const compiledRule = compileText(rule.rule, environment, this.#sizes, 'bool');
    if ('error' in compiledRule) return { ...blank, error: compiledRule.error };
    const { program, usesOldSelf, maxCost } = compiledRule;
    const result = { ...blank, program, usesOldSelf, maxCost, maxCardinality: this.#maxCardinality };
    if (!rule.messageExpression) return { ...result, fieldPath: this.#fieldPathOf(rule) };
    const message = compileText(rule.messageExpression, environment, this.#sizes, 'string');
    if ('error' in message) return { ...result, messageExpressionError: message.error };
    return {
      ...result,
      messageExpression: message.program,
      messageExpressionMaxCost: message.maxCost,
      fieldPath: this.#fieldPathOf(rule),
    };
  }

  #fieldPathOf({ fieldPath }: ValidationRule): string {
    return fieldPath ? (resolveFieldPath(fieldPath, this.#schema).path ?? '') : '';
  }
}

type CompiledText =
  | { readonly program: Program; readonly usesOldSelf: boolean; readonly maxCost: bigint }
  | { readonly error: CompileError };

function compileText(text: string, environment: Environment, sizes: SizeEstimator, want: 'bool' | 'string'): CompiledText {
  const prefix = want === 'bool' ? '' : 'messageExpression ';
  const invalid = (detail: string): CompiledText => ({ error: { type: 'Invalid', detail } });
  const compiled = compileExpression(text, environment);
  if (compiled.program === undefined && compiled.issues !== undefined) return invalid(`${prefix}compilation failed: ${compiled.issues}`);
  if (compiled.program === undefined) {
    return invalid(`${want === 'bool' ? 'program' : 'messageExpression'} instantiation failed: ${compiled.failure}`);
  }
  if (compiled.outputType.kind !== want) {
    return invalid(want === 'bool' ? 'cel expression must evaluate to a bool' : 'messageExpression must evaluate to a string');
  }
  const { program, usedVariables } = compiled;
  return { program, usesOldSelf: usedVariables.has('oldSelf'), maxCost: compiled.estimate(sizes).max };
}
