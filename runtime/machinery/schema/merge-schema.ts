/**
 * How values of a type combine: the only thing strategic merge patch and server-side apply need to know
 * of a schema. Generated from the OpenAPI extensions x-kubernetes-{list-type,list-map-keys,map-type,
 * patch-strategy,patch-merge-key}. (structured-merge-diff schema/elements.go tells the same facts)
 *
 * References are functions, since types may contain themselves (JSONSchemaProps).
 */
export type MergeSchema = ScalarMerge | ListMerge | MapMerge | StructMerge | UntypedMerge;

export interface ScalarMerge {
  readonly kind: 'scalar';
  /** What apply takes for the value: a text, a number, a boolean; any scalar for the others and when absent. */
  readonly format?: 'text' | 'boolean' | 'number' | 'quantity' | 'int-or-string' | 'time';
}

export interface ListMerge {
  readonly kind: 'list';
  readonly items: () => MergeSchema;
  /** Server-side apply: x-kubernetes-list-type; `atomic` when the schema says nothing. */
  readonly listType: 'atomic' | 'set' | 'map';
  readonly mapKeys?: readonly string[];
  /** Defaults of map keys that may be left out, as `{ protocol: "TCP" }`. */
  readonly keyDefaults?: Readonly<Record<string, string | number | boolean>>;
  /** Strategic merge patch: x-kubernetes-patch-strategy, as `merge` or `merge,retainKeys`. */
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
}

/** A map with free keys. */
export interface MapMerge {
  readonly kind: 'map';
  readonly values: () => MergeSchema;
  readonly mapType: 'granular' | 'atomic';
  readonly patchStrategy?: string;
}

export interface StructMerge {
  readonly kind: 'struct';
  readonly fields: Readonly<Record<string, () => MergeSchema>>;
  /** Fields beyond those, where the schema admits any: additionalProperties, preserve-unknown-fields. */
  readonly others?: () => MergeSchema;
  readonly mapType: 'granular' | 'atomic';
  /** Fields whose own patch strategy is `replace` or `retainKeys`, by JSON name. */
  readonly patchStrategies?: Readonly<Record<string, string>>;
  /** x-kubernetes-unions */
  readonly unions?: readonly { readonly discriminator?: string; readonly fields: Readonly<Record<string, string>> }[];
}

/** Nothing is known: objects are granular maps, lists are atomic. preserve-unknown-fields, JSON. */
export interface UntypedMerge {
  readonly kind: 'untyped';
  /** RawExtension: objects are replaced as a whole too. */
  readonly mapType?: 'atomic';
}

// --- what generated merge schemas are built from; one value each, shared by all of them ---

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
/** RawExtension: whatever it is, it is replaced as a whole. */
export function untypedAtomic(): MergeSchema {
  return untypedAtomicSchema;
}
/** A list of texts, replaced as a whole. */
export function textList(): MergeSchema {
  return atomicTexts;
}
/** A map of texts, merged key by key, as labels are. */
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
