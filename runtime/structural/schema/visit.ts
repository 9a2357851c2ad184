import type { JsonSchema } from '../../machinery/json-schema.ts';

/** Whether the schema, or one inside it, is what the predicate asks for. (apiextensions validation SchemaHas) */
export function schemaSome(schema: JsonSchema | undefined, predicate: (schema: JsonSchema) => boolean): boolean {
  if (schema === undefined || typeof schema !== 'object' || schema === null) return false;
  return predicate(schema) || schemasInside(schema).some((inner) => schemaSome(inner, predicate));
}

function schemasInside(schema: JsonSchema): JsonSchema[] {
  const { items, allOf = [], anyOf = [], oneOf = [], not, additionalProperties, additionalItems } = schema;
  const inside: JsonSchema[] = [];
  if (Array.isArray(items)) inside.push(...(items as readonly JsonSchema[]));
  else if (items) inside.push(items as JsonSchema);
  inside.push(...allOf, ...anyOf, ...oneOf);
  if (not) inside.push(not);
  inside.push(...Object.values(schema.properties ?? {}));
  if (typeof additionalProperties === 'object') inside.push(additionalProperties);
  inside.push(...Object.values(schema.patternProperties ?? {}));
  if (typeof additionalItems === 'object') inside.push(additionalItems);
  inside.push(...Object.values(schema.definitions ?? {}));
  for (const dependency of Object.values(schema.dependencies ?? {})) {
    if (!Array.isArray(dependency)) inside.push(dependency as JsonSchema);
  }
  return inside;
}
