import type { JsonSchema, ValidationRule } from '../../machinery/schema/json-schema.ts';
import type { Environment } from '../checker/environment.ts';
import { type SizeEstimator, schemaSizeEstimator } from '../cost/call-estimate.ts';
import { compileExpression, createEnvironment, type Program } from '../expression.ts';
import { type DeclType, maxRequestBytes } from '../types/decl-type.ts';
import { optionalOf, type Type } from '../types/type.ts';
import { resolveFieldPath } from './field-path.ts';

/** Why an expression of a rule cannot be used; `detail` is upstream's text. */
export interface CompileProblem {
  readonly type: 'Invalid' | 'Internal';
  readonly detail: string;
}

/** One rule of x-kubernetes-validations, compiled. */
export interface CompilationResult {
  readonly rule: ValidationRule;
  /** Absent with an error, and when the rule is blank. */
  readonly program?: Program;
  readonly error?: CompileProblem;
  readonly usesOldSelf: boolean;
  /** The worst case of one evaluation. */
  readonly maxCost: bigint;
  /** How often it runs at most where no schema above bounds it: what fits in a request. */
  readonly maxCardinality: bigint;
  readonly messageExpression?: Program;
  readonly messageExpressionError?: CompileProblem;
  readonly messageExpressionMaxCost: bigint;
  /** Where errors are reported, relative to the schema; empty where none is given, or it leads nowhere. */
  readonly fieldPath: string;
}

const blank = (rule: ValidationRule): CompilationResult => ({
  rule,
  usesOldSelf: false,
  maxCost: 0n,
  maxCardinality: 0n,
  messageExpressionMaxCost: 0n,
  fieldPath: '',
});

/** Compiles the rules of this one schema node. (apiextensions pkg/apiserver/schema/cel/compilation.go) */
export function compileRules(schema: JsonSchema, declared: DeclType): CompilationResult[] {
  const rules = schema['x-kubernetes-validations'] ?? [];
  if (rules.length === 0) return [];
  const compiler = new RuleCompiler(schema, declared);
  return rules.map((rule) => compiler.compile(rule));
}

/** What the rules of one schema node are compiled against. */
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
    const environment = rule.optionalOldSelf === true ? this.#withOptional : this.#withOldSelf;
    return compileRule(rule, this.#schema, environment, this.#sizes, this.#maxCardinality);
  }
}

function compileRule(
  rule: ValidationRule,
  schema: JsonSchema,
  environment: Environment,
  sizes: SizeEstimator,
  maxCardinality: bigint,
): CompilationResult {
  const compiled = blank(rule);
  if (rule.rule.trim() === '') return compiled;
  const own = compileText(rule.rule, environment, sizes, 'bool');
  if ('problem' in own) return { ...compiled, error: own.problem };
  const done = {
    ...compiled,
    program: own.program,
    usesOldSelf: own.usesOldSelf,
    maxCost: own.maxCost,
    maxCardinality,
  };
  if (!rule.messageExpression) return { ...done, fieldPath: relativePath(rule, schema) };
  const message = compileText(rule.messageExpression, environment, sizes, 'string');
  if ('problem' in message) return { ...done, messageExpressionError: message.problem };
  return {
    ...done,
    messageExpression: message.program,
    messageExpressionMaxCost: message.maxCost,
    fieldPath: relativePath(rule, schema),
  };
}

function relativePath(rule: ValidationRule, schema: JsonSchema): string {
  return rule.fieldPath ? (resolveFieldPath(rule.fieldPath, schema).path ?? '') : '';
}

type CompiledText = { program: Program; usesOldSelf: boolean; maxCost: bigint } | { problem: CompileProblem };

function compileText(
  text: string,
  environment: Environment,
  sizes: SizeEstimator,
  want: 'bool' | 'string',
): CompiledText {
  const prefix = want === 'bool' ? '' : 'messageExpression ';
  const invalid = (detail: string): CompiledText => ({ problem: { type: 'Invalid', detail } });
  const compiled = compileExpression(text, environment);
  if (compiled.program === undefined && compiled.issues !== undefined)
    return invalid(`${prefix}compilation failed: ${compiled.issues}`);
  if (compiled.program === undefined) {
    return invalid(`${want === 'bool' ? 'program' : 'messageExpression'} instantiation failed: ${compiled.failure}`);
  }
  if (compiled.outputType.kind !== want) {
    return invalid(
      want === 'bool' ? 'cel expression must evaluate to a bool' : 'messageExpression must evaluate to a string',
    );
  }
  const { program, usedVariables } = compiled;
  return { program, usesOldSelf: usedVariables.has('oldSelf'), maxCost: compiled.estimate(sizes).max };
}
