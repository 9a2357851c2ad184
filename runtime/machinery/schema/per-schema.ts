import type { JsonSchema } from './json-schema.ts';

/**
 * Memoizes a function of a schema as long as the schema exists. Results for a schema are made from results for its
 * subschemas, which are also requested directly, so each is made once at any depth.
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
