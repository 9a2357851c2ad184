import { itemSchema, type JsonSchema } from '../../../machinery/schema/json-schema.ts';

/**
 * Returns why a schema cannot be converted to a structural one, undefined if it can. The validation of single schemas
 * reports the same problems with their paths. (pkg/apiserver/schema/convert.go NewStructural)
 */
export function unsupportedField(schema: JsonSchema): string | undefined {
  const own = unsupportedMember(schema);
  if (own !== undefined) return own;
  const { allOf = [], anyOf = [], oneOf = [], not, properties, additionalProperties } = schema;
  const inside = [...allOf, ...anyOf, ...oneOf, ...Object.values(properties ?? {})];
  if (not) inside.push(not);
  const items = itemSchema(schema);
  if (items) inside.push(items);
  if (typeof additionalProperties === 'object') inside.push(additionalProperties);
  for (const inner of inside) {
    const found = unsupportedField(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

const isFilled = (value: object | undefined): boolean => value !== undefined && Object.keys(value).length > 0;

function unsupportedMember(schema: JsonSchema): string | undefined {
  const unsupported = (name: string): string => `OpenAPIV3Schema '${name}' is not supported`;
  if (schema.id) return unsupported('id');
  if (schema.$schema) return unsupported('schema');
  if (schema.$ref) return unsupported('$ref');
  if (isFilled(schema.patternProperties)) return unsupported('patternProperties');
  if (isFilled(schema.dependencies)) return unsupported('dependencies');
  if (schema.additionalItems !== undefined) return unsupported('additionalItems');
  if (isFilled(schema.definitions)) return unsupported('definitions');
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  if (Array.isArray(schema.items) && schema.items.length > 0) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  return undefined;
}
