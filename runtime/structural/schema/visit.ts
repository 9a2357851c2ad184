import type { JsonSchema } from '../../machinery/schema/json-schema.ts';
import { openApiFormat } from '../open-api-formats.ts';

/** Reports whether the predicate holds for the schema or any schema in it. (apiextensions validation SchemaHas) */
export function schemaSome(schema: JsonSchema | undefined, predicate: (schema: JsonSchema) => boolean): boolean {
  if (schema === undefined || typeof schema !== 'object' || schema === null) return false;
  if (predicate(schema)) return true;
  for (const inner of schemasInside(schema)) if (schemaSome(inner, predicate)) return true;
  return false;
}

function* schemasInside(schema: JsonSchema): Generator<JsonSchema> {
  const { items, allOf = [], anyOf = [], oneOf = [], not, additionalProperties, additionalItems } = schema;
  if (Array.isArray(items)) yield* items as readonly JsonSchema[];
  else if (items) yield items as JsonSchema;
  yield* allOf;
  yield* anyOf;
  yield* oneOf;
  if (not) yield not;
  yield* Object.values(schema.properties ?? {});
  if (typeof additionalProperties === 'object') yield additionalProperties;
  yield* Object.values(schema.patternProperties ?? {});
  if (typeof additionalItems === 'object') yield additionalItems;
  yield* Object.values(schema.definitions ?? {});
  for (const dependency of Object.values(schema.dependencies ?? {})) {
    if (!Array.isArray(dependency)) yield dependency as JsonSchema;
  }
}

/** Returns the string formats without validation, once for each occurrence, for warnings to the client. */
export function unrecognizedFormats(schema: JsonSchema): string[] {
  const found: string[] = [];
  schemaSome(schema, ({ type, format }) => {
    if (type === 'string' && format && !openApiFormat(format)) found.push(format);
    return false;
  });
  return found;
}
