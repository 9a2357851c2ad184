import type { Schema } from '../openapi.ts';
import { isOnlyNull, typesOf } from './check.ts';
import { mapSchemas } from './schema-map.ts';

/**
 * Converts a schema of OpenAPI 3.1, or one with Swagger's extensions, to OpenAPI 3.0, which Kubernetes uses. Null and
 * other alternatives of a type become `nullable` and `x-kubernetes-int-or-string`, `const` becomes an enum, and
 * exclusive bounds become flags.
 */
export const inKubernetesDialect = (schema: Schema): Schema =>
  mapSchemas(schema, (each) => withFlagBounds(withOneType(withoutNullAlternative(withEnum(each)))));

type Keywords = Schema & { readonly const?: unknown; readonly 'x-nullable'?: boolean };

function withEnum(schema: Schema): Schema {
  const { const: only, 'x-nullable': nullable, ...rest } = schema as Keywords;
  const values = only === undefined ? rest.enum : [only];
  return { ...rest, ...(values === undefined ? {} : { enum: values }), ...(nullable ? { nullable: true } : {}) };
}

/** Turns the null of `anyOf: [{type: string}, {type: 'null'}]` into `nullable`. */
function withoutNullAlternative(schema: Schema): Schema {
  for (const name of ['anyOf', 'oneOf'] as const) {
    const alternatives = schema[name];
    if (!alternatives?.some(isOnlyNull)) continue;
    const { [name]: _, ...rest } = schema;
    const others = alternatives.filter((each) => !isOnlyNull(each));
    if (others.length > 1) return { ...rest, nullable: true, [name]: others };
    return { ...rest, nullable: true, allOf: [...(rest.allOf ?? []), ...others] };
  }
  return schema;
}

function withOneType(schema: Schema): Schema {
  // the enclosing schema becomes nullable
  if (isOnlyNull(schema)) return schema;
  const types = typesOf(schema);
  const others = types.filter((type) => type !== 'null').sort();
  const nullable = types.length > others.length || schema.nullable === true;
  const { type: _, nullable: __, ...rest } = schema;
  const type = others.join();
  const shape: Schema =
    type === 'integer,string'
      ? { 'x-kubernetes-int-or-string': true }
      : type === 'integer,number'
        ? { type: 'number' }
        : type === ''
          ? {}
          : { type };
  return { ...shape, ...rest, ...(nullable ? { nullable: true } : {}) };
}

function withFlagBounds(schema: Schema): Schema {
  let result = schema;
  for (const [exclusive, bound, isTighter] of bounds) {
    const { [exclusive]: limit, [bound]: other, ...rest } = result;
    if (typeof limit !== 'number') continue;
    const isFlag = other === undefined || !isTighter(other, limit);
    result = isFlag ? { ...rest, [bound]: limit, [exclusive]: true } : { ...rest, [bound]: other };
  }
  return result;
}

const bounds = [
  ['exclusiveMinimum', 'minimum', (bound: number, limit: number) => bound > limit],
  ['exclusiveMaximum', 'maximum', (bound: number, limit: number) => bound < limit],
] as const;
