import { setOrDelete } from '../../../machinery/json/defined.ts';
import type { JsonSchema } from '../../../machinery/schema/json-schema.ts';

type Draft = { -readonly [member in keyof JsonSchema]: JsonSchema[member] };

/**
 * Removes members that OpenAPI 2 and its clients cannot express: value validations by allOf, anyOf, oneOf and not, the
 * types of nullable values, and the properties of objects that preserve unknown fields.
 * (pkg/controller/openapi/v2/conversion.go)
 */
export function toStructuralOpenAPIV2(schema: JsonSchema): JsonSchema {
  const { allOf: _, anyOf: _any, oneOf: _one, not: _not, ...rest } = schema;
  const draft: Draft = { ...rest };
  const preservesUnknown = draft['x-kubernetes-preserve-unknown-fields'] === true;
  if (draft.nullable) {
    delete draft.type;
    delete draft.nullable;
    delete draft.items;
    delete draft.properties;
  }
  if (preservesUnknown) {
    delete draft.items;
    delete draft.properties;
    if (draft.type === 'object') delete draft.type;
  }
  if (draft.items === undefined && draft.type === 'array') delete draft.type;
  const { properties, items, additionalProperties, required } = draft;
  if (properties !== undefined) {
    const own: Record<string, JsonSchema> = Object.create(null);
    for (const [name, property] of Object.entries(properties)) own[name] = toStructuralOpenAPIV2(property);
    draft.properties = own;
    setOrDelete(draft, 'required', withoutNullable(required, properties));
  }
  if (typeof additionalProperties === 'object') {
    draft.additionalProperties = toStructuralOpenAPIV2(additionalProperties);
    if (additionalProperties.nullable) delete draft.required;
  }
  if (items !== undefined && !Array.isArray(items)) draft.items = toStructuralOpenAPIV2(items as JsonSchema);
  if (draft.required === undefined || draft.required.length === 0) delete draft.required;
  return draft;
}

function withoutNullable(
  required: readonly string[] | undefined,
  properties: Readonly<Record<string, JsonSchema>>,
): readonly string[] | undefined {
  return required?.filter((name) => !(Object.hasOwn(properties, name) && properties[name]?.nullable));
}
