import type { Schema } from '../load/openapi.ts';
import type { FieldModel, TypeModel } from '../model/model.ts';

/**
 * Returns a schema with the values of its enums, as the feature gate OpenAPIEnums publishes them: for fields, and for
 * the elements of lists and maps. (kube-openapi pkg/generators/openapi.go)
 */
export function withEnums(schema: Schema, type: TypeModel | undefined): Schema {
  if (schema.properties === undefined || type === undefined) return schema;
  const properties = { ...schema.properties };
  for (const field of type.fields) {
    const property = Object.hasOwn(properties, field.json) ? properties[field.json] : undefined;
    if (field.enum !== undefined && property) properties[field.json] = withEnum(property, field.enum);
  }
  return { ...schema, properties };
}

function withEnum(schema: Schema, values: NonNullable<FieldModel['enum']>): Schema {
  const { items, additionalProperties } = schema;
  if (items !== undefined) return { ...schema, items: withEnum(items, values) };
  if (typeof additionalProperties === 'object') return { ...schema, additionalProperties: withEnum(additionalProperties, values) };
  return { enum: [...values].sort(), ...schema };
}
