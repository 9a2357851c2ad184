/**
 * The API model: what all input documents together say, once. Loaders build it, emitters read it.
 */
export interface ApiModel {
  /** As "v1.35"; names the output folder. */
  readonly release: string;
  /** Served group-versions in discovery order, and after them those that only lend types (meta/v1). */
  readonly groupVersions: readonly GroupVersionModel[];
  /** All types by id, from all packages. */
  readonly types: ReadonlyMap<TypeId, TypeModel>;
  /** Every operation of every document, also those of the group-versions themselves (`/apis/apps/v1/`). */
  readonly operations: readonly OperationModel[];
}

/** The OpenAPI component name, as `io.k8s.api.core.v1.Pod`; made up in the same form where only a proto knows the type. */
export type TypeId = string;

export interface GroupVersionModel {
  readonly group: string;
  readonly version: string;
  /** Output folder below the release, as `core/v1`, `apps/v1`, `meta/v1`, `rbac.authorization.k8s.io/v1`. */
  readonly folder: string;
  /** False for packages that only lend types. */
  readonly served: boolean;
  readonly types: readonly TypeModel[];
  readonly resources: readonly ResourceModel[];
}

export interface TypeModel {
  readonly id: TypeId;
  /** Name within its package, as `PodSpec`; the name of the TypeScript type and the suffix of its functions. */
  readonly name: string;
  readonly folder: string;
  /** Go package, as `k8s.io/api/core/v1`; for error messages (`v1.Container`) and look-ups. */
  readonly goPackage?: string;
  /** Whether the Go struct is known: its fields and markers; else the type is what its documents say. */
  readonly byGo?: boolean;
  /** Full proto message name; absent where there is no protobuf form. */
  readonly message?: string;
  /** Set for kinds: types with TypeMeta. */
  readonly gvk?: { readonly group: string; readonly version: string; readonly kind: string };
  /** In Go struct order; inlined structs are expanded in place. */
  readonly fields: readonly FieldModel[];
  /**
   * Go structs inlined in JSON that are messages of their own on the wire, as ConfigMapKeySelector's
   * LocalObjectReference = 1. Their fields stand in `fields` too, with `inlinedFrom` and without protoNumber.
   */
  readonly inlined?: readonly { readonly id: TypeId; readonly protoNumber: number }[];
  readonly mapType?: 'granular' | 'atomic';
  readonly unions?: readonly UnionModel[];
  /** Facts from overlays, in file order. */
  readonly defaults: readonly DefaultRule[];
  readonly rules: readonly ValidationRule[];
}

export interface FieldModel {
  readonly json: string;
  readonly type: TypeRef;
  /** As Go prints it in errors: `int32`, `[]v1.Container`, `map[string]string`. */
  readonly goType: string;
  /** Go pointer (or slice, map, interface): absent and zero differ for pointers only. */
  readonly pointer: boolean;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
  readonly required: boolean;
  /** The type of `TypeModel.inlined` that has this field, the outermost where they nest. */
  readonly inlinedFrom?: TypeId;
  /** Absent where the message has no such field. */
  readonly protoNumber?: number;
  readonly wire?: 'varint' | 'fixed64' | 'fixed32' | 'bytes';
  /** Closed set of values, from the Go type's +enum. */
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly listMapKeys?: readonly string[];
  readonly mapType?: 'granular' | 'atomic';
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
  /** Go markers left over (`+k8s:maxItems=16`), for emitters that understand them. */
  readonly markers: readonly string[];
}

export type ScalarName = 'string' | 'bool' | 'int32' | 'int64' | 'uint32' | 'uint64' | 'double' | 'bytes';

/** Types with a JSON form of their own, handled by runtime/machinery/scalars. */
export type SpecialName =
  | 'Quantity'
  | 'IntOrString'
  | 'Time'
  | 'MicroTime'
  | 'Duration'
  | 'RawExtension'
  | 'FieldsV1'
  | 'JSON'
  | 'JSONSchemaPropsOrBool'
  | 'JSONSchemaPropsOrArray'
  | 'JSONSchemaPropsOrStringArray'
  | 'Verbs'
  | 'Unknown';

export type TypeRef =
  | { readonly kind: 'scalar'; readonly name: ScalarName }
  | { readonly kind: 'special'; readonly name: SpecialName }
  | { readonly kind: 'message'; readonly id: TypeId }
  /** `message` is set where proto wraps the list in a message of its own (ExtraValue, Verbs). */
  | { readonly kind: 'list'; readonly of: TypeRef; readonly message?: string }
  | { readonly kind: 'map'; readonly of: TypeRef };

export interface UnionModel {
  readonly discriminator?: string;
  readonly fields: Readonly<Record<string, string>>;
}

export type VerbName = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

export interface ResourceModel {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly VerbName[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly type: TypeId;
  readonly stored: boolean;
  /** Only where the objects are kept by another group. */
  readonly storageGroup?: string;
  readonly storageVersion: string;
  readonly subresources: readonly SubresourceModel[];
  readonly operations: readonly OperationModel[];
  readonly strategy: StrategyOverlay;
  readonly columns: readonly ColumnOverlay[];
  readonly rowConditions?: string;
  readonly rowOrder?: string;
  /** Selector label -> path in the object, as `spec.nodeName`. */
  readonly selectableFields: Readonly<Record<string, SelectableFieldOverlay>>;
  readonly unsupportedFieldLabel?: string;
  readonly conversion: ConversionModel;
  readonly deprecated?: DeprecationOverlay;
}

export interface SubresourceModel {
  readonly name: string;
  readonly gvk: { readonly group: string; readonly version: string; readonly kind: string };
  readonly type?: TypeId;
  readonly verbs: readonly VerbName[];
  readonly connect: boolean;
  readonly scale?: { readonly specReplicas: string; readonly statusReplicas: string; readonly selector?: string };
}

/** One operation of the OpenAPI document. */
export interface OperationModel {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly action?: string;
}

/** How a version's objects become the storage version's. */
export type ConversionModel =
  | { readonly kind: 'identity' }
  /** Only apiVersion changes. `missing`: dotted paths of fields in which the schemas differ all the same. */
  | { readonly kind: 'same-shape'; readonly missing?: readonly string[] }
  /** Written by hand, by this name, in runtime/kinds/overlays/conversion.ts. */
  | { readonly kind: 'custom'; readonly name: string };

// --- overlays: facts that no schema carries, one YAML file a group-version in schemas/overlays/<folder>.yaml ---

export interface OverlayDocument {
  /** Holds for all resources of the group-version; a resource's own strategy overrides it. */
  readonly strategy?: Partial<StrategyOverlay>;
  /** Keyed by type name within the group-version, as `PodSpec`. */
  readonly types?: Readonly<Record<string, TypeOverlay>>;
  /** Keyed by plural, as `deployments`. */
  readonly resources?: Readonly<Record<string, ResourceOverlay>>;
}

export interface TypeOverlay {
  readonly defaults?: readonly DefaultRule[];
  readonly rules?: readonly ValidationRule[];
  /** Fields whose Go enum no validation upstream looks at: any string goes. */
  readonly openEnums?: readonly string[];
}

/**
 * Fills one field of the type when it is absent (or at its zero value, for non-pointers). Rules run in order,
 * a type's own before those of the types nested in it, as Go's SetObjectDefaults does: what a parent fills in is
 * defaulted further by its type. FieldModel.default comes with the field, after the type's rules.
 */
export type DefaultRule =
  /** A constant, copied for each object. `when` must hold; all conditions are on sibling fields. */
  | { readonly field: string; readonly value: unknown; readonly when?: Condition }
  /** The value of a sibling (or of a path below it, as `template.metadata.labels`), copied. */
  | { readonly field: string; readonly from: string; readonly when?: Condition }
  /** A function exported by runtime/kinds/overlays/defaults.ts, called with the object; for what facts cannot say. */
  | { readonly custom: string };

/** Every entry must hold: path (dotted) -> the value it must have, or {present: bool}, or {in: [...]}, {not: value}. */
export type Condition = Readonly<
  Record<string, string | number | boolean | { present: boolean } | { in: readonly unknown[] } | { not: unknown }>
>;

/** Messages are upstream's. */
export type ValidationRule = FieldRule | CustomRule;

/**
 * Checks a field of the type. All but `required` and `forbidden` pass absent fields; `required` fails for an
 * absent field and for "", [] and {} (and for 0 where the field is a number that is no pointer).
 */
export type FieldRule = {
  readonly field: string;
  readonly when?: Condition;
  /** Upstream's detail text where it differs from the check's usual one. */
  readonly message?: string;
} & (
  | { readonly check: 'required' }
  | { readonly check: 'forbidden' }
  | { readonly check: 'enum'; readonly values: readonly string[] }
  | { readonly check: 'min' | 'max'; readonly value: number }
  | { readonly check: 'minLength' | 'maxLength' | 'maxItems' | 'minItems'; readonly value: number }
  | { readonly check: 'pattern'; readonly value: string }
  /** As `dns-label`, `dns-subdomain`, `dns1035-label`, `label-key`, `label-value`, `port`, `ip`, `cidr`, `percent`, ...; functions of runtime/structural/formats. */
  | { readonly check: 'format'; readonly value: string }
  | { readonly check: 'unique'; readonly keys?: readonly string[] }
);

/**
 * A function exported by runtime/kinds/overlays/validation.ts, called with the object of this type and its path:
 * `(object, path, errors)`. With `on: update`, only on types that are kinds: `(object, old, path, errors)`, called
 * beside the usual rules when an object is replaced (TypeDefinition.validateUpdate).
 */
export interface CustomRule {
  readonly check: 'custom';
  readonly name: string;
  readonly on?: 'update';
  readonly field?: undefined;
  readonly when?: Condition;
  readonly message?: undefined;
}

export interface ResourceOverlay {
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly singular?: string;
  readonly stored?: boolean;
  /** Group of the kept objects where it is another one: events.k8s.io events are kept as core ones. */
  readonly storageGroup?: string;
  readonly storageVersion?: string;
  readonly strategy?: Partial<StrategyOverlay>;
  readonly columns?: readonly ColumnOverlay[];
  /** Names of functions exported by runtime/kinds/overlays/columns.ts; see ResourceDefinition. */
  readonly rowConditions?: string;
  readonly rowOrder?: string;
  readonly selectableFields?: Readonly<Record<string, SelectableFieldOverlay>>;
  /** The error for a label that no field selector takes; see ResourceDefinition. */
  readonly unsupportedFieldLabel?: string;
  readonly scale?: { readonly specReplicas: string; readonly statusReplicas: string; readonly selector?: string };
  readonly conversion?: { readonly custom: string };
  readonly deprecated?: DeprecationOverlay;
}

/** Since which release a version is deprecated, as `in: "1.33"`; what its users are told is made of it. */
export interface DeprecationOverlay {
  readonly in: string;
  /** The release that will not have it. */
  readonly unavailable?: string;
  /** What to use in its place, as `discovery.k8s.io/v1 EndpointSlice`. */
  readonly use?: string;
}

export interface StrategyOverlay {
  readonly createOnUpdate: boolean;
  readonly unconditionalUpdate: boolean;
  readonly generation: boolean;
  readonly statusFields: readonly string[];
  readonly nameRule: 'dns-subdomain' | 'dns-label' | 'dns1035-label' | 'path-segment';
  readonly defaultGracePeriodSeconds?: number;
  /** What create writes in place of the status that the client sent. */
  readonly initialStatus?: Readonly<Record<string, unknown>>;
  /** A change of annotations counts for metadata.generation too, as for deployments. */
  readonly annotationsCount?: boolean;
  /** The status that a client sends with the resource counts: when it is made, or with every write. */
  readonly openStatus?: 'create' | 'always';
  /** Members of metadata that a write of the status leaves as they are. */
  readonly statusKeepsMetadata?: readonly string[];
  /** Dotted paths that a write resets, by subresource; "" for the resource itself. */
  readonly resetFields?: Readonly<Record<string, readonly string[]>>;
  /** All that a write can own, by subresource; `*` is any item. */
  readonly ownableFields?: Readonly<Record<string, readonly string[]>>;
  /** Finalizers have to name a domain, unless they are Kubernetes' own. */
  readonly qualifiedFinalizers?: boolean;
  /** Storage checks the preconditions of a deletion, and words their errors. */
  readonly storagePreconditions?: boolean;
}

/** A column of `kubectl get`: a path into the object, or a function of runtime/kinds/overlays/columns.ts by name. */
export interface ColumnOverlay {
  readonly name: string;
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly priority?: number;
  /** As `spec.type`, `status.replicas`. */
  readonly path?: string;
  /** Shown where the path leads nowhere or to "". Without it: "" for strings, 0 for numbers, false, null for dates. */
  readonly none?: string | number;
  /** Name of a function exported by runtime/kinds/overlays/columns.ts: (object, now) -> cell. */
  readonly custom?: string;
  readonly description?: string;
  /** `name` for the column that identifies the object; the first column has it when none does. */
  readonly format?: string;
}

/** A path, or a path with the value of its absence, or a named function of runtime/kinds/overlays/selectable-fields.ts. */
export type SelectableFieldOverlay =
  | string
  | { readonly path: string; readonly absent?: string }
  | { readonly custom: string };
