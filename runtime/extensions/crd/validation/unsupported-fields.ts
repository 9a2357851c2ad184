import { itemSchema, type JsonSchema } from '../../../machinery/schema/json-schema.ts';

/**
 * Why a schema cannot be read as a structural one at all; undefined when it can. Each of these is also refused by the
 * checks of single schemas, which tell where it is. (pkg/apiserver/schema/convert.go NewStructural)
 */
export function unsupportedField(schema: JsonSchema): string | undefined {
  const own = ownUnsupported(schema);
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

function ownUnsupported(schema: JsonSchema): string | undefined {
  const no = (name: string): string => `OpenAPIV3Schema '${name}' is not supported`;
  if (schema.id) return no('id');
  if (schema.$schema) return no('schema');
  if (schema.$ref) return no('$ref');
  if (isFilled(schema.patternProperties)) return no('patternProperties');
  if (isFilled(schema.dependencies)) return no('dependencies');
  if (schema.additionalItems !== undefined) return no('additionalItems');
  if (isFilled(schema.definitions)) return no('definitions');
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  if (Array.isArray(schema.items)) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  return undefined;
}
