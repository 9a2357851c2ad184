import { isObject } from '../json.ts';
import type { Schema } from '../openapi.ts';
import { treatmentOf } from './keywords.ts';

/** Rebuilds a schema from the leaves up: `change` receives each schema after the schemas in it were changed. */
export function mapSchemas(schema: Schema | boolean, change: (schema: Schema) => Schema): Schema {
  const inner = (value: unknown): Schema => mapSchemas(value as Schema, change);
  const entries = Object.entries(schema === true ? {} : schema).map(([keyword, value]): [string, unknown] => {
    switch (treatmentOf(keyword)) {
      case 'schema':
        return [keyword, inner(value)];
      case 'schema-or-flag':
        return [keyword, isObject(value) ? inner(value) : value];
      case 'schema-list':
        return [keyword, (value as readonly unknown[]).map(inner)];
      case 'schemas':
        return [keyword, mapValues(value as object, inner)];
      default:
        return [keyword, value];
    }
  });
  return change(Object.fromEntries(entries) as Schema);
}

/** Returns an object with the same names. `__proto__` is an ordinary name. */
export const mapValues = <T>(object: object, change: (value: unknown, name: string) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
