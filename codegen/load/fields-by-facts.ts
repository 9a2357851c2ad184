import type { DescMessage } from '@bufbuild/protobuf';
import type { FieldModel, TypeId } from '../model/model.ts';
import { type FactsField, type GoName, printGoType } from './field-facts.ts';
import { type FieldTools, mergeFacts, type ReadFields, type TypeSources, typeMetaSchema } from './fields.ts';
import { fieldByNumber } from './protos.ts';
import { openApiRef, wireOf } from './type-refs.ts';

/**
 * Returns the fields of a type with facts, in Go's order. The fields of an inlined struct are at the struct's place.
 */
export function fieldsByFacts(sources: TypeSources, tools: FieldTools): ReadFields {
  const reader = new FactsReader(sources, tools);
  if (sources.goName) reader.read({ name: sources.goName, message: sources.message?.desc });
  return reader;
}

/** The struct that is being read: the type itself, or a struct inlined into it. */
interface Struct {
  readonly name: GoName;
  readonly message?: DescMessage | undefined;
  /** The outermost inlined type; `notOnWire` if it has no message. */
  readonly inlinedFrom?: TypeId | undefined;
  /** The Go names of the inlined structs, the outermost first. */
  readonly embeddedIn?: readonly string[];
}

/** Marks an inlined struct without a place on the wire: TypeMeta, which is in the envelope. */
const notOnWire = '';

class FactsReader implements ReadFields {
  readonly fields: FieldModel[] = [];
  readonly inlined: { id: TypeId; protoNumber: number }[] = [];
  readonly numbers = new Set<number>();
  readonly #sources: TypeSources;
  readonly #tools: FieldTools;

  constructor(sources: TypeSources, tools: FieldTools) {
    this.#sources = sources;
    this.#tools = tools;
  }

  read({ name, message, inlinedFrom, embeddedIn = [] }: Struct): void {
    const found = this.#tools.go.struct(name);
    if (!found) return;
    const struct = { name: found.name, message, inlinedFrom, embeddedIn };
    for (const facts of found.facts.fields) {
      if (inlinedFrom === undefined && facts.proto !== undefined) this.numbers.add(facts.proto);
      if (facts.inline && facts.json === '') this.#readInlined(facts, { ...struct, embeddedIn });
      else if (facts.json !== '-' && facts.json !== '') this.fields.push(this.#field(facts, struct));
    }
  }

  #readInlined(facts: FactsField, { name, message, inlinedFrom, embeddedIn = [] }: Struct): void {
    const target = this.#tools.go.resolve(facts.type, name.package);
    if (!target) return;
    const nested = facts.proto === undefined ? undefined : message && fieldByNumber(message, facts.proto)?.message;
    const id = nested && this.#tools.protos.byName.get(nested.typeName)?.id;
    if (id !== undefined && facts.proto !== undefined && inlinedFrom === undefined) this.inlined.push({ id, protoNumber: facts.proto });
    const goName = facts.go.replace(/^.*\./, '');
    this.read({ name: target, message: nested, inlinedFrom: inlinedFrom ?? id ?? notOnWire, embeddedIn: [...embeddedIn, goName] });
  }

  #field(facts: FactsField, { name: owner, message, inlinedFrom, embeddedIn = [] }: Struct): FieldModel {
    const { id, schema } = this.#sources;
    const { go, refs, nameInline } = this.#tools;
    const property = schema?.properties?.[facts.json];
    const desc = message && facts.proto !== undefined ? fieldByNumber(message, facts.proto) : undefined;
    const type = (desc && refs.ofField(desc)) ?? openApiRef(property ?? typeMetaSchema, (inline) => nameInline(id, facts.json, inline));
    const markers = facts.markers ?? [];
    const values = go.enumOf(facts.type, owner.package);
    const defaultValue = markers.some((marker) => marker.startsWith('+default='))
      ? (property?.default ?? markerDefault(markers))
      : undefined;
    return {
      json: facts.json,
      type,
      goType: printGoType(facts.type, owner.package),
      pointer: facts.pointer ?? false,
      omitEmpty: facts.omitEmpty ?? false,
      omitZero: facts.omitZero ?? false,
      ...(embeddedIn.length > 0 && !isTypeMeta(embeddedIn) ? { embeddedIn } : {}),
      required: schema ? (schema.required ?? []).includes(facts.json) : !facts.omitEmpty && !isOptional(markers),
      ...(inlinedFrom !== undefined && inlinedFrom !== notOnWire ? { inlinedFrom } : {}),
      ...(desc && inlinedFrom === undefined ? { protoNumber: desc.number, wire: facts.wire ?? wireOf(type) } : {}),
      ...(values ? { enum: values } : {}),
      ...(defaultValue !== undefined ? { default: defaultValue } : {}),
      ...mergeFacts(property, markers),
      ...(facts.patchStrategy ? { patchStrategy: facts.patchStrategy } : {}),
      ...(facts.patchMergeKey ? { patchMergeKey: facts.patchMergeKey } : {}),
      markers: markers.filter((marker) => !isKnownMarker(marker)),
    };
  }
}

const isTypeMeta = (embeddedIn: readonly string[]): boolean => embeddedIn[0] === 'TypeMeta';
const isOptional = (markers: readonly string[]): boolean => markers.includes('+optional') || markers.includes('+k8s:optional');

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
