/** The API model: everything the input documents say, stated once. Loaders build it, emitters read it. */
export interface ApiModel {
  /** As "v1.35". The name of the output folder. */
  readonly release: string;
  /** The release that the overlays were written for, if it is another one: their functions take its types. */
  readonly overlaysRelease?: string;
  /** What these overlays do not cover, as far as that is known. */
  readonly uncovered?: readonly UncoveredModel[];
  /** Served group-versions in discovery order, then those that only other packages refer to (meta/v1). */
  readonly groupVersions: readonly GroupVersionModel[];
  /** All types by id, from all packages. */
  readonly types: ReadonlyMap<TypeId, TypeModel>;
  /** All operations of all documents, including those of the group-versions themselves (`/apis/apps/v1/`). */
  readonly operations: readonly OperationModel[];
}

/** A resource, or fields of a type, that the overlays of another release say nothing of. */
export interface UncoveredModel {
  /** `core/v1`. */
  readonly folder: string;
  /** The plural of a resource, or the name of a type. */
  readonly name: string;
  readonly fields?: readonly string[];
}

/** The OpenAPI component name, as `io.k8s.api.core.v1.Pod`. Types that only a proto has get an id of the same form. */
export type TypeId = string;

export interface GroupVersionModel {
  readonly group: string;
  readonly version: string;
  /** Output folder below the release, as `core/v1`, `apps/v1`, `meta/v1`, `rbac.authorization.k8s.io/v1`. */
  readonly folder: string;
  /** False for packages without paths, whose types others refer to. */
  readonly served: boolean;
  readonly types: readonly TypeModel[];
  readonly resources: readonly ResourceModel[];
}

export interface TypeModel {
  readonly id: TypeId;
  /** The name within the package, as `PodSpec`: the TypeScript type, and the suffix of its functions. */
  readonly name: string;
  readonly folder: string;
  /** The Go package, as `k8s.io/api/core/v1`, for error messages (`v1.Container`) and look-ups. */
  readonly goPackage?: string;
  /** Whether fields and markers come from the Go struct. Otherwise they come from the documents. */
  readonly fromGoTypes?: boolean;
  /** Of a group of one's own: kinds are validated by their schemas, and not type by type. */
  readonly userDefined?: boolean;
  /** Of the kind of a resource of one's own: its schema as a CustomResourceDefinition would have it. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Of a named schema of one's own whose values have no members of their own: strings, lists, maps, alternatives. */
  readonly value?: Readonly<Record<string, unknown>>;
  /** The type has members that are no fields: additionalProperties or x-kubernetes-preserve-unknown-fields. */
  readonly open?: boolean;
  /** The full name of the proto message; undefined without a protobuf form. */
  readonly message?: string;
  /** Set for kinds: types with TypeMeta. */
  readonly gvk?: { readonly group: string; readonly version: string; readonly kind: string };
  /** In Go struct order. The fields of inlined structs stand where the struct is. */
  readonly fields: readonly FieldModel[];
  /**
   * Go structs that are inlined in JSON and messages of their own on the wire, as ConfigMapKeySelector's
   * LocalObjectReference = 1. Their fields are also in `fields`, with `inlinedFrom` and without protoNumber.
   */
  readonly inlined?: readonly { readonly id: TypeId; readonly protoNumber: number }[];
  readonly mapType?: MapType;
  readonly unions?: readonly UnionModel[];
  /** Facts from overlays, in file order. */
  readonly defaults: readonly DefaultRule[];
  readonly rules: readonly ValidationRule[];
}

export type ListType = 'atomic' | 'set' | 'map';
export type MapType = 'granular' | 'atomic';

export interface FieldModel {
  readonly json: string;
  readonly type: TypeRef;
  /** As Go prints it in errors: `int32`, `[]v1.Container`, `map[string]string`. */
  readonly goType: string;
  /** A Go pointer, slice, map or interface. Only pointers distinguish absent from zero. */
  readonly pointer: boolean;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
  readonly required: boolean;
  /** The schema allows null. */
  readonly nullable?: boolean;
  /** The type in `TypeModel.inlined` that has this field: the outermost, if they nest. */
  readonly inlinedFrom?: TypeId;
  /** Undefined if the message lacks the field. */
  readonly protoNumber?: number;
  readonly wire?: 'varint' | 'fixed64' | 'fixed32' | 'bytes';
  /** The values of the Go type's +enum, or of the elements of a list or map. */
  readonly enum?: readonly string[];
  /** Upstream does not validate the enum: any string is valid. */
  readonly openEnum?: boolean;
  /** Pruning keeps an empty list, although it is omitted when it is written. */
  readonly keptEmpty?: boolean;
  readonly default?: unknown;
  readonly listType?: ListType;
  readonly listMapKeys?: readonly string[];
  readonly mapType?: MapType;
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
  /** The Go markers (`+k8s:maxItems=16`) that no other member of this interface represents. */
  readonly markers: readonly string[];
}

export type ScalarName = 'string' | 'bool' | 'int32' | 'int64' | 'uint32' | 'uint64' | 'double' | 'bytes';

/** Types with a JSON form of their own, implemented by runtime/machinery. */
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
  /** `message` is set if proto wraps the list in a message (ExtraValue, Verbs). */
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
  /** The group that stores the objects, if it is another one. */
  readonly storageGroup?: string;
  readonly storageVersion: string;
  /** Where the objects lie below the prefix of all keys; see ResourceFacts. */
  readonly resourcePrefix: string;
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

/** How a version's objects convert to the storage version. */
export type ConversionModel =
  | { readonly kind: 'identity' }
  /** Only apiVersion changes. `missing`: dotted paths of fields in which the schemas differ nevertheless. */
  | { readonly kind: 'same-shape'; readonly missing?: readonly string[] }
  /** A function exported by runtime/kinds/overlays/conversion.ts. */
  | { readonly kind: 'custom'; readonly name: string }
  /** A converter that the group's module brings. */
  | { readonly kind: 'converter' }
  /** Nothing converts the version, although its schema differs from the stored one: in one line for each difference. */
  | { readonly kind: 'none'; readonly differences: readonly string[] };

// --- overlays: facts that no schema has, in one YAML file for each group-version, schemas/overlays/<folder>.yaml ---

export interface OverlayDocument {
  /** Applies to all resources of the group-version. A resource's own strategy overrides it. */
  readonly strategy?: Partial<StrategyOverlay>;
  /** The types have no rules but those of their overlays: strategies validate what their Go markers say, too. */
  readonly validatedByStrategies?: boolean;
  /** Keyed by type name within the group-version, as `PodSpec`. */
  readonly types?: Readonly<Record<string, TypeOverlay>>;
  /** Keyed by plural, as `deployments`. */
  readonly resources?: Readonly<Record<string, ResourceOverlay>>;
  /** By release, as `v1.33`, and plural: where it stores a resource, if not where the others do. */
  readonly releases?: Readonly<Record<string, Readonly<Record<string, StorageOverlay>>>>;
}

export type StorageOverlay = Pick<ResourceOverlay, 'storageVersion' | 'conversion'>;

export interface TypeOverlay {
  readonly defaults?: readonly DefaultRule[];
  readonly rules?: readonly ValidationRule[];
  /** Fields whose Go enum upstream does not validate: any string is valid. */
  readonly openEnums?: readonly string[];
  /** Lists for which an empty one is not as good as none, before there are defaults and rules. */
  readonly keptEmpty?: readonly string[];
}

/**
 * Sets one field of the type if it is absent (or zero, for non-pointers). Rules run in order, a type's own before those
 * of the types nested in it, as in Go's SetObjectDefaults: what a parent sets is defaulted further by its type.
 * FieldModel.default applies after the type's rules.
 */
export type DefaultRule =
  /** A constant, copied for each object. All conditions of `when` are on sibling fields. */
  | { readonly field: string; readonly value: unknown; readonly when?: Condition }
  /** A copy of the value of a sibling, or of a path below it, as `template.metadata.labels`. */
  | { readonly field: string; readonly from: string; readonly when?: Condition }
  /** A function exported by runtime/kinds/overlays/defaults.ts, called with the object. */
  | { readonly custom: string };

/** All entries must hold: dotted path -> the value it must have, {present: bool}, {in: [...]} or {not: value}. */
export type Condition = Readonly<
  Record<string, string | number | boolean | { present: boolean } | { in: readonly unknown[] } | { not: unknown }>
>;

/** Error messages are upstream's. */
export type ValidationRule = FieldRule | CustomRule;

/**
 * Checks a field of the type. All checks but `required` and `forbidden` accept absent fields. `required` rejects an
 * absent field and "", [] and {} (and 0, if the field is a number without a pointer).
 */
export type FieldRule = {
  readonly field: string;
  readonly when?: Condition;
  /** Upstream's detail text, if it differs from the usual one of the check. */
  readonly message?: string;
} & (
  | { readonly check: 'required' }
  | { readonly check: 'forbidden' }
  | { readonly check: 'enum'; readonly values: readonly string[] }
  | { readonly check: 'min' | 'max'; readonly value: number }
  | { readonly check: 'minLength' | 'maxLength' | 'maxItems' | 'minItems'; readonly value: number }
  | { readonly check: 'pattern'; readonly value: string }
  /**
   * A format of runtime/structural/formats: `dns-label`, `dns-subdomain`, `dns1035-label`, `label-key`, `label-value`,
   * `port`, `ip`, `cidr`, `percent`, ...
   */
  | { readonly check: 'format'; readonly value: string }
  | { readonly check: 'unique'; readonly keys?: readonly string[] }
);

/**
 * A function exported by runtime/kinds/overlays/validation.ts, called with the object of this type and its field:
 * `(object, field)`. With `on: update`, for kinds only: `(object, old, field)`, called in addition to the other rules
 * when an object is replaced (TypeDefinition.validateUpdate).
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
  /** The group that stores the objects, if it is another one: events.k8s.io events are stored as core ones. */
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
  /** Where the objects lie; see ResourceFacts. */
  readonly resourcePrefix?: string;
  readonly scale?: { readonly specReplicas: string; readonly statusReplicas: string; readonly selector?: string };
  /** A function of the runtime, or, as `{ strategy: Converter }`, a converter of the group's module. */
  readonly conversion?: { readonly custom: string } | { readonly strategy: 'Converter' };
  readonly deprecated?: DeprecationOverlay;
}

/** The release that deprecates a version, as `in: "1.33"`, for the warning to its users. */
export interface DeprecationOverlay {
  readonly in: string;
  /** The release that removes it. */
  readonly unavailable?: string;
  /** The replacement, as `discovery.k8s.io/v1 EndpointSlice`. */
  readonly use?: string;
}

export interface StrategyOverlay {
  readonly createOnUpdate: boolean;
  readonly unconditionalUpdate: boolean;
  readonly generation: boolean;
  readonly statusFields: readonly string[];
  readonly nameRule:
    | 'dns-subdomain'
    | 'long-name'
    | 'dns-label'
    | 'dns1035-label'
    | 'path-segment'
    | 'path-segment-name'
    | 'config-map-key'
    | 'group-resource';
  readonly nameUncheckedOnUpdate?: boolean;
  readonly defaultGracePeriodSeconds?: number;
  /** The status that create writes instead of the one in the request. */
  readonly initialStatus?: Readonly<Record<string, unknown>>;
  /** Changes of annotations increase metadata.generation too, as for deployments. */
  readonly annotationsCount?: boolean;
  /** Changes of labels increase metadata.generation too, as for endpoint slices. */
  readonly labelsCount?: boolean;
  /** Whether the status in a request to the resource itself is kept: on create, or always. */
  readonly openStatus?: 'create' | 'always';
  /** Members of metadata that a write to the status does not change. */
  readonly statusKeepsMetadata?: readonly string[];
  /** Dotted paths that a write resets, by subresource; "" is the resource itself. (GetResetFields) */
  readonly resetFields?: Readonly<Record<string, readonly string[]>>;
  /** The only paths that a write can own, by subresource; `*` is any item. (GetResetFieldsFilter) */
  readonly ownableFields?: Readonly<Record<string, readonly string[]>>;
  /** Finalizers must have a domain, unless they are Kubernetes' own. */
  readonly qualifiedFinalizers?: boolean;
  /** Storage checks the preconditions of a deletion, which determines the error messages. */
  readonly storagePreconditions?: boolean;
}

/** A column of `kubectl get`: a path in the object, or a function of runtime/kinds/overlays/columns.ts. */
export interface ColumnOverlay {
  readonly name: string;
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly priority?: number;
  /** As `spec.type`, `status.replicas`. The generated code does not compile if the kind has no such scalar field. */
  readonly path?: string;
  /** Shown if the value is absent or "". Default: "" for strings, 0 for numbers, false, null for dates. */
  readonly none?: string | number;
  /** A function exported by runtime/kinds/overlays/columns.ts: (object, now) -> cell. */
  readonly custom?: string;
  /** Default: what Name, Age and Created At show of every object. */
  readonly description?: string;
  /** `name` for the column that identifies the object. Default: the first column. */
  readonly format?: string;
}

/** A path, a path with the value for its absence, or a function of runtime/kinds/overlays/selectable-fields.ts. */
export type SelectableFieldOverlay = string | { readonly path: string; readonly absent?: string } | { readonly custom: string };
