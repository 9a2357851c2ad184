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
  readonly mapType: 'granular' | 'atomic';
  /** Fields whose own patch strategy is `replace` or `retainKeys`, by JSON name. */
  readonly patchStrategies?: Readonly<Record<string, string>>;
  /** x-kubernetes-unions */
  readonly unions?: readonly { readonly discriminator?: string; readonly fields: Readonly<Record<string, string>> }[];
}

/** Nothing is known: objects are granular maps, lists are atomic. RawExtension, preserve-unknown-fields. */
export interface UntypedMerge {
  readonly kind: 'untyped';
}
