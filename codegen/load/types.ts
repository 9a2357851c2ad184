import type { FieldRule, TypeId, TypeModel, TypeRef, UnionModel } from '../model/model.ts';
import type { GoTypes } from './field-facts.ts';
import type { FieldTools, ReadFields, TypeSources } from './fields.ts';
import { fieldsByDocuments } from './fields-by-documents.ts';
import { fieldsByFacts } from './fields-by-facts.ts';
import type { GroupVersionKind, Schema } from './openapi.ts';
import { metaPrefix, nameOf, type Packages, prefixOf, type TypePackage } from './packages.ts';
import type { ProtoIndex } from './protos.ts';
import { rulesOfSchema } from './schema-rules.ts';
import type { Component } from './schemas-folder.ts';
import { TypeNames } from './type-names.ts';
import { isListWrapper, ProtoRefs, specialOf } from './type-refs.ts';
import { isKubernetes } from './user-schemas/kubernetes.ts';

export interface TypeInputs {
  readonly components: ReadonlyMap<TypeId, Component>;
  readonly protos: ProtoIndex;
  readonly go: GoTypes;
  readonly packages: Packages;
}

/** A type and its sources, for the checks. */
export interface BuiltType {
  readonly type: TypeModel;
  readonly sources: TypeSources;
  readonly read: ReadFields;
}

/**
 * Builds the types with the given ids and all types that they refer to, including objects whose schemas are inside
 * properties.
 */
export function buildTypes(ids: Iterable<TypeId>, inputs: TypeInputs): Map<TypeId, BuiltType> {
  const built = new Map<TypeId, BuiltType>();
  const inline = new Map<TypeId, Schema>();
  const inlineIds = new InlineIds((id) => inputs.components.has(id) || inputs.protos.byId.has(id));
  const names = new TypeNames();
  const tools: FieldTools = {
    go: inputs.go,
    protos: inputs.protos,
    refs: new ProtoRefs(inputs.protos, inputs.go),
    nameInline: (owner, field, schema) => {
      const id = inlineIds.of(owner, field);
      inline.set(id, schema);
      return id;
    },
    addInline: (id, schema) => inline.set(id, schema),
  };
  const queue = [...ids];
  for (const id of queue) {
    if (built.has(id) || specialOf(id) || isListWrapper(id, inputs.protos, inputs.go)) continue;
    const each = buildType(sourcesOf(id, inline, inputs), inputs, tools, names);
    built.set(id, each);
    for (const needed of referredTo(each.type)) if (!built.has(needed)) queue.push(needed);
  }
  return built;
}

/** The ids of types whose schemas are inside properties: `RobotSpecArm` for the property `arm` of RobotSpec. */
class InlineIds {
  readonly #isTaken: (id: TypeId) => boolean;
  readonly #ids = new Map<string, TypeId>();
  readonly #used = new Set<TypeId>();

  /** @param isTaken reports whether an unrelated type has an id */
  constructor(isTaken: (id: TypeId) => boolean) {
    this.#isTaken = isTaken;
  }

  of(owner: TypeId, field: string): TypeId {
    const key = JSON.stringify([owner, field]);
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const name = `${field.charAt(0).toUpperCase()}${field.slice(1)}`.replace(/[^A-Za-z0-9]/g, '');
    const first = `${owner}${name}`;
    let id = first;
    for (let number = 2; this.#isTaken(id) || this.#used.has(id); number++) id = `${first}${number}`;
    this.#ids.set(key, id);
    this.#used.add(id);
    return id;
  }
}

function referredTo({ fields, inlined = [] }: TypeModel): TypeId[] {
  const ofRef = (ref: TypeRef): TypeId[] =>
    ref.kind === 'message' ? [ref.id] : ref.kind === 'list' || ref.kind === 'map' ? ofRef(ref.of) : [];
  return [...fields.flatMap(({ type }) => ofRef(type)), ...inlined.map(({ id }) => id)];
}

function sourcesOf(id: TypeId, inline: ReadonlyMap<TypeId, Schema>, { components, protos, go, packages }: TypeInputs): TypeSources {
  const schema = components.get(id)?.schema ?? inline.get(id);
  const message = protos.byId.get(id);
  const goPackage = packages.of(prefixOf(id)).goPackage;
  const goName = goPackage === undefined ? undefined : { package: goPackage, name: nameOf(id) };
  return {
    id,
    ...(schema ? { schema } : {}),
    ...(message ? { message } : {}),
    ...(goName && go.struct(goName) ? { goName } : {}),
  };
}

function buildType(sources: TypeSources, { packages, go }: TypeInputs, tools: FieldTools, names: TypeNames): BuiltType {
  const { id, schema, message, goName } = sources;
  const home = packages.of(prefixOf(id));
  const read = goName ? fieldsByFacts(sources, tools) : fieldsByDocuments(sources, tools);
  const gvk = kindOf(id, schema, home, read);
  const markers = (goName && go.facts(goName)?.markers) ?? [];
  const mapType = schema?.['x-kubernetes-map-type'] ?? (markers.includes('+structType=atomic') ? 'atomic' : undefined);
  const unions = unionsOf(schema);
  const type: TypeModel = {
    id,
    name: names.nameFor(id, home.folder),
    folder: home.folder,
    ...(home.goPackage ? { goPackage: home.goPackage } : {}),
    ...(goName ? { fromGoTypes: true } : {}),
    ...(isKubernetes(id) ? {} : { userDefined: true }),
    ...(schema && !gvk && !message && isOfOwnValues(id, schema) ? { value: { ...schema } } : {}),
    ...(schema && isOpen(schema) ? { open: true } : {}),
    ...(message ? { message: message.desc.typeName } : {}),
    ...(gvk ? { gvk } : {}),
    fields: read.fields,
    ...(read.inlined.length > 0 ? { inlined: read.inlined } : {}),
    ...(mapType ? { mapType } : {}),
    ...(unions.length > 0 ? { unions } : {}),
    defaults: [],
    rules: schema ? rulesOf(id, schema, sources) : [],
  };
  return { type, sources, read };
}

/**
 * Returns the checks of a type. In custom groups the kind's schema checks everything except required fields of
 * messages, where a zero value equals an absent one.
 */
function rulesOf(id: TypeId, schema: Schema, { goName, message }: TypeSources): FieldRule[] {
  const rules = rulesOfSchema(schema, goName !== undefined);
  if (isKubernetes(id)) return rules;
  return message === undefined ? [] : rules.filter(({ check }) => check === 'required');
}

/**
 * Reports whether a custom schema describes values without fields of their own. A bare object is a type with unknown
 * members instead.
 */
function isOfOwnValues(id: TypeId, schema: Schema): boolean {
  const isBare = schema.type === 'object' && typeof schema.additionalProperties !== 'object' && !schema.oneOf && !schema.anyOf;
  return !isKubernetes(id) && schema.properties === undefined && !isBare;
}

const isOpen = (schema: Schema): boolean =>
  schema.properties !== undefined &&
  ((schema.additionalProperties ?? false) !== false || schema['x-kubernetes-preserve-unknown-fields'] === true);

/**
 * Returns the kind of a type. In meta/v1, tables and partial objects belong to meta.k8s.io, all others to the core
 * group.
 */
function kindOf(id: TypeId, schema: Schema | undefined, home: TypePackage, read: ReadFields): GroupVersionKind | undefined {
  const kinds = schema?.['x-kubernetes-group-version-kind'] ?? [];
  if (kinds.length === 1) return kinds[0];
  const isKind = ['kind', 'apiVersion'].every((name) =>
    read.fields.some((field) => field.json === name && field.protoNumber === undefined && field.inlinedFrom === undefined),
  );
  if (kinds.length === 0 && !isKind) return undefined;
  const name = nameOf(id);
  const ofTables = prefixOf(id) === metaPrefix && /^(Table|PartialObjectMetadata)/.test(name);
  return { group: ofTables ? 'meta.k8s.io' : home.group, version: home.version, kind: name };
}

function unionsOf(schema: Schema | undefined): UnionModel[] {
  return (schema?.['x-kubernetes-unions'] ?? []).map((union) => ({
    ...(union.discriminator ? { discriminator: union.discriminator } : {}),
    fields: union['fields-to-discriminateBy'] ?? {},
  }));
}
