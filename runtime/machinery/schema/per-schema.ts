import type { JsonSchema } from './json-schema.ts';

/**
 * Memoizes a function of a schema for the lifetime of the schema. The function calls the memoized one for subschemas,
 * so each result is made once, at any depth.
 */
export function perSchema<T>(make: (schema: JsonSchema) => T): (schema: JsonSchema) => T {
  const known = new WeakMap<JsonSchema, T>();
  return (schema) => {
    let made = known.get(schema);
    if (made === undefined && !known.has(schema)) {
      made = make(schema);
      known.set(schema, made);
    }
    return made as T;
  };
}
