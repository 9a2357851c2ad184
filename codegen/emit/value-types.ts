import type { ReferenceObject, SchemaObject } from 'openapi-typescript';
import { refOf, type Schema } from '../load/openapi.ts';
import { impliedType, specialOf } from '../load/type-refs.ts';
import type { SpecialName, TypeId } from '../model/model.ts';

type Written = SchemaObject | ReferenceObject;

/** Names the types that values refer to. */
export interface ValueReferences {
  message(id: TypeId): Written;
  special(name: SpecialName): Written;
}

/** A string with known values, which may get others later. */
export const openEnum = (values: readonly string[]): SchemaObject => ({ type: 'string', 'x-open-enum': values });

/** Returns the schema of a TypeScript type for a named schema whose values are not objects with their own members. */
export function valueSchema(schema: Schema, references: ValueReferences): Written {
  const present = presentValue(schema, references);
  return schema.nullable ? ({ oneOf: [present, { type: 'null' }] } as Written) : present;
}

function presentValue(schema: Schema, references: ValueReferences): Written {
  const id = refOf(schema);
  if (id !== undefined) {
    const special = specialOf(id);
    return special === undefined ? references.message(id) : references.special(special);
  }
  if (schema['x-kubernetes-int-or-string'] || schema.format === 'int-or-string') return references.special('IntOrString');
  if (schema['x-kubernetes-embedded-resource']) return references.special('RawExtension');
  const alternatives = [schema.oneOf, schema.anyOf].find((list) => list?.every(isTyped));
  if (alternatives !== undefined)
    return { oneOf: alternatives.map((each) => valueSchema(withTypeOf(each, schema), references)) } as Written;
  return schema.enum === undefined ? typedValue(schema, references) : enumValue(schema.enum);
}

/** Reports whether an alternative states a type, and not only constraints. */
const isTyped = (schema: Schema): boolean =>
  refOf(schema) !== undefined ||
  schema.type !== undefined ||
  schema.enum !== undefined ||
  schema.properties !== undefined ||
  schema['x-kubernetes-int-or-string'] === true;

const withTypeOf = (alternative: Schema, { type }: Schema): Schema =>
  type === undefined || refOf(alternative) !== undefined ? alternative : { type, ...alternative };

function enumValue(values: readonly unknown[]): Written {
  const present = values.filter((value) => value !== null);
  const isOfText = present.every((value) => typeof value === 'string');
  return isOfText ? openEnum(present as readonly string[]) : ({ enum: present } as Written);
}

function typedValue(schema: Schema, references: ValueReferences): Written {
  switch (schema.type ?? impliedType(schema)) {
    case 'string':
      return { type: 'string' };
    case 'boolean':
      return { type: 'boolean' };
    case 'integer':
    case 'number':
      return { type: 'number' };
    case 'array':
      return { type: 'array', items: valueSchema(schema.items ?? {}, references) };
    case 'object':
      return objectValue(schema, references);
    default:
      return references.special('JSON');
  }
}

function objectValue({ properties, required, additionalProperties }: Schema, references: ValueReferences): Written {
  const members = Object.entries(properties ?? {}).map(([name, member]) => [name, valueSchema(member, references)]);
  const isMap = typeof additionalProperties === 'object';
  if (members.length === 0 && !isMap) return references.special('RawExtension');
  return {
    type: 'object',
    ...(members.length > 0 && { properties: Object.fromEntries(members), required: [...(required ?? [])] }),
    ...(isMap && { additionalProperties: valueSchema(additionalProperties, references) }),
  } as Written;
}
