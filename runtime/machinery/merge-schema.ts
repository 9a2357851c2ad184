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
  /** How two spellings of one value are compared; plain equality when absent. */
  readonly format?: 'quantity' | 'int-or-string' | 'time' | 'number';
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

const scalarSchema: ScalarMerge = { kind: 'scalar' };
const quantitySchema: ScalarMerge = { kind: 'scalar', format: 'quantity' };
const intOrStringSchema: ScalarMerge = { kind: 'scalar', format: 'int-or-string' };
const timeSchema: ScalarMerge = { kind: 'scalar', format: 'time' };
const numberSchema: ScalarMerge = { kind: 'scalar', format: 'number' };
const untypedSchema: UntypedMerge = { kind: 'untyped' };
const atomicScalars: ListMerge = { kind: 'list', items: scalar, listType: 'atomic' };
const scalarMap: MapMerge = { kind: 'map', values: scalar, mapType: 'granular' };

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
/** A list of scalars, replaced as a whole. */
export function scalarList(): MergeSchema {
  return atomicScalars;
}
/** A map of scalars, merged key by key, as labels are. */
export function scalarMapping(): MergeSchema {
  return scalarMap;
}

export function list(items: () => MergeSchema, facts: Omit<ListMerge, 'kind' | 'items'>): () => ListMerge {
  const schema: ListMerge = { kind: 'list', items, ...facts };
  return () => schema;
}

export function map(values: () => MergeSchema, facts: Omit<MapMerge, 'kind' | 'values'>): () => MapMerge {
  const schema: MapMerge = { kind: 'map', values, ...facts };
  return () => schema;
}
