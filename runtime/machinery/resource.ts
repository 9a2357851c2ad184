import type { GroupVersionKind } from './gvk.ts';
import type { JsonObject, KubeObject } from './object.ts';
import type { ProtobufCodec } from './protobuf/codec.ts';
import type { PruneContext } from './prune/context.ts';
import type { JsonSchema } from './schema/json-schema.ts';
import type { MergeSchema } from './schema/merge-schema.ts';
import type { Field } from './validation/field.ts';
import type { FieldError } from './validation/field-error.ts';

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

/** The functions of one kind at one version. Objects have their JSON shape. */
export interface TypeDefinition<T = KubeObject> extends GroupVersionKind {
  /** Checks types, drops unknown fields and converts values to their canonical form. Throws DecodeError. */
  prune(value: unknown, context: PruneContext): T;
  /** Fills in defaults, in place. */
  setDefaults(object: T): void;
  /** Reports the errors of the object at `field`. Never throws. */
  validate(object: T, field: Field): void;
  /** Reports forbidden changes from `old` to `object`. Called in addition to `validate` when an object is replaced. */
  validateUpdate?(object: T, old: T, field: Field): void;
  /**
   * Replaces `validate` and `validateUpdate` in kinds that validate only the changes of a write. `part` is that of
   * UpdateRequest.
   */
  validateReplacement?(object: T, old: T, part: 'main' | 'status' | 'all', findings: Findings): void;
  /** Absent for kinds without a protobuf encoding: custom resources, and groups that only have an OpenAPI document. */
  readonly protobuf?: ProtobufCodec<T>;
  readonly merge: MergeSchema;
  /** The whole schema of kinds whose objects a schema validates: only kinds of a program's own groups. */
  readonly schema?: JsonSchema;
  /**
   * True for custom resources, which have no Go type: upstream handles them as unstructured.Unstructured. They have no
   * strategic merge patch, their bodies and the items of their lists name their kind, and their paths accept HEAD.
   * Default: false.
   */
  readonly unstructured?: boolean;
}

/** Results of the validation of an object that replaces another one. */
export interface Findings {
  readonly errors: FieldError[];
  /** Adds a warning to the response, for an error of an unchanged value. */
  warn(text: string): void;
}

/** The `setDefaults` of kinds without defaults. */
export function nothingToDefault(_object: object): void {}

/** Returns the definition as one of any KubeObject. Generated functions know their own type. */
export function typeDefinition<T>(definition: TypeDefinition<T>): TypeDefinition {
  return definition as unknown as TypeDefinition;
}

/** The value of a cell. Integers beyond 2^53 are bigint. */
export type TableCell = string | number | bigint | boolean | null;

/**
 * The cost of all cells of one row. A definition may have thousands of columns that print one long text, or whose paths
 * find the same values many times. When nothing is left, the remaining cells are null.
 */
export interface RowBudget {
  /** The number of values that may still be visited. */
  left: number;
}

/** Returns the budget of a row. Spending all of it takes some tens of milliseconds. */
export const newRowBudget = (): RowBudget => ({ left: 250_000 });

/** One column of `kubectl get` for objects of one kind. (metav1.TableColumnDefinition) */
export interface TableColumn<T = KubeObject> {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** `name` for the column that identifies the object, otherwise "". */
  readonly format: string;
  readonly description: string;
  /** The field of ObjectMeta whose description the column shows. */
  readonly field?: 'name' | 'creationTimestamp';
  /** 0: always shown; 1: shown with `-o wide`. */
  readonly priority: number;
  /** Whether rows have the cell although the headers lack the column. Default: false. */
  readonly undeclared?: boolean;
  /**
   * @param now milliseconds since the epoch, for ages
   * @param budget limits the cost of columns that definitions describe. Default: a new budget for each cell
   */
  cell(object: T, now: number, budget?: RowBudget): TableCell;
}

/** The condition of a row's object, besides its cells. (metav1.TableRowCondition) */
export interface TableRowCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface SubresourceDefinition {
  /** The path after the object's name, as `status` or `scale`. `proxy/{path}` belongs to `proxy`. */
  readonly name: string;
  /** The kind of the body, as `autoscaling/v1, Kind=Scale` below `apps/v1 deployments`. */
  readonly gvk: GroupVersionKind;
  readonly verbs: readonly Verb[];
  /** True for exec, attach, portforward and proxy, which connect by any HTTP method. */
  readonly connect: boolean;
  /** The type of the body, if it differs from the resource's own. */
  readonly type?: TypeDefinition;
  /** Only for scale: the paths of the replicas and the selector, as `spec.replicas`. */
  readonly scale?: {
    readonly specReplicas: string;
    readonly statusReplicas: string;
    readonly selector?: string;
    /** The columns of a table. Default: those of the built-in kinds. */
    readonly columns?: readonly TableColumn[];
  };
}

/** Differences between a resource's writes and the common rules. (upstream: the strategy.go of each registry) */
export interface WriteRules {
  /** PUT creates the object if it does not exist. */
  readonly createOnUpdate: boolean;
  /** PUT does not need a resourceVersion. */
  readonly unconditionalUpdate: boolean;
  /** metadata.generation is set, and increases when anything but metadata and status changes. */
  readonly generation: boolean;
  /** Fields that only the status subresource may write, as `status`. */
  readonly statusFields: readonly string[];
  /** The format of metadata.name. */
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
  /**
   * Updates do not check the format of name and generateName, which may have been valid once. (Update functions with
   * ValidateObjectMetaUpdate alone) Default: false.
   */
  readonly nameUncheckedOnUpdate?: boolean;
  /** The grace period of a deletion without gracePeriodSeconds. Default: none. */
  readonly defaultGracePeriodSeconds?: number;
  /** Replaces the status of a created object, as `{ phase: "Pending" }`. */
  readonly initialStatus?: JsonObject;
  /** metadata.generation also increases when annotations change, as for deployments. */
  readonly annotationsCount?: boolean;
  /** metadata.generation also increases when labels change, as for endpoint slices. */
  readonly labelsCount?: boolean;
  /** An empty list or map that a client sends counts as a change of an absent one, as for network policies. */
  readonly emptyCounts?: boolean;
  /** Metadata is validated on creation only if everything else is valid, as for events. */
  readonly metadataValidatedLast?: boolean;
  /** An apply to the status creates an absent object, as for validating admission policies. */
  readonly statusCreates?: boolean;
  /** Keeps the status that a client sends with the object: on creation, or on every write. */
  readonly openStatus?: 'create' | 'always';
  /** Members of metadata that a write of the status does not change, as `labels`. Default: none. */
  readonly statusKeepsMetadata?: readonly string[];
  /**
   * Dotted paths of the fields that a write resets and therefore cannot own, by subresource ("" for the resource
   * itself).
   * Default: the status for the resource itself, the spec for its status, nothing for the others. (GetResetFields)
   */
  readonly resetFields?: Readonly<Record<string, readonly string[]>>;
  /**
   * A write to the resource itself resets the fields of managers at its own version only, as custom resources do.
   * Default: those at all versions.
   */
  readonly resetsOwnVersionOnly?: boolean;
  /**
   * Finalizers must be qualified names, unless they are Kubernetes' own: the kind's metadata is validated by the core
   * group. (pkg/apis/core/validation ValidateObjectMeta) Default: false.
   */
  readonly qualifiedFinalizers?: boolean;
  /**
   * Storage checks the preconditions of a deletion and its errors are reported, as for namespaces, whose registry has
   * its own delete. (storage.Preconditions.Check) Default: false, the registry checks them. (registry/rest/delete.go
   * BeforeDelete)
   */
  readonly storagePreconditions?: boolean;
  /**
   * Annotations that upstream's internal objects have as fields, and that partial metadata and the rows of tables
   * therefore lack. Default: none.
   */
  readonly hiddenAnnotations?: readonly string[];
}

/** The names and verbs of a resource: what discovery shows. */
export interface ResourceFacts extends GroupVersionKind {
  /** The plural, as `deployments`. */
  readonly resource: string;
  readonly singular: string;
  /** As `DeploymentList`; "" if the kind cannot be listed. */
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** As discovery orders them, here and below. */
  readonly verbs: readonly Verb[];
  /** As discovery orders them. */
  readonly subresources: readonly {
    readonly name: string;
    readonly gvk: GroupVersionKind;
    readonly verbs: readonly Verb[];
    readonly connect: boolean;
  }[];
  /** False for kinds without stored objects: reviews, bindings. */
  readonly stored: boolean;
  /** The version of stored objects, the same for all versions of a resource. */
  readonly storageVersion: string;
  /** The schema differs from the stored version's, so the group must provide a converter. Default: false. */
  readonly needsConverter?: boolean;
  /** The group that stores the objects, if it differs: events.k8s.io serves the events of the core group. */
  readonly storageGroup?: string;
  /**
   * The prefix of the objects' keys, below the prefix of all keys: `pods`, `services/specs`; `<group>/<plural>` for
   * custom resources and a program's own groups. (SpecialDefaultResourcePrefixes; apiserver
   * StorageFactory.ResourcePrefix)
   */
  readonly resourcePrefix: string;
}

/**
 * A resource at one version: all that the runtime needs. Generated code makes it, or a CustomResourceDefinition. All
 * resources share one set of verbs, one store and one watch path.
 */
export interface ResourceDefinition<T = KubeObject> extends Omit<ResourceFacts, 'subresources'> {
  readonly subresources: readonly SubresourceDefinition[];
  readonly type: TypeDefinition;
  readonly writeRules: WriteRules;
  readonly columns: readonly TableColumn<T>[];
  /** The conditions of an object's row. Default: none. */
  rowConditions?(object: T): readonly TableRowCondition[] | undefined;
  /** Compares two objects for the order of a table's rows. Default: the order of the list. */
  rowOrder?(a: T, b: T): number;
  /** Field selectors beyond metadata.name and metadata.namespace: the value of each field, by its label. */
  readonly selectableFields: Readonly<Record<string, (object: T) => string>>;
  /**
   * The error for an unsupported field label; `{label}` stands for the label, `{quoted}` for the quoted label. Default:
   * `field label not supported: {label}`. (runtime.Scheme.AddFieldLabelConversionFunc)
   */
  readonly unsupportedFieldLabel?: string;
  /** False if a field selector cannot name the namespace of a namespaced kind. Default: true. */
  readonly selectableByNamespace?: boolean;
  readonly conversion: Conversion;
  /**
   * Reads and writes stored objects in place of `conversion`. Custom resources need a decoder, and so do kinds with
   * several versions in a program's own groups. Default: none.
   */
  readonly decoder?: VersionDecoder;
  /** Warnings in every response: deprecated versions. */
  readonly warnings?: readonly string[];
}

/** Returns the definition as one of any KubeObject. Generated columns and selectors know their own type. */
export function resourceDefinition<T>(definition: ResourceDefinition<T>): ResourceDefinition {
  return definition as unknown as ResourceDefinition;
}

/**
 * Converts between this version and the storage version; does nothing at the storage version itself. May change and
 * return its argument.
 */
export interface Conversion {
  toStorage(object: KubeObject): KubeObject;
  fromStorage(object: KubeObject): KubeObject;
}

/** The part of a stored object that decoding needs; StoredObject in storage/object-store/contract has the rest. */
export interface StoredBytes {
  readonly revision: number;
  readonly json: Uint8Array;
  /** The result of VersionDecoder.changesWhenRead when the bytes were written; undefined for loaded bytes. */
  readonly changesWhenRead: boolean | undefined;
  decode(): KubeObject;
}

/** The members of metadata that a read drops if they are empty. */
export const emptiableMetadata = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const;

/**
 * Decodes the stored objects of a resource to one version, and encodes objects of that version for the store. The stored
 * bytes may be of another version, or follow an older schema. A webhook may convert them, so decoding can take a while
 * and can fail. (The decoder of apiextensions-apiserver's crdConversionRESTOptionsGetter)
 */
export interface VersionDecoder {
  /** Whether reads add missing defaults. Otherwise objects are stored with all defaults. */
  readonly setsDefaults: boolean;
  /**
   * Reports whether the stored bytes equal the object that clients of this version see.
   *
   * @param writtenAt the revision whose write made the bytes. Default: the object's own revision, which is wrong for
   *   the
   *     last state of a deleted object
   */
  isCurrent(stored: StoredBytes, writtenAt?: number): boolean;
  /**
   * Returns the objects as this version sees them, in the same order. Current objects are returned unchanged. The
   * others become views, which every encoding treats like stored objects; all users of an object share one view.
   * Returns a promise only if a webhook must convert, or for several objects.
   *
   * @param writtenAt as in isCurrent
   * @throws StatusError if an object cannot be converted
   */
  views<S extends StoredBytes>(stored: readonly S[], writtenAt?: number): readonly S[] | Promise<readonly S[]>;
  /** Converts an object of this version to the storage version. May change and return its argument. */
  toStorage(object: KubeObject): KubeObject | Promise<KubeObject>;
  /** Returns the object as a read after its write returns it. May change and return its argument. */
  roundTrip(object: KubeObject): Promise<KubeObject>;
  /**
   * Reports whether reads change this object, which is at the storage version. Reads add defaults that the writer's
   * version lacks, or defaults of a status that creation drops. They drop empty metadata that an apply stored, also in
   * embedded resources.
   */
  changesWhenRead(object: KubeObject): boolean;
  /** Converts an object of any version to `apiVersion`, one of the definition's versions. Does not prune it. */
  convert(object: KubeObject, apiVersion: string): KubeObject | Promise<KubeObject>;
  /** Returns undefined for a version that the definition does not have. */
  mergeSchema(apiVersion: string): MergeSchema | undefined;
  /** Runs a write of an object from `toStorage`. Until the write ends, the bytes that it stores are not current. */
  duringWrite<R>(write: () => Promise<R>): Promise<R>;
}
