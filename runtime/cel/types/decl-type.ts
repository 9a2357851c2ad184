import { itemSchema, type JsonSchema, valueSchema } from '../../machinery/schema/json-schema.ts';

export { itemSchema, valueSchema } from '../../machinery/schema/json-schema.ts';

import { escapeProperty, isReservedWord } from './escaping.ts';
import * as types from './type.ts';
import { listOf, mapOf, structType, type Type, type TypeKind } from './type.ts';

/** The maximum size of a request body, and so of the number of elements in any value. */
export const maxRequestBytes = 3 * 1024 * 1024;

const maxDurationSize = 32;
const maxDateTimeSize = 32;
const minDurationSize = 3;
const dateSize = 12;
const minDateTimeSize = 21;
const minStringSize = 2;
const minBoolSize = 4;

/** A type declared by a schema, with the sizes of its values. (apiserver pkg/cel/types.go) */
export interface DeclType {
  /** The checker's type. */
  readonly type: Type;
  /** The name of an object's type, such as `kubernetes.UserInfo`. Default: its position in the schema. */
  readonly name?: string;
  /** Fields of an object by escaped name. */
  readonly fields?: ReadonlyMap<string, DeclType>;
  /** The key type of a map. */
  readonly key?: DeclType;
  /** The element type of a list or the value type of a map. */
  readonly element?: DeclType;
  /** The maximum number of elements, entries or bytes. */
  readonly maxElements: number;
  /** The length in bytes of the shortest JSON. */
  readonly minSerializedSize: number;
}

function simple(type: Type, minSerializedSize: number, maxElements = 0): DeclType {
  return { type, minSerializedSize, maxElements };
}

const stringKey = simple(types.stringType, minStringSize);

/** Types without a schema. Expressions on them have no cost estimate. (apiserver NewObjectType, NewListType) */
export const stringDecl: DeclType = simple(types.stringType, minStringSize, maxRequestBytes);

export function objectDecl(name: string, fields: Readonly<Record<string, DeclType>>): DeclType {
  return { ...simple(structType(name), 2), name, fields: new Map(Object.entries(fields)) };
}

export function listDecl(element: DeclType): DeclType {
  return { ...simple(listOf(element.type), 2, maxRequestBytes), element };
}

/** Returns a map type with string keys. */
export function mapDecl(element: DeclType): DeclType {
  return { ...simple(mapOf(types.stringType, element.type), 2, maxRequestBytes), key: stringKey, element };
}

/** Returns a type with a maximum number of elements or bytes. */
export const boundedDecl = (type: Type, maxElements: number): DeclType => simple(type, 1, maxElements);

/** Returns a map type with a maximum number of entries. */
export function boundedMapDecl(key: DeclType, element: DeclType, maxElements: number): DeclType {
  return { ...boundedDecl(mapOf(key.type, element.type), maxElements), key, element };
}

/**
 * Returns the declaration of a type without a schema. Types other than scalars, lists and maps become dynamic.
 * (convertCelTypeToDeclType)
 */
export function typeDecl(type: Type): DeclType {
  const [first, second] = type.params;
  if (type.kind === 'list' && second === undefined && first !== undefined) return listDecl(typeDecl(first));
  if (type.kind === 'map' && first !== undefined && second !== undefined) {
    const [key, element] = [typeDecl(first), typeDecl(second)];
    return { ...simple(mapOf(key.type, element.type), 2, maxRequestBytes), key, element };
  }
  return simple(undeclared.has(type.kind) || type.nullable ? types.dynType : type, 1, maxRequestBytes);
}

const undeclared: ReadonlySet<TypeKind> = new Set(['list', 'map', 'struct', 'opaque', 'type', 'param', 'error']);

/** A placeholder. The name of an object type is its position in the schema. */
const unnamed = 'object';

/** Returns the type of a schema's values; undefined if expressions cannot access them. (apiserver pkg/cel/common/schemas.go) */
export function schemaDeclType(schema: JsonSchema, isResourceRoot: boolean): DeclType | undefined {
  if (schema['x-kubernetes-int-or-string']) {
    return simple(types.dynType, 1, schema.maxLength === undefined ? maxRequestBytes - 2 : maxTextBytes(schema.maxLength));
  }
  const full = isResourceRoot ? withTypeAndObjectMeta(schema) : schema;
  switch (full.type) {
    case 'array':
      return arrayType(full);
    case 'object':
      return objectType(full);
    case 'string':
      return stringDeclType(full);
    case 'boolean':
      return simple(types.boolType, minBoolSize);
    case 'number':
      return simple(types.doubleType, 1);
    case 'integer':
      return simple(types.intType, 1);
    default:
      return undefined;
  }
}

const embedded = (schema: JsonSchema): boolean => schema['x-kubernetes-embedded-resource'] === true;

function arrayType(schema: JsonSchema): DeclType | undefined {
  const items = itemSchema(schema);
  const element = items && schemaDeclType(items, embedded(items));
  if (!element) return undefined;
  const maxElements =
    schema.maxItems === undefined ? Math.trunc((maxRequestBytes - 2) / (element.minSerializedSize + 1)) : atLeastZero(schema.maxItems);
  return { type: listOf(element.type), element, maxElements, minSerializedSize: 2 };
}

function objectType(schema: JsonSchema): DeclType | undefined {
  const values = valueSchema(schema);
  if (values) {
    const element = schemaDeclType(values, embedded(values));
    if (!element) return undefined;
    const maxElements =
      schema.maxProperties === undefined
        ? Math.trunc((maxRequestBytes - 2) / (element.minSerializedSize + 6))
        : atLeastZero(schema.maxProperties);
    return { type: mapOf(types.stringType, element.type), key: stringKey, element, maxElements, minSerializedSize: 2 };
  }
  const fields = new Map<string, DeclType>();
  let minSerializedSize = 2;
  const required = new Set(schema.required);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const type = schemaDeclType(property, embedded(property));
    if (!type) continue;
    const escaped = escapeProperty(name);
    if (escaped !== undefined) fields.set(escaped, type);
    if (required.has(name) && property.default === undefined) {
      minSerializedSize += Buffer.byteLength(name) + type.minSerializedSize + 4;
    }
  }
  return { type: structType(unnamed), fields, maxElements: 0, minSerializedSize };
}

function stringDeclType(schema: JsonSchema): DeclType {
  switch (schema.format) {
    case 'byte':
      return simple(types.bytesType, minStringSize, schema.maxLength === undefined ? maxRequestBytes - 2 : atLeastZero(schema.maxLength));
    case 'duration':
      return simple(types.durationType, minDurationSize, maxDurationSize);
    case 'date':
      return simple(types.timestampType, dateSize, dateSize);
    case 'date-time':
      return simple(types.timestampType, minDateTimeSize, maxDateTimeSize);
    default:
  }
  if (schema.maxLength !== undefined) return simple(types.stringType, minStringSize, maxTextBytes(schema.maxLength));
  const texts = schema.enum?.filter((value) => typeof value === 'string') ?? [];
  const longest = schema.enum?.length ? Math.max(0, ...texts.map((text) => Buffer.byteLength(text as string))) : undefined;
  return simple(types.stringType, minStringSize, longest ?? maxRequestBytes - 2);
}

const atLeastZero = (value: number | bigint): number => Math.max(0, Number(value));

/** Returns the maximum bytes of a text. A code point takes at most four bytes. */
const maxTextBytes = (maxLength: number | bigint): number => atLeastZero(maxLength) * 4;

const stringSchema: JsonSchema = { type: 'string' };
const objectMetaSchema: JsonSchema = { type: 'object', properties: { name: stringSchema, generateName: stringSchema } };

/** Adds apiVersion, kind, metadata.name and metadata.generateName, the only fields of metadata that expressions can access. */
export function withTypeAndObjectMeta(schema: JsonSchema): JsonSchema {
  const properties = schema.properties;
  const metadata = properties?.metadata;
  if (
    properties?.kind?.type === 'string' &&
    properties.apiVersion?.type === 'string' &&
    metadata?.type === 'object' &&
    metadata.properties?.name?.type === 'string' &&
    metadata.properties.generateName?.type === 'string'
  ) {
    return schema;
  }
  return {
    ...schema,
    properties: { ...properties, kind: stringSchema, apiVersion: stringSchema, metadata: objectMetaSchema },
  };
}

const itemStep = '@idx';
const valueStep = '@elem';

/** Returns the checker's type of a declared type. The name of an object type is its position in the schema. */
export function namedType(declared: DeclType, name: string): Type {
  if (declared.fields) return structType(declared.name ?? name);
  if (!declared.element) return declared.type;
  const element = namedType(declared.element, `${name}.${declared.key ? valueStep : itemStep}`);
  return declared.key ? mapOf(declared.key.type, element) : listOf(element);
}

/** Returns the declared type at the position in a name from namedType. */
export function declaredAt(root: DeclType, steps: readonly string[]): DeclType | undefined {
  let current: DeclType | undefined = root;
  for (const step of steps) {
    current = step === itemStep || step === valueStep ? current?.element : current?.fields?.get(step);
  }
  return current;
}

/** Returns the type of a field. Fields named like a reserved word can also be selected without escapes. */
export function fieldType(declared: DeclType, typeName: string, name: string): Type | undefined {
  const escaped = declared.fields?.has(name) || !isReservedWord(name) ? name : `__${name}__`;
  const field = declared.fields?.get(escaped);
  return field && namedType(field, `${typeName}.${escaped}`);
}

/** Yields the named types in a declared type, including itself. */
export function* ownNames(declared: DeclType): Iterable<readonly [name: string, type: DeclType]> {
  if (declared.name !== undefined) yield [declared.name, declared];
  if (declared.element !== undefined) yield* ownNames(declared.element);
  for (const field of declared.fields?.values() ?? []) yield* ownNames(field);
}
