import type { DescMessage } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import type { FieldModel, TypeId, TypeRef } from '../model/model.ts';
import { type FactsField, type GoName, type GoTypes, printGoType } from './field-facts.ts';
import type { Schema } from './openapi.ts';
import { fieldByNumber, type ProtoIndex, type ProtoMessage } from './protos.ts';
import { goTypeOf, openApiRef, type ProtoRefs, wireOf } from './type-refs.ts';

/** What the documents say about one type. At least one of schema and message is there. */
export interface TypeSources {
  readonly id: TypeId;
  readonly schema?: Schema;
  readonly message?: ProtoMessage;
  /** The Go name under which the facts have the type. */
  readonly goName?: GoName;
}

export interface FieldTools {
  readonly go: GoTypes;
  readonly protos: ProtoIndex;
  readonly refs: ProtoRefs;
  /** Names the type of an object spelt out inside a property. */
  readonly nested: (owner: TypeId, field: string, schema: Schema) => TypeId;
  /** Says that an object spelt out inside a property is of a type that has a name: that of its message. */
  readonly spellOut: (id: TypeId, schema: Schema) => void;
}

export interface ReadFields {
  readonly fields: readonly FieldModel[];
  readonly inlined: readonly { readonly id: TypeId; readonly protoNumber: number }[];
  /** Numbers of the type's own message that a field, an inlined struct or a field without JSON accounts for. */
  readonly numbers: ReadonlySet<number>;
}

/** The fields of a type that the facts know, in Go's order, with the fields of inlined structs in place. */
export function fieldsByFacts(sources: TypeSources, tools: FieldTools): ReadFields {
  const fields: FieldModel[] = [];
  const inlined: { id: TypeId; protoNumber: number }[] = [];
  const numbers = new Set<number>();
  const visit = (name: GoName, message: DescMessage | undefined, inlinedFrom?: TypeId): void => {
    const struct = tools.go.struct(name);
    for (const facts of struct?.facts.fields ?? []) {
      if (inlinedFrom === undefined && facts.proto !== undefined) numbers.add(facts.proto);
      if (facts.inline && facts.json === '') visitInlined(facts, struct!.name, message, inlinedFrom);
      else if (facts.json !== '-' && facts.json !== '')
        fields.push(fieldByFacts(facts, struct!.name, message, inlinedFrom, sources, tools));
    }
  };
  const visitInlined = (facts: FactsField, owner: GoName, message?: DescMessage, inlinedFrom?: TypeId): void => {
    const target = tools.go.resolve(facts.type, owner.package);
    if (!target) return;
    const nested = facts.proto === undefined ? undefined : message && fieldByNumber(message, facts.proto)?.message;
    const id = nested && tools.protos.byName.get(nested.typeName)?.id;
    if (id !== undefined && inlinedFrom === undefined) inlined.push({ id, protoNumber: facts.proto! });
    visit(target, nested, inlinedFrom ?? id ?? noMessage);
  };
  if (sources.goName) visit(sources.goName, sources.message?.desc);
  return {
    fields: fields.map(({ inlinedFrom, ...field }) =>
      inlinedFrom === undefined || inlinedFrom === noMessage ? field : { ...field, inlinedFrom },
    ),
    inlined,
    numbers,
  };
}

/** Stands for inlined structs that are on the wire nowhere: TypeMeta, which the envelope carries. */
const noMessage = '';

function fieldByFacts(
  facts: FactsField,
  owner: GoName,
  message: DescMessage | undefined,
  inlinedFrom: TypeId | undefined,
  { id, schema }: TypeSources,
  tools: FieldTools,
): FieldModel {
  const property = schema?.properties?.[facts.json];
  const desc = message && facts.proto !== undefined ? fieldByNumber(message, facts.proto) : undefined;
  const type =
    (desc && tools.refs.ofField(desc)) ??
    openApiRef(property ?? typeMetaSchema, (nested) => tools.nested(id, facts.json, nested));
  const markers = facts.markers ?? [];
  const values = tools.go.enumOf(facts.type, owner.package);
  const fallback = markers.some((marker) => marker.startsWith('+default='))
    ? (property?.default ?? markerDefault(markers))
    : undefined;
  return {
    json: facts.json,
    type,
    goType: printGoType(facts.type, owner.package),
    pointer: facts.pointer ?? false,
    omitEmpty: facts.omitEmpty ?? false,
    omitZero: facts.omitZero ?? false,
    required: schema ? (schema.required ?? []).includes(facts.json) : !facts.omitEmpty && !isOptional(markers),
    ...(inlinedFrom !== undefined ? { inlinedFrom } : {}),
    ...(desc && inlinedFrom === undefined ? { protoNumber: desc.number, wire: facts.wire ?? wireOf(type) } : {}),
    ...(values ? { enum: values } : {}),
    ...(fallback !== undefined ? { default: fallback } : {}),
    ...structure(property, markers),
    ...(facts.patchStrategy ? { patchStrategy: facts.patchStrategy } : {}),
    ...(facts.patchMergeKey ? { patchMergeKey: facts.patchMergeKey } : {}),
    markers: markers.filter((marker) => !isKnownMarker(marker)),
  };
}

const typeMetaSchema: Schema = { type: 'string' };

const isOptional = (markers: readonly string[]): boolean =>
  markers.includes('+optional') || markers.includes('+k8s:optional');

const knownMarkers = [
  '+optional',
  '+required',
  '+listType=',
  '+listMapKey=',
  '+mapType=',
  '+patchStrategy=',
  '+patchMergeKey=',
  '+default=',
];
const isKnownMarker = (marker: string): boolean => knownMarkers.some((known) => marker.startsWith(known));

function markerDefault(markers: readonly string[]): unknown {
  const text = markers.find((marker) => marker.startsWith('+default='))?.slice('+default='.length);
  if (text === undefined || text.startsWith('ref(')) return undefined;
  return JSON.parse(text);
}

/** How lists and maps merge: by the property's extensions, or by the markers where there is no property. */
function structure(property: Schema | undefined, markers: readonly string[]): Partial<FieldModel> {
  const after = (prefix: string): string[] =>
    markers.filter((marker) => marker.startsWith(prefix)).map((marker) => marker.slice(prefix.length));
  const listType = property ? property['x-kubernetes-list-type'] : after('+listType=')[0];
  const keys = property ? property['x-kubernetes-list-map-keys'] : after('+listMapKey=');
  const mapType = property ? property['x-kubernetes-map-type'] : (after('+mapType=')[0] ?? after('+structType=')[0]);
  return {
    ...(listType ? { listType: listType as FieldModel['listType'] } : {}),
    ...(keys && keys.length > 0 ? { listMapKeys: keys } : {}),
    ...(mapType ? { mapType: mapType as FieldModel['mapType'] } : {}),
  };
}

/** The fields of a type that no facts know: in the order of the .proto, or else of the OpenAPI document. */
export function fieldsByDocuments(sources: TypeSources, tools: FieldTools): ReadFields {
  const { schema, message } = sources;
  const properties = schema?.properties ?? {};
  const numbers = new Set<number>();
  const fields: FieldModel[] = [];
  const rest = new Set(Object.keys(properties));
  for (const name of ['kind', 'apiVersion']) {
    if (!rest.delete(name) || message?.desc.fields.some((field) => field.name === name)) continue;
    fields.push(fieldByDocuments(name, properties[name], undefined, sources, tools));
  }
  for (const field of message?.desc.fields ?? []) {
    const name = [field.name, field.jsonName].find((candidate) => Object.hasOwn(properties, candidate)) ?? field.name;
    if (schema && !Object.hasOwn(properties, name)) continue;
    rest.delete(name);
    numbers.add(field.number);
    const type = tools.refs.ofField(field);
    fields.push(
      fieldByDocuments(
        name,
        properties[name],
        type && { type, number: field.number, explicit: hasPresence(field) },
        sources,
        tools,
      ),
    );
  }
  for (const name of rest) fields.push(fieldByDocuments(name, properties[name], undefined, sources, tools));
  return { fields, inlined: [], numbers };
}

/** True where the wire tells an absent field from a zero one. */
const hasPresence = (field: DescMessage['fields'][number]): boolean =>
  field.fieldKind === 'scalar' || field.fieldKind === 'message'
    ? field.presence !== FeatureSet_FieldPresence.IMPLICIT
    : false;

interface FromProto {
  readonly type: TypeRef;
  readonly number: number;
  readonly explicit: boolean;
}

function fieldByDocuments(
  json: string,
  property: Schema | undefined,
  proto: FromProto | undefined,
  { id, schema }: TypeSources,
  tools: FieldTools,
): FieldModel {
  const required = (schema?.required ?? []).includes(json);
  const type = proto?.type ?? openApiRef(property ?? typeMetaSchema, (nested) => tools.nested(id, json, nested));
  if (proto && property) spellOut(type, property, tools);
  const record = type.kind === 'message' && json === 'metadata';
  const pointer = isScalarLike(type) && !record && (proto ? proto.explicit : !isTypeMetaName(json));
  const values = property?.enum ?? (property?.type === 'array' ? property.items?.enum : undefined);
  return {
    json,
    type,
    goType: goTypeOf(type),
    pointer,
    omitEmpty: pointer || !required,
    omitZero: false,
    required,
    ...(proto ? { protoNumber: proto.number, wire: wireOf(type) } : {}),
    ...(values?.every((value) => typeof value === 'string') ? { enum: values as string[] } : {}),
    ...(property?.default !== undefined && !record ? { default: property.default } : {}),
    ...structure(property, []),
    ...(property?.['x-kubernetes-patch-strategy'] ? { patchStrategy: property['x-kubernetes-patch-strategy'] } : {}),
    ...(property?.['x-kubernetes-patch-merge-key'] ? { patchMergeKey: property['x-kubernetes-patch-merge-key'] } : {}),
    markers: [],
  };
}

function spellOut(type: TypeRef, schema: Schema, tools: FieldTools): void {
  if (type.kind === 'message' && schema.properties) tools.spellOut(type.id, schema);
  const inner = type.kind === 'list' ? schema.items : schema.additionalProperties;
  if ((type.kind === 'list' || type.kind === 'map') && typeof inner === 'object') spellOut(type.of, inner, tools);
}

const isTypeMetaName = (json: string): boolean => json === 'kind' || json === 'apiVersion';
/** Go has nil for lists, maps and bytes, and so no pointers to them. */
const isScalarLike = (type: TypeRef): boolean =>
  type.kind !== 'list' && type.kind !== 'map' && !(type.kind === 'scalar' && type.name === 'bytes');
