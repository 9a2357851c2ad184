import type { JsonSchema } from './json-schema.ts';

/**
 * The function with its results kept as long as the schemas they were made of. What is made of a schema is made of its
 * parts, and parts of one schema are asked for by themselves: so each is made once, however deep it lies.
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
