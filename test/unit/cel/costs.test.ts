import { describe, expect, test } from '@jest/globals';
import { compileExpression, createEnvironment } from '../../../runtime/cel/expression.ts';
import { authorizerType, authorizerValue } from '../../../runtime/cel/library/authorizer.ts';
import { compileRules } from '../../../runtime/cel/rules/compile.ts';
import { staticEstimatedCostLimit } from '../../../runtime/cel/rules/limits.ts';
import { type DeclType, schemaDeclType } from '../../../runtime/cel/types/decl-type.ts';
import type { JsonSchema } from '../../../runtime/machinery/schema/json-schema.ts';
import { functionCosts } from './tables/function-costs.ts';
import { languageEstimates } from './tables/language-estimates.ts';
import { type EstimateRow, ruleEstimates } from './tables/rule-estimates.ts';

describe('the cost of functions', () => {
  const environment = createEnvironment({ variables: { authorizer: authorizerType } });
  const authorizer = authorizerValue({ authorize: () => ({ allowed: true, reason: '' }) });

  test.each(functionCosts)('%s', (expression, min, max, run) => {
    const compiled = compileExpression(expression, environment, { fold: false, skipLiteralChecks: true });
    if (!compiled.program) throw new Error(compiled.issues ?? compiled.failure);
    expect(compiled.estimate()).toEqual({ min, max });
    expect(compiled.program.evaluate({ authorizer }).cost).toBe(run);
  });
});

describe('the worst-case cost of the language', () => {
  test.each(languageEstimates)('$expression', ({ expression, variables, sizes, min, max }) => {
    const compiled = compileExpression(expression, createEnvironment({ variables }), { skipLiteralChecks: true });
    if (!compiled.program) throw new Error(compiled.issues ?? compiled.failure);
    const sizeAt = (path: readonly string[]) => {
      const most = sizes[path.join('.')];
      return most === undefined ? undefined : { min: 0n, max: BigInt(most) };
    };
    expect(compiled.estimate(sizeAt)).toEqual({ min, max });
  });
});

const formats = new Set(['duration', 'date', 'date-time']);

function scalar(type: string): JsonSchema {
  if (type === 'int-or-string') return { 'x-kubernetes-int-or-string': true };
  return formats.has(type) ? { type: 'string', format: type } : { type };
}

const object: JsonSchema = {
  type: 'object',
  properties: { required: { type: 'string' }, optional: { type: 'string' } },
  required: ['required'],
};

/** Returns the schema of a row, with or without the limit. */
function schemaOf([shape, of, rule, , limit]: EstimateRow, bounded: boolean): JsonSchema {
  const rules = { 'x-kubernetes-validations': [{ rule }] };
  const limited = (name: string) => (bounded ? { [name]: limit } : {});
  const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items, ...limited('maxItems'), ...rules });
  const map = (values: JsonSchema): JsonSchema => ({
    type: 'object',
    additionalProperties: values,
    ...limited('maxProperties'),
    ...rules,
  });
  switch (shape) {
    case 'list':
      return list(scalar(of));
    case 'map':
      return map(scalar(of));
    case 'string':
      return { type: 'string', ...limited('maxLength'), ...rules };
    case 'bytes':
      return { type: 'string', format: 'byte', ...limited('maxLength'), ...rules };
    case 'list of lists':
      return list({ type: 'array', items: scalar(of) });
    case 'list of objects':
      return list(object);
    case 'list of maps':
      return list({ type: 'object', additionalProperties: scalar(of) });
    case 'map of objects':
      return map(object);
    case 'map of maps':
      return map({ type: 'object', additionalProperties: scalar(of) });
    default:
      return map({ type: 'array', items: scalar(of) });
  }
}

function worstCase(schema: JsonSchema): bigint {
  const [compiled] = compileRules(schema, schemaDeclType(schema, false) as DeclType);
  expect(compiled.error).toBeUndefined();
  return compiled.maxCost;
}

describe('the worst-case cost of rules', () => {
  test.each(ruleEstimates)('%s of %s: %s', (...row) => {
    for (const [bounded, want] of [
      [false, row[3]],
      [true, row[5]],
    ] as const) {
      const cost = worstCase(schemaOf(row, bounded));
      if (want === 'over') expect(cost).toBeGreaterThan(staticEstimatedCostLimit);
      else if (want > 0) expect(cost).toBe(BigInt(want));
    }
  });
});
