import type { JsonSchema } from '../../../machinery/schema/json-schema.ts';
import { type FieldError, forbidden, invalid } from '../../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../../machinery/validation/field-path.ts';
import { validateDefaults } from './default-values.ts';
import { shownSchema } from './internal-values.ts';
import { validateCustomResourceDefinitionOpenAPISchema } from './openapi-schema.ts';
import type { SchemaValidationOptions } from './options.ts';
import { CelSchemaContext } from './rules.ts';
import { validateStructural } from './structural.ts';
import { unsupportedField } from './unsupported-fields.ts';

/** The members of a schema in the order upstream looks at them, with upstream's names. */
const memberNames: readonly (readonly [member: keyof JsonSchema, name: string])[] = [
  ['id', 'ID'],
  ['$schema', 'Schema'],
  ['$ref', 'Ref'],
  ['type', 'Type'],
  ['nullable', 'Nullable'],
  ['default', 'Default'],
  ['enum', 'Enum'],
  ['maxProperties', 'MaxProperties'],
  ['minProperties', 'MinProperties'],
  ['allOf', 'AllOf'],
  ['oneOf', 'OneOf'],
  ['anyOf', 'AnyOf'],
  ['not', 'Not'],
  ['additionalProperties', 'AdditionalProperties'],
  ['patternProperties', 'PatternProperties'],
  ['dependencies', 'Dependencies'],
  ['additionalItems', 'AdditionalItems'],
  ['definitions', 'Definitions'],
  ['x-kubernetes-embedded-resource', 'XEmbeddedResource'],
  ['x-kubernetes-int-or-string', 'XIntOrString'],
  ['x-kubernetes-list-map-keys', 'XListMapKeys'],
  ['x-kubernetes-list-type', 'XListType'],
  ['x-kubernetes-map-type', 'XMapType'],
];

const allowedWithStatus =
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations';

/**
 * The schema of a version, whole. (validateCustomResourceDefinitionValidation)
 *
 * @param path of what holds `openAPIV3Schema`
 */
export function validateCustomResourceDefinitionValidation(
  schema: JsonSchema,
  hasStatus: boolean,
  options: SchemaValidationOptions,
  path: FieldPath,
  errors: FieldError[],
): void {
  const at = path.child('openAPIV3Schema');
  if (hasStatus) checkWithStatus(schema, path, errors);
  if (schema.nullable) errors.push(forbidden(at.child('nullable'), 'nullable cannot be true at the root'));
  let context: CelSchemaContext | undefined;
  if (options.requireStructuralSchema && unsupportedField(schema) === undefined) {
    const found = validateStructural(schema, at);
    if (found.length === 0) validateDefaults(schema, options.requirePrunedDefaults, at, found);
    for (const error of found) errors.push(error);
    if (found.length === 0) context = CelSchemaContext.root(schema);
  }
  const { schemaErrors, ruleErrors } = validateCustomResourceDefinitionOpenAPISchema(schema, options, at, context);
  for (const error of schemaErrors) errors.push(error);
  for (const error of ruleErrors) errors.push(error);
  if (context) errors.push(...context.totalErrors(at));
}

/** The status is validated by its own schema: at the root stands nothing that would be lost. */
function checkWithStatus(schema: JsonSchema, path: FieldPath, errors: FieldError[]): void {
  for (const [member, name] of memberNames) {
    const value = schema[member];
    if (value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0))
      continue;
    if (name === 'Type') {
      if (value === 'object') continue;
      const text =
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      errors.push(invalid(path.child('openAPIV3Schema.type'), value, text));
    } else {
      const text = `only [${allowedWithStatus}] fields are allowed at the root of the schema if the status subresource is enabled`;
      errors.push(invalid(path.child('openAPIV3Schema'), shownSchema(schema), text));
    }
    return;
  }
}
