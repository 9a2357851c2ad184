import { CelSchemaContext } from '../../cel/rules/schema-context.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { Pattern } from '../../machinery/patterns/pattern.ts';
import { type JsonSchema, valueSchema } from '../../machinery/schema/json-schema.ts';
import { Field } from '../../machinery/validation/field.ts';
import { type FieldError, fieldErrorMessage } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { schemaSome } from '../../structural/schema/visit.ts';
import { validateDefaults } from './validation/default-values.ts';
import { validateCustomResourceDefinitionOpenAPISchema } from './validation/openapi-schema.ts';
import { optionsForCreate } from './validation/options.ts';

/**
 * Returns the reasons why the schema of a custom group's kind cannot be served. Checks patterns, rules and their costs,
 * lists and defaults as for a CustomResourceDefinition.
 */
export function schemaProblems(schema: JsonSchema): string[] {
  const patterns: string[] = [];
  schemaSome(schema, ({ pattern }) => {
    const fault = pattern === undefined ? undefined : patternFault(pattern);
    if (fault !== undefined) patterns.push(fault);
    return false;
  });
  if (patterns.length > 0) return patterns;
  const known = comparable(schema);
  const cel = CelSchemaContext.root(known);
  const options = { ...optionsForCreate(), suppressPerExpressionCost: false };
  const { schemaErrors, celErrors } = validateCustomResourceDefinitionOpenAPISchema(known, options, FieldPath.root, cel);
  const errors: FieldError[] = [...schemaErrors, ...celErrors, ...cel.totalErrors(FieldPath.root)];
  if (errors.length === 0) validateDefaults(schema, false, Field.at(FieldPath.root, errors));
  return errors.map((error) => fieldErrorMessage(error).split('\n', 1).join());
}

function patternFault(pattern: string): string | undefined {
  try {
    new Pattern(pattern);
    return undefined;
  } catch (error) {
    return `the pattern ${pattern} is invalid: ${messageOf(error)}`;
  }
}

/**
 * Returns the schema without the features that a custom group's kinds may have, but a CustomResourceDefinition may not.
 */
function comparable(whole: JsonSchema): JsonSchema {
  const { uniqueItems: _, additionalProperties: __, ...schema } = whole;
  const additional = valueSchema(whole);
  const inList = (list: readonly JsonSchema[]): readonly JsonSchema[] => list.map(comparable);
  const { properties, items, allOf, anyOf, oneOf, not } = schema;
  return {
    ...schema,
    ...(additional && !properties ? { additionalProperties: comparable(additional) } : {}),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, comparable(inner)])),
    }),
    ...(items ? { items: comparable(items as JsonSchema) } : {}),
    ...(allOf && { allOf: inList(allOf) }),
    ...(anyOf && { anyOf: inList(anyOf) }),
    ...(oneOf && { oneOf: inList(oneOf) }),
    ...(not && { not: comparable(not) }),
  };
}
