/**
 * Describes how values of a type are merged: all that strategic merge patch and server-side apply need from a schema.
 * Generated from the OpenAPI extensions x-kubernetes-{list-type,list-map-keys,map-type,patch-strategy,patch-merge-key}.
 * (structured-merge-diff schema/elements.go has the same facts)
 *
 * References are functions, because types may contain themselves (JSONSchemaProps).
 */
export type MergeSchema = ScalarMerge | ListMerge | MapMerge | StructMerge | UntypedMerge;

export interface ScalarMerge {
  readonly kind: 'scalar';
  /** The values that apply accepts. Without it, any scalar. */
  readonly format?: 'text' | 'boolean' | 'number' | 'quantity' | 'int-or-string' | 'time';
}

export interface ListMerge {
  readonly kind: 'list';
  readonly items: () => MergeSchema;
  /** x-kubernetes-list-type, for server-side apply. `atomic` if the schema has none. */
  readonly listType: 'atomic' | 'set' | 'map';
  readonly mapKeys?: readonly string[];
  /** Defaults of optional map keys, as `{ protocol: "TCP" }`. */
  readonly keyDefaults?: Readonly<Record<string, string | number | boolean>>;
  /** x-kubernetes-patch-strategy, for strategic merge patch: `merge` or `merge,retainKeys`. */
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
}

/** A map with arbitrary keys. */
export interface MapMerge {
  readonly kind: 'map';
  readonly values: () => MergeSchema;
  readonly mapType: 'granular' | 'atomic';
  readonly patchStrategy?: string;
}

export interface StructMerge {
  readonly kind: 'struct';
  readonly fields: Readonly<Record<string, () => MergeSchema>>;
  /** The other fields, if the schema allows any: additionalProperties, preserve-unknown-fields. */
  readonly others?: () => MergeSchema;
  readonly mapType: 'granular' | 'atomic';
  /** Fields whose patch strategy is `replace` or `retainKeys`, by JSON name. */
  readonly patchStrategies?: Readonly<Record<string, string>>;
  /** x-kubernetes-unions */
  readonly unions?: readonly { readonly discriminator?: string; readonly fields: Readonly<Record<string, string>> }[];
}

/** An unknown type, from preserve-unknown-fields or JSON. Objects are granular maps, lists are atomic. */
export interface UntypedMerge {
  readonly kind: 'untyped';
  /** For RawExtension, whose objects are also replaced as a whole. */
  readonly mapType?: 'atomic';
}

// --- The parts of generated merge schemas. All schemas share one value of each. ---

const textSchema: ScalarMerge = { kind: 'scalar', format: 'text' };
const booleanSchema: ScalarMerge = { kind: 'scalar', format: 'boolean' };
const scalarSchema: ScalarMerge = { kind: 'scalar' };
const quantitySchema: ScalarMerge = { kind: 'scalar', format: 'quantity' };
const intOrStringSchema: ScalarMerge = { kind: 'scalar', format: 'int-or-string' };
const timeSchema: ScalarMerge = { kind: 'scalar', format: 'time' };
const numberSchema: ScalarMerge = { kind: 'scalar', format: 'number' };
const untypedSchema: UntypedMerge = { kind: 'untyped' };
const untypedAtomicSchema: UntypedMerge = { kind: 'untyped', mapType: 'atomic' };
const atomicTexts: ListMerge = { kind: 'list', items: text, listType: 'atomic' };
const textMap: MapMerge = { kind: 'map', values: text, mapType: 'granular' };

export function text(): MergeSchema {
  return textSchema;
}
export function boolean(): MergeSchema {
  return booleanSchema;
}
export function scalar(): MergeSchema {
  return scalarSchema;
}
export function quantity(): MergeSchema {
  return quantitySchema;
}
export function intOrString(): MergeSchema {
  return intOrStringSchema;
}
export function time(): MergeSchema {
  return timeSchema;
}
export function number(): MergeSchema {
  return numberSchema;
}
export function untyped(): MergeSchema {
  return untypedSchema;
}
/** RawExtension: always replaced as a whole. */
export function untypedAtomic(): MergeSchema {
  return untypedAtomicSchema;
}
/** A list of strings that is replaced as a whole. */
export function textList(): MergeSchema {
  return atomicTexts;
}
/** A map of strings that is merged key by key, as labels are. */
export function textMapping(): MergeSchema {
  return textMap;
}

export function list(items: () => MergeSchema, facts: Omit<ListMerge, 'kind' | 'items'>): () => ListMerge {
  const schema: ListMerge = { kind: 'list', items, ...facts };
  return () => schema;
}

export function map(values: () => MergeSchema, facts: Omit<MapMerge, 'kind' | 'values'>): () => MapMerge {
  const schema: MapMerge = { kind: 'map', values, ...facts };
  return () => schema;
}
