import type { DescMessage } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import type { FieldModel, TypeRef } from '../model/model.ts';
import { type FieldTools, mergeFacts, type ReadFields, type TypeSources, typeMetaSchema } from './fields.ts';
import type { Schema } from './openapi.ts';
import { goTypeOf, openApiRef, wireOf } from './type-refs.ts';
import { isKubernetes } from './user-schemas/kubernetes.ts';

/** Returns the fields of a type without facts, in the order of the .proto, or else of the OpenAPI document. */
export function fieldsByDocuments(sources: TypeSources, tools: FieldTools): ReadFields {
  return new DocumentsReader(sources, tools).read();
}

/** The facts of a field in a .proto file. */
interface ProtoFacts {
  readonly type: TypeRef;
  readonly number: number;
  /** Whether the wire distinguishes an absent field from a zero one. */
  readonly explicit: boolean;
}

class DocumentsReader {
  readonly #sources: TypeSources;
  readonly #tools: FieldTools;

  constructor(sources: TypeSources, tools: FieldTools) {
    this.#sources = sources;
    this.#tools = tools;
  }

  read(): ReadFields {
    const { schema, message } = this.#sources;
    const properties = schema?.properties ?? {};
    const numbers = new Set<number>();
    const fields: FieldModel[] = [];
    const rest = new Set(Object.keys(properties));
    for (const name of ['kind', 'apiVersion']) {
      if (!rest.delete(name) || message?.desc.fields.some((field) => field.name === name)) continue;
      fields.push(this.#field(name));
    }
    for (const field of message?.desc.fields ?? []) {
      const name = [field.name, field.jsonName].find((candidate) => Object.hasOwn(properties, candidate)) ?? field.name;
      if (schema && !Object.hasOwn(properties, name)) continue;
      rest.delete(name);
      numbers.add(field.number);
      const type = this.#tools.refs.ofField(field);
      fields.push(this.#field(name, type && { type, number: field.number, explicit: hasPresence(field) }));
    }
    for (const name of rest) fields.push(this.#field(name));
    return { fields, inlined: [], numbers };
  }

  #field(json: string, proto?: ProtoFacts): FieldModel {
    const { id, schema } = this.#sources;
    const property = schema?.properties?.[json];
    const required = (schema?.required ?? []).includes(json);
    const type = proto?.type ?? openApiRef(property ?? typeMetaSchema, (inline) => this.#tools.nameInline(id, json, inline));
    if (proto && property) this.#addInline(type, property);
    const isMetadata = type.kind === 'message' && json === 'metadata';
    const pointer = isScalarLike(type) && !isMetadata && (proto ? proto.explicit : !isTypeMetaName(json));
    const all = property?.enum ?? (property?.type === 'array' ? property.items?.enum : undefined);
    const values = property?.nullable ? all?.filter((value) => value !== null) : all;
    return {
      json,
      type,
      goType: goTypeOf(type),
      pointer,
      omitEmpty: pointer || !required || (!isKubernetes(id) && !isTypeMetaName(json) && !isScalar(type)),
      omitZero: false,
      required,
      ...(property?.nullable ? { nullable: true } : {}),
      ...(proto ? { protoNumber: proto.number, wire: wireOf(type) } : {}),
      ...(values?.every((value) => typeof value === 'string') ? { enum: values } : {}),
      ...(property?.default !== undefined && !isMetadata ? { default: property.default } : {}),
      ...mergeFacts(property, []),
      ...(property?.['x-kubernetes-patch-strategy'] ? { patchStrategy: property['x-kubernetes-patch-strategy'] } : {}),
      ...(property?.['x-kubernetes-patch-merge-key'] ? { patchMergeKey: property['x-kubernetes-patch-merge-key'] } : {}),
      markers: [],
    };
  }

  #addInline(type: TypeRef, schema: Schema): void {
    if (type.kind === 'message' && schema.properties) this.#tools.addInline(type.id, schema);
    const inner = type.kind === 'list' ? schema.items : schema.additionalProperties;
    if ((type.kind === 'list' || type.kind === 'map') && typeof inner === 'object') this.#addInline(type.of, inner);
  }
}

/** Reports whether the wire distinguishes an absent field from a zero one. */
const hasPresence = (field: DescMessage['fields'][number]): boolean =>
  field.fieldKind === 'scalar' || field.fieldKind === 'message' ? field.presence !== FeatureSet_FieldPresence.IMPLICIT : false;

/** Custom groups never write lists and maps as null. */
const isScalar = ({ kind }: TypeRef): boolean => kind !== 'list' && kind !== 'map';

const isTypeMetaName = (json: string): boolean => json === 'kind' || json === 'apiVersion';

/** Go has nil for lists, maps and bytes, and so needs no pointers to them. */
const isScalarLike = (type: TypeRef): boolean =>
  type.kind !== 'list' && type.kind !== 'map' && !(type.kind === 'scalar' && type.name === 'bytes');
