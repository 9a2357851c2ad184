/** The API model: all facts of the input documents, stated once. Loaders build it, emitters read it. */
export interface ApiModel {
  /** The release and the name of the output folder: "v1.35". */
  readonly release: string;
  /**
   * The release that the overlays were written for, if it is another one. Their functions take the types of that
   * release.
   */
  readonly overlaysRelease?: string;
  /** The resources and fields that these overlays do not cover, if known. */
  readonly uncovered?: readonly UncoveredModel[];
  /** The served group-versions in discovery order, then packages that only other packages refer to (meta/v1). */
  readonly groupVersions: readonly GroupVersionModel[];
  /** All types by id, from all packages. */
  readonly types: ReadonlyMap<TypeId, TypeModel>;
  /** All operations of all documents, including operations on group-versions themselves (`/apis/apps/v1/`). */
  readonly operations: readonly OperationModel[];
}

/** A resource, or fields of a type, that the overlays of another release do not cover. */
export interface UncoveredModel {
  /** The folder of the group-version: `core/v1`. */
  readonly folder: string;
  /** The plural of a resource, or the name of a type. */
  readonly name: string;
  readonly fields?: readonly string[];
}

/**
 * The name of the OpenAPI component: `io.k8s.api.core.v1.Pod`. Types that only a proto has get an id of the same form.
 */
export type TypeId = string;

export interface GroupVersionModel {
  readonly group: string;
  readonly version: string;
  /** The output folder below the release: `core/v1`, `apps/v1`, `meta/v1`, `rbac.authorization.k8s.io/v1`. */
  readonly folder: string;
  /** False for packages without paths, whose types other packages refer to. */
  readonly served: boolean;
  readonly types: readonly TypeModel[];
  readonly resources: readonly ResourceModel[];
}

export interface TypeModel {
  readonly id: TypeId;
  /** The name within the package, `PodSpec`: the TypeScript type, and the suffix of its functions. */
  readonly name: string;
  readonly folder: string;
  /** The Go package, `k8s.io/api/core/v1`, for error messages (`v1.Container`) and look-ups. */
  readonly goPackage?: string;
  /** Whether fields and markers come from the Go struct. Otherwise they come from the documents. */
  readonly fromGoTypes?: boolean;
  /** Whether the type belongs to a custom group, whose kinds are validated by their schemas and not type by type. */
  readonly userDefined?: boolean;
  /** The schema of a custom resource's kind, in the form of a CustomResourceDefinition. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** A named schema of a custom group whose values have no members: strings, lists, maps, alternatives. */
  readonly value?: Readonly<Record<string, unknown>>;
  /** Whether the type has members that are not fields: additionalProperties or x-kubernetes-preserve-unknown-fields. */
  readonly open?: boolean;
  /** The full name of the proto message; undefined without a protobuf form. */
  readonly message?: string;
  /** Set for kinds: types with TypeMeta. */
  readonly gvk?: { readonly group: string; readonly version: string; readonly kind: string };
  /** The fields in the order of the Go struct. The fields of an inlined struct are at the struct's place. */
  readonly fields: readonly FieldModel[];
  /**
   * Go structs that are inlined in JSON and are messages of their own on the wire, such as ConfigMapKeySelector's
   * LocalObjectReference = 1. Their fields are also in `fields`, with `inlinedFrom` and without protoNumber.
   */
  readonly inlined?: readonly { readonly id: TypeId; readonly protoNumber: number }[];
  readonly mapType?: MapType;
  readonly unions?: readonly UnionModel[];
  /** Rules from overlays, in file order. */
  readonly defaults: readonly DefaultRule[];
  readonly rules: readonly ValidationRule[];
}

export type ListType = 'atomic' | 'set' | 'map';
export type MapType = 'granular' | 'atomic';

export interface FieldModel {
  readonly json: string;
  readonly type: TypeRef;
  /** The type as Go prints it in errors: `int32`, `[]v1.Container`, `map[string]string`. */
  readonly goType: string;
  /** Whether the Go type is a pointer, slice, map or interface. Only pointers distinguish absent from zero. */
  readonly pointer: boolean;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
  /** The Go names of the structs that embed the field, for errors of decoding: `VolumeSource` for `hostPath` of a volume. */
  readonly embeddedIn?: readonly string[];
  readonly required: boolean;
  /** Whether the schema allows null. */
  readonly nullable?: boolean;
  /** The type in `TypeModel.inlined` that has this field: the outermost of nested ones. */
  readonly inlinedFrom?: TypeId;
  /** The field number; undefined if the message lacks the field. */
  readonly protoNumber?: number;
  readonly wire?: 'varint' | 'fixed64' | 'fixed32' | 'bytes';
  /** The values of the field's +enum type, or of the +enum type in its list or map. */
  readonly enum?: readonly string[];
  /** Whether any string is valid, because upstream does not validate the enum. */
  readonly openEnum?: boolean;
  /** Whether pruning keeps an empty list, which encoding omits. */
  readonly keptEmpty?: boolean;
  readonly default?: unknown;
  readonly listType?: ListType;
  readonly listMapKeys?: readonly string[];
  readonly mapType?: MapType;
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
  /** The Go markers (`+k8s:maxItems=16`) without a member in this interface. */
  readonly markers: readonly string[];
}

export type ScalarName = 'string' | 'bool' | 'int32' | 'int64' | 'uint32' | 'uint64' | 'double' | 'bytes';

/** Types with their own JSON form, implemented by runtime/machinery. */
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
  /** The group that stores the objects, if it is not the resource's own. */
  readonly storageGroup?: string;
  readonly storageVersion: string;
  /** The resource's path below the prefix of all keys; see ResourceFacts. */
  readonly resourcePrefix: string;
  readonly subresources: readonly SubresourceModel[];
  readonly operations: readonly OperationModel[];
  readonly writeRules: WriteRulesOverlay;
  readonly columns: readonly ColumnOverlay[];
  readonly rowConditions?: string;
  readonly rowOrder?: string;
  /** Selector label -> path in the object: `spec.nodeName`. */
  readonly selectableFields: Readonly<Record<string, SelectableFieldOverlay>>;
  readonly unsupportedFieldLabel?: string;
  /** False if a field selector cannot name the namespace of a namespaced kind. Default: true. */
  readonly selectableByNamespace?: boolean;
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

/** The conversion of a version's objects to the storage version. */
export type ConversionModel =
  | { readonly kind: 'identity' }
  /** Only apiVersion changes. `missing`: dotted paths of fields in which the schemas differ nevertheless. */
  | { readonly kind: 'same-shape'; readonly missing?: readonly string[] }
  /** A function exported by runtime/kinds/overlays/conversion.ts. */
  | { readonly kind: 'custom'; readonly name: string }
  /** A converter in the group's module. */
  | { readonly kind: 'converter' }
  /**
   * No conversion, although the version's schema differs from the stored one. `differences` has a line for each
   * difference.
   */
  | { readonly kind: 'none'; readonly differences: readonly string[] };

// --- overlays: facts that no schema has, in one YAML file for each group-version, schemas/overlays/<folder>.yaml ---

export interface OverlayDocument {
  /** The rules for writes of all resources of the group-version. The rules of one resource override them. */
  readonly writeRules?: Partial<WriteRulesOverlay>;
  /** Whether the types have no rules except those of overlays, because strategies validate the Go markers too. */
  readonly validatedByStrategies?: boolean;
  /** Overlays by type name within the group-version: `PodSpec`. */
  readonly types?: Readonly<Record<string, TypeOverlay>>;
  /** Overlays by plural: `deployments`. */
  readonly resources?: Readonly<Record<string, ResourceOverlay>>;
  /** By release (`v1.33`) and plural: where the release stores a resource, if it differs from other releases. */
  readonly releases?: Readonly<Record<string, Readonly<Record<string, StorageOverlay>>>>;
}

export type StorageOverlay = Pick<ResourceOverlay, 'storageVersion' | 'conversion'>;

export interface TypeOverlay {
  readonly defaults?: readonly DefaultRule[];
  readonly rules?: readonly ValidationRule[];
  /** Fields for which any string is valid, because upstream does not validate the Go enum. */
  readonly openEnums?: readonly string[];
  /** Whether the kind's own validation checks the limits of numbers, texts and lists, in its own order. Default: false. */
  readonly ownLimits?: boolean;
  /** Lists in which empty differs from absent, before defaults and rules run. */
  readonly keptEmpty?: readonly string[];
}

/**
 * Sets one field of the type if it is absent (or zero, for non-pointers). Rules run in order, as in Go's
 * SetObjectDefaults: a type's own rules come first, and the rules of nested types then default the values that it set.
 * FieldModel.default applies after the type's rules.
 */
export type DefaultRule =
  /** A constant, copied for each object. All conditions of `when` are on sibling fields. */
  | { readonly field: string; readonly value: unknown; readonly when?: Condition }
  /** A copy of the value of a sibling, or of a path below it: `template.metadata.labels`. */
  | { readonly field: string; readonly from: string; readonly when?: Condition }
  /** A function exported by runtime/kinds/overlays/defaults.ts, called with the object. */
  | { readonly custom: string };

/** All entries must hold: dotted path -> the required value, {present: bool}, {in: [...]} or {not: value}. */
export type Condition = Readonly<
  Record<string, string | number | boolean | { present: boolean } | { in: readonly unknown[] } | { not: unknown }>
>;

/** A check. Error messages are upstream's. */
export type ValidationRule = FieldRule | CustomRule;

/**
 * Checks a field of the type. All checks but `required` and `forbidden` accept absent fields. `required` rejects an
 * absent field and "", [] and {} (and 0, if the field is a number without a pointer).
 */
export type FieldRule = {
  readonly field: string;
  readonly when?: Condition;
  /** Upstream's detail text, if it differs from the check's usual text. */
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
  readonly writeRules?: Partial<WriteRulesOverlay>;
  readonly columns?: readonly ColumnOverlay[];
  /** Names of functions exported by runtime/kinds/overlays/columns.ts; see ResourceDefinition. */
  readonly rowConditions?: string;
  readonly rowOrder?: string;
  readonly selectableFields?: Readonly<Record<string, SelectableFieldOverlay>>;
  /** The error for a label that no field selector accepts; see ResourceDefinition. */
  readonly unsupportedFieldLabel?: string;
  /** False if a field selector cannot name the namespace of a namespaced kind. Default: true. */
  readonly selectableByNamespace?: boolean;
  /** The resource's path below the prefix of all keys; see ResourceFacts. */
  readonly resourcePrefix?: string;
  readonly scale?: { readonly specReplicas: string; readonly statusReplicas: string; readonly selector?: string };
  /** A function of the runtime, or a converter of the group's module: `{ strategy: Converter }`. */
  readonly conversion?: { readonly custom: string } | { readonly strategy: 'Converter' };
  readonly deprecated?: DeprecationOverlay;
}

/** The release that deprecates a version, for the warning to its users: `in: "1.33"`. */
export interface DeprecationOverlay {
  readonly in: string;
  /** The release that removes the version. */
  readonly unavailable?: string;
  /** The replacement: `discovery.k8s.io/v1 EndpointSlice`. */
  readonly use?: string;
}

export interface WriteRulesOverlay {
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
    | 'group-resource'
    | 'ip-address';
  readonly nameUncheckedOnUpdate?: boolean;
  readonly defaultGracePeriodSeconds?: number;
  /** The status that create writes in place of the request's status. */
  readonly initialStatus?: Readonly<Record<string, unknown>>;
  /** Whether changes of annotations increase metadata.generation too, as for deployments. */
  readonly annotationsCount?: boolean;
  /** Whether changes of labels increase metadata.generation too, as for endpoint slices. */
  readonly labelsCount?: boolean;
  /** Whether an empty list or map in a request counts as a change of an absent one, as for network policies. */
  readonly emptyCounts?: boolean;
  /** Whether metadata is validated on creation only if everything else is valid, as for events. */
  readonly metadataValidatedLast?: boolean;
  /** Whether an apply to the status creates an absent object, as for validating admission policies. */
  readonly statusCreates?: boolean;
  /** When the status in a request to the resource itself is kept: on create, or always. */
  readonly openStatus?: 'create' | 'always';
  /** Members of metadata that a write to the status does not change. */
  readonly statusKeepsMetadata?: readonly string[];
  /** Dotted paths that a write resets, by subresource; "" is the resource itself. (GetResetFields) */
  readonly resetFields?: Readonly<Record<string, readonly string[]>>;
  /** Whether finalizers must have a domain. Kubernetes' own are exempt. */
  readonly qualifiedFinalizers?: boolean;
  /** Whether storage checks the preconditions of a deletion, which changes the error messages. */
  readonly storagePreconditions?: boolean;
  /** Annotations that partial metadata and the rows of tables lack. */
  readonly hiddenAnnotations?: readonly string[];
}

/** A column of `kubectl get`: a path in the object, or a function of runtime/kinds/overlays/columns.ts. */
export interface ColumnOverlay {
  readonly name: string;
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly priority?: number;
  /** Whether rows have the cell although the headers lack the column. */
  readonly undeclared?: boolean;
  /**
   * A path such as `spec.type` or `status.replicas`. The generated code compiles only if the kind has this scalar
   * field.
   */
  readonly path?: string;
  /** Shown if the value is absent or "". Default: "" for strings, 0 for numbers, false, null for dates. */
  readonly none?: string | number;
  /** A function exported by runtime/kinds/overlays/columns.ts: (object, now) -> cell. */
  readonly custom?: string;
  /** The description. Default: the standard descriptions of Name, Age and Created At. */
  readonly description?: string;
  /** `name` for the column that identifies the object. Default: the first column. */
  readonly format?: string;
}

/** A path, a path with the value for its absence, or a function of runtime/kinds/overlays/selectable-fields.ts. */
export type SelectableFieldOverlay = string | { readonly path: string; readonly absent?: string } | { readonly custom: string };
