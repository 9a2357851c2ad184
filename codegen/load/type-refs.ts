import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import type { FieldModel, ScalarName, SpecialName, TypeId, TypeRef } from '../model/model.ts';
import type { GoTypes } from './field-facts.ts';
import { refOf, type Schema } from './openapi.ts';
import type { ProtoIndex } from './protos.ts';

const machinery = 'io.k8s.apimachinery.pkg';
const extensions = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions';

/** Components that have their own JSON form and are not structs. */
const specials: ReadonlyMap<TypeId, SpecialName> = new Map<TypeId, SpecialName>([
  [`${machinery}.api.resource.Quantity`, 'Quantity'],
  [`${machinery}.util.intstr.IntOrString`, 'IntOrString'],
  [`${machinery}.apis.meta.v1.Time`, 'Time'],
  [`${machinery}.apis.meta.v1.MicroTime`, 'MicroTime'],
  [`${machinery}.apis.meta.v1.Duration`, 'Duration'],
  [`${machinery}.apis.meta.v1.FieldsV1`, 'FieldsV1'],
  [`${machinery}.runtime.RawExtension`, 'RawExtension'],
  [`${machinery}.runtime.Unknown`, 'Unknown'],
  ...['v1', 'v1beta1'].flatMap((version): [TypeId, SpecialName][] => [
    [`${extensions}.${version}.JSON`, 'JSON'],
    [`${extensions}.${version}.JSONSchemaPropsOrBool`, 'JSONSchemaPropsOrBool'],
    [`${extensions}.${version}.JSONSchemaPropsOrArray`, 'JSONSchemaPropsOrArray'],
    [`${extensions}.${version}.JSONSchemaPropsOrStringArray`, 'JSONSchemaPropsOrStringArray'],
  ]),
]);

export const specialOf = (id: TypeId): SpecialName | undefined => specials.get(id);

/** Reports whether a message only wraps a list, since proto has no nested lists: ExtraValue, Verbs. */
export function isListWrapper(id: TypeId, protos: ProtoIndex, go: GoTypes): boolean {
  const message = protos.byId.get(id);
  const [field, ...others] = message?.desc.fields ?? [];
  if (message === undefined || others.length > 0 || field?.fieldKind !== 'list') return false;
  return go.listAlias({ package: message.goPackage, name: message.desc.name }) !== undefined;
}

const scalarNames: Partial<Record<ScalarType, ScalarName>> = {
  [ScalarType.STRING]: 'string',
  [ScalarType.BOOL]: 'bool',
  [ScalarType.INT32]: 'int32',
  [ScalarType.INT64]: 'int64',
  [ScalarType.UINT32]: 'uint32',
  [ScalarType.UINT64]: 'uint64',
  [ScalarType.DOUBLE]: 'double',
  [ScalarType.BYTES]: 'bytes',
};

export type Wire = NonNullable<FieldModel['wire']>;

/** Finds the type of a proto field; undefined for kinds without a Kubernetes JSON form (enums, floats, ...). */
export class ProtoRefs {
  readonly #protos: ProtoIndex;
  readonly #go: GoTypes;

  constructor(protos: ProtoIndex, go: GoTypes) {
    this.#protos = protos;
    this.#go = go;
  }

  ofField(field: DescField): TypeRef | undefined {
    switch (field.fieldKind) {
      case 'scalar':
        return scalar(field.scalar);
      case 'message':
        return this.#message(field.message);
      case 'list': {
        const of = this.#element(field);
        return of && { kind: 'list', of };
      }
      case 'map': {
        const of = this.#element(field);
        return of && { kind: 'map', of };
      }
      default:
        return undefined;
    }
  }

  #element(field: DescField & { fieldKind: 'list' | 'map' }): TypeRef | undefined {
    const kind = field.fieldKind === 'list' ? field.listKind : field.mapKind;
    if (kind === 'scalar') return scalar(field.scalar as ScalarType);
    if (kind === 'message') return this.#message(field.message as DescMessage);
    return undefined;
  }

  #message(desc: DescMessage): TypeRef | undefined {
    const id = this.#protos.byName.get(desc.typeName)?.id;
    if (id === undefined) return undefined;
    const special = specialOf(id);
    if (special) return { kind: 'special', name: special };
    if (!isListWrapper(id, this.#protos, this.#go)) return { kind: 'message', id };
    const [field] = desc.fields;
    const list = field && this.ofField(field);
    return list?.kind === 'list' ? { ...list, message: desc.typeName } : undefined;
  }
}

function scalar(type: ScalarType): TypeRef | undefined {
  const name = scalarNames[type];
  return name && { kind: 'scalar', name };
}

export function wireOf(type: TypeRef): Wire {
  if (type.kind !== 'scalar') return 'bytes';
  if (type.name === 'double') return 'fixed64';
  return type.name === 'string' || type.name === 'bytes' ? 'bytes' : 'varint';
}

/** Formats that determine the type of a string or number. Other formats become checks. */
const typeFormats = new Set(['byte', 'date-time', 'int-or-string', 'quantity', 'int32', 'int64', 'double', 'float']);

export const isTypeFormat = (format: string): boolean => typeFormats.has(format);

/**
 * Returns the type of a property from its schema alone.
 *
 * @param nested returns the id of the type of an inline object schema
 */
export function openApiRef(schema: Schema, nested: (schema: Schema) => TypeId): TypeRef {
  const ref = refOf(schema);
  if (ref !== undefined) {
    const special = specialOf(ref);
    return special ? { kind: 'special', name: special } : { kind: 'message', id: ref };
  }
  if (schema['x-kubernetes-int-or-string'] || schema.format === 'int-or-string') return { kind: 'special', name: 'IntOrString' };
  if (schema['x-kubernetes-embedded-resource']) return { kind: 'special', name: 'RawExtension' };
  switch (schema.type ?? impliedType(schema)) {
    case 'string':
      return stringRef(schema.format);
    case 'boolean':
      return { kind: 'scalar', name: 'bool' };
    case 'integer':
      return { kind: 'scalar', name: schema.format === 'int32' ? 'int32' : 'int64' };
    case 'number':
      return { kind: 'scalar', name: 'double' };
    case 'array':
      return { kind: 'list', of: openApiRef(schema.items ?? {}, nested) };
    case 'object':
      return objectRef(schema, nested);
    default:
      return { kind: 'special', name: 'JSON' };
  }
}

/** Returns `object` or `array` for a schema without a type that describes members or items. */
export function impliedType(schema: Schema): string | undefined {
  if (schema.properties) return 'object';
  return schema.items ? 'array' : undefined;
}

function stringRef(format: string | undefined): TypeRef {
  if (format === 'byte') return { kind: 'scalar', name: 'bytes' };
  if (format === 'date-time') return { kind: 'special', name: 'Time' };
  if (format === 'quantity') return { kind: 'special', name: 'Quantity' };
  return { kind: 'scalar', name: 'string' };
}

function objectRef(schema: Schema, nested: (schema: Schema) => TypeId): TypeRef {
  const { additionalProperties } = schema;
  if (schema.properties) return { kind: 'message', id: nested(schema) };
  if (typeof additionalProperties === 'object') return { kind: 'map', of: openApiRef(additionalProperties, nested) };
  return { kind: 'special', name: 'JSON' };
}

/** Returns the Go type that a type without facts would have. */
export function goTypeOf(type: TypeRef): string {
  switch (type.kind) {
    case 'scalar':
      return { double: 'float64', bytes: '[]uint8' }[type.name as string] ?? type.name;
    case 'special':
      return specialGoTypes[type.name];
    case 'message':
      return type.id.split('.').slice(-2).join('.');
    case 'list':
      return `[]${goTypeOf(type.of)}`;
    case 'map':
      return `map[string]${goTypeOf(type.of)}`;
  }
}

const specialGoTypes: Readonly<Record<SpecialName, string>> = {
  Quantity: 'resource.Quantity',
  IntOrString: 'intstr.IntOrString',
  Time: 'v1.Time',
  MicroTime: 'v1.MicroTime',
  Duration: 'v1.Duration',
  FieldsV1: 'v1.FieldsV1',
  RawExtension: 'runtime.RawExtension',
  Unknown: 'runtime.Unknown',
  JSON: 'v1.JSON',
  JSONSchemaPropsOrBool: 'v1.JSONSchemaPropsOrBool',
  JSONSchemaPropsOrArray: 'v1.JSONSchemaPropsOrArray',
  JSONSchemaPropsOrStringArray: 'v1.JSONSchemaPropsOrStringArray',
  Verbs: 'v1.Verbs',
};
