import { CelSchemaContext } from '../../../cel/rules/schema-context.ts';
import type { JsonSchema } from '../../../machinery/schema/json-schema.ts';
import { Field } from '../../../machinery/validation/field.ts';
import { validateDefaults } from './default-values.ts';
import { internalSchema } from './internal-values.ts';
import { validateCustomResourceDefinitionOpenAPISchema } from './openapi-schema.ts';
import type { SchemaValidationOptions } from './options.ts';
import { validateStructural } from './structural.ts';
import { unsupportedField } from './unsupported-fields.ts';

/** The members of a schema in the order of upstream's checks, with their names in Go. */
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
 * Validates the whole schema of a version.
 *
 * @param field the parent of `openAPIV3Schema`
 */
export function validateCustomResourceDefinitionValidation(
  schema: JsonSchema,
  hasStatus: boolean,
  options: SchemaValidationOptions,
  field: Field,
): void {
  const schemaField = field.child('openAPIV3Schema');
  const { errors } = field;
  const before = errors.length;
  if (hasStatus) validateRootWithStatus(schema, field);
  if (schema.nullable) schemaField.child('nullable').forbidden('nullable cannot be true at the root');
  let cel: CelSchemaContext | undefined;
  const unsupported = options.requireStructuralSchema ? unsupportedField(schema) : undefined;
  if (options.requireStructuralSchema && unsupported === undefined) {
    const found = validateStructural(schema, schemaField);
    if (found.length === 0) validateDefaults(schema, options.requirePrunedDefaults, Field.at(schemaField, found));
    for (const error of found) errors.push(error);
    if (found.length === 0) cel = CelSchemaContext.root(schema);
  }
  const { schemaErrors, celErrors } = validateCustomResourceDefinitionOpenAPISchema(schema, options, schemaField, cel);
  for (const error of schemaErrors) errors.push(error);
  for (const error of celErrors) errors.push(error);
  // validateStandard reports most of them, with their paths
  if (unsupported !== undefined && errors.length === before) schemaField.invalid('', unsupported);
  if (cel) errors.push(...cel.totalErrors(schemaField));
}

/** With a status subresource, the root may have only members that the validation of the status does not need. */
function validateRootWithStatus(schema: JsonSchema, field: Field): void {
  for (const [member, name] of memberNames) {
    const value = schema[member];
    if (value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0)) continue;
    if (name === 'Type') {
      if (value === 'object') continue;
      const detail = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      field.child('openAPIV3Schema.type').invalid(value, detail);
    } else {
      const detail = `only [${allowedWithStatus}] fields are allowed at the root of the schema if the status subresource is enabled`;
      field.child('openAPIV3Schema').invalid(internalSchema(schema), detail);
    }
    return;
  }
}
