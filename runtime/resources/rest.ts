import type { Admission, Operation } from '../machinery/admission.ts';
import type { Status } from '../machinery/errors/status.ts';
import type { JsonObject, KubeObject } from '../machinery/object.ts';
import type { Random } from '../machinery/random.ts';
import type { ResourceDefinition, TypeDefinition } from '../machinery/resource.ts';
import type { UserInfo } from '../machinery/user-info.ts';
import type { FieldError } from '../machinery/validation/field-error.ts';
import type { ReleaseRules } from '../machinery/validation/rule-changes.ts';
import type { Collection, StoredObject, StoredResource } from '../storage/object-store/contract.ts';
import type { FieldManagers } from './field-managers.ts';

/** The contract between strategies and storage of resources. (apiserver pkg/registry/rest) */

/** The identity and settings of writes: a client for one request, or a part of the server for many. */
export interface Writer {
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /**
   * The owner of the fields that the write sets. Absent for the server's own writes, which do not change
   * metadata.managedFields.
   */
  readonly fieldManager?: string | undefined;
  /**
   * Whether the write is the server's own. Worker threads cannot take it over, so it finishes even if validation is
   * costly.
   */
  readonly internal?: boolean | undefined;
  /** Whether admission plugins see the writes: those of clients, and some of the server's own. */
  readonly isAdmitted?: boolean | undefined;
  /** Whether the writer is a controller that runs on one server at a time. */
  readonly onlyAsLeader?: boolean | undefined;
  /** Milliseconds since the epoch at which the request times out. Default: never. */
  readonly deadline?: number | undefined;
  /**
   * Whether an attempt that exceeds the event loop's budget can start over on a worker thread. Default: true, except
   * for the server's own writes.
   */
  readonly canMoveToWorker?: boolean | undefined;
  /**
   * Returns the members of CreateOptions, UpdateOptions or DeleteOptions. Default: the field manager; none for DELETE.
   */
  options?(operation: Operation): JsonObject | undefined;
  /** Adds a warning to the response. */
  warn(text: string): void;
  /** See Attributes.addAnnotation. Absent if the write is not audited. */
  addAnnotation?(key: string, value: string, level?: 'Request'): void;
}

/**
 * The part of an object that a write changes: the resource itself, its status, or everything, for other subresources.
 */
export type UpdatePart = 'main' | 'status' | 'all';

/** A write in the form that strategies see. */
export interface WriteContext extends Pick<Writer, 'user' | 'dryRun' | 'fieldManager' | 'internal' | 'onlyAsLeader' | 'warn'> {
  /** The resource at the version of the request. */
  readonly definition: ResourceDefinition;
  /** "" for cluster-scoped resources. */
  readonly namespace: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** `main` on creation. */
  readonly part: UpdatePart;
  /** The name in the path of a PUT or PATCH that creates the object. Absent for a POST. */
  readonly requestName?: string | undefined;
  /** For example `finalize`; "" for the object itself. */
  readonly subresource: string;
  /** The other resources of the server. */
  readonly stores: RESTStorageProvider;
}

/** A write in the form that its Change sees. */
export interface ChangeContext extends WriteContext {
  /** The name in the path. */
  readonly name: string;
  /** The resource of the changed object: the view's, or the write's own. */
  readonly changed: ResourceDefinition;
  /** The object, or its view, before the change. Must not be changed. Undefined if the object does not exist. */
  readonly before: KubeObject | undefined;
  readonly fieldManagers: FieldManagers;
  /** The strategy of the write's own resource. */
  readonly strategy: RESTStrategy;
}

/** The change of a write: a replacement, an edit, a patch or an apply. */
export interface Change {
  /** The operation in managed fields. */
  readonly operation: 'Apply' | 'Update';
  /**
   * Returns the changed object at the version of the request, with its managed fields. Runs again if the object changes
   * in the meantime. (rest.UpdatedObjectInfo)
   */
  change(write: ChangeContext): KubeObject | Promise<KubeObject>;
}

/** A change in code. @param current may be changed and returned; undefined if the object does not exist */
export type Edit = (current: KubeObject | undefined) => KubeObject | Promise<KubeObject>;

/**
 * A subresource whose kind differs from its object's, for example Scale. Clients change the view, and admission plugins
 * see it.
 */
export interface SubresourceView {
  /** The definition with the view's type, for changing the view. */
  readonly definition: ResourceDefinition;
  /** Returns the view of an object, without managed fields. */
  of(object: KubeObject): KubeObject;
  /**
   * Opens the view for a change.
   *
   * @param object `close` may change it
   */
  open(object: KubeObject): Promise<OpenedView>;
}

/** A view during a change. */
export interface OpenedView {
  /** The view before the change. */
  readonly old: KubeObject;
  /** Returns the object with the changes of the view. @throws StatusError */
  close(changed: KubeObject): KubeObject;
}

/** An object after a write: the stored one, or for a dry run the one that would be stored. */
export type WriteResult =
  | { readonly kind: 'stored'; readonly stored: StoredObject }
  /** The object at the version of the request. */
  | { readonly kind: 'object'; readonly object: KubeObject };

/**
 * Checks that the writer of an update may create the object.
 *
 * @throws StatusError 403; 500 if the check fails
 */
export type RequireCreate = () => Promise<void>;

/** The object of a write, and the part that changes. */
export interface WriteTarget {
  readonly namespace: string;
  /** The name in the path. Absent for a POST to a collection. */
  readonly name?: string | undefined;
  /** The name that admission sees: "" for an object of a collection that is deleted. Default: `name`. */
  readonly admittedName?: string;
  /** The written subresource; "" or absent for none. */
  readonly subresource?: string | undefined;
  /** Default: main. */
  readonly part?: UpdatePart | undefined;
  /** The type that admission sees. Default: that of the view, or of the resource. */
  readonly type?: TypeDefinition | undefined;
  /** The view that changes. Default: none, the object itself changes. */
  readonly view?: SubresourceView | undefined;
}

export interface UpdateRequest extends WriteTarget {
  readonly name: string;
  /** The writer becomes the manager of the fields that an Edit changes. */
  readonly change: Change | Edit;
  readonly part: UpdatePart;
  /** Whether the update keeps metadata.generation. For the server's own bookkeeping. */
  readonly keepGeneration?: boolean;
  /** Allows creating an absent object, if the check passes. Without it, an absent object is an error. */
  readonly requireCreate?: RequireCreate | undefined;
  /** Whether the object must have a resourceVersion, unless its resource allows unconditional updates. */
  readonly requireVersion: boolean;
  /** The required uid of the object before the change. (rest.UpdatedObjectInfo Preconditions) */
  readonly preconditionUid?: string | undefined;
}

export type UpdateResult = WriteResult & { readonly created: boolean };

export interface DeleteRequest extends WriteTarget {
  readonly name: string;
  /** Seconds; below 0 counts as 1. Default: the resource's own. */
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string } | undefined;
  /** Runs the write to storage when its turn comes among the deletions of a collection. Default: at once. */
  inTurn?<R>(write: () => Promise<R>): Promise<R>;
}

export interface DeleteResult {
  /** False if the object was only marked for deletion, because finalizers or a grace period keep it. */
  readonly deletedImmediately: boolean;
  readonly uid: string;
  readonly written: WriteResult;
}

/** Reads and writes the objects of one resource. ResourceStore implements it. (rest.StandardStorage) */
export interface RESTStorage {
  /** At the storage version. */
  readonly definition: ResourceDefinition;
  readonly collection: Collection;
  readonly strategy: RESTStrategy;
  readonly fieldManagers: FieldManagers;
  /** @throws StatusError 403, 404, 409, 422 */
  create(definition: ResourceDefinition, object: KubeObject, namespace: string, writer: Writer): Promise<WriteResult>;
  /** @throws StatusError 404, 409, 422 */
  update(definition: ResourceDefinition, request: UpdateRequest, writer: Writer): Promise<UpdateResult>;
  /** @throws StatusError 404, 409, 500 if the stored bytes cannot be read */
  delete(definition: ResourceDefinition, request: DeleteRequest, writer: Writer): Promise<DeleteResult>;
}

/** Reports whether this server may run the controllers that run on one server at a time. */
export interface Leadership {
  readonly isLeading: boolean;
}

/** The storage of all resources, for strategies. ResourceStores implements it. (controlplane.RESTStorageProvider) */
export interface RESTStorageProvider {
  /** The rules of the served release of Kubernetes. */
  readonly rules: ReleaseRules;
  readonly random: Random;
  /** The plugins that admit writes; undefined if all writes are admitted. */
  readonly admission: Admission | undefined;
  /** Undefined if this server always leads. */
  readonly leadership: Leadership | undefined;
  serves(group: string, version: string, resource: string): boolean;
  /** @throws Error if the resource is not served */
  byResource(group: string, version: string, resource: string): Promise<RESTStorage>;
  /** Returns the objects of a resource that no API serves. */
  internalCollection(resource: StoredResource): Promise<Collection>;
}

export interface ResourceLocation {
  /** The name of the node. */
  readonly node: string;
  /** The container, for subresources of a container. */
  readonly container?: string | undefined;
}

/** The target server of a proxy. */
export interface ProxyLocation {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  /** Undefined for the default port of the scheme. */
  readonly port: number | undefined;
}

/** The context in which a proxy finds its object. */
export interface ProxyContext {
  readonly namespace: string;
  readonly stores: RESTStorageProvider;
}

/** The target of a connection. */
export interface ConnectTarget {
  readonly subresource: string;
  /** The name in the path. It may be `scheme:name:port`. */
  readonly name: string;
  /** The container in the query. */
  readonly container?: string | undefined;
}

/**
 * Handles creation on a named subresource.
 *
 * @throws StatusError
 */
export type NamedCreater = (body: KubeObject, name: string, context: WriteContext) => Promise<Status>;

/** The outcome of a write. `unknown`: the object may have been written, or may be written later. */
export type WriteOutcome = 'written' | 'not-written' | 'unknown';

/** Ends a transaction of `beginCreate` or `beginUpdate`. (genericregistry.FinishFunc) */
export type FinishWrite = (outcome: WriteOutcome) => void | Promise<void>;

/**
 * The behavior of a resource beyond the facts in its definition. Objects are at the version of the request and may be
 * changed in place. Every step may run again if the object changes meanwhile. (apiserver pkg/registry/rest
 * RESTCreateStrategy, RESTUpdateStrategy, RESTDeleteStrategy)
 */
export interface RESTStrategy {
  /** Handles creation of a kind that is not stored, such as a review. Returns the object for the response. */
  create?(object: KubeObject, context: WriteContext): KubeObject | Promise<KubeObject>;
  /**
   * Reads an object of a kind that is not stored. (rest.Getter)
   *
   * @throws StatusError 404
   */
  get?(name: string): KubeObject | Promise<KubeObject>;
  /** Lists the objects of a kind that is not stored. (rest.Lister) */
  list?(): readonly KubeObject[] | Promise<readonly KubeObject[]>;
  /** By subresource, such as `eviction` of pods. (rest.NamedCreater) */
  readonly namedCreaters?: Readonly<Record<string, NamedCreater>>;
  /** Additional versions that a body may have, by subresource. (rest.GroupVersionAcceptor) */
  readonly otherVersions?: Readonly<Record<string, readonly string[]>>;
  /**
   * Returns the target of a subresource such as `exec`. Returns undefined, for an empty response, if there is no
   * target. (rest.Redirector)
   *
   * @throws StatusError 400, 503
   */
  resourceLocation?(object: KubeObject, target: ConnectTarget): ResourceLocation | undefined;
  /**
   * Returns the target server of an object's proxy, for targets that are not on a node. (rest.Redirector)
   *
   * @param id `name`, `name:port` or `scheme:name:port`
   * @throws StatusError 400, 404, 503
   */
  proxyLocation?(id: string, context: ProxyContext): Promise<ProxyLocation>;
  /** Subresources that have no tables, because their storage makes none. (rest.TableConvertor) */
  readonly withoutTables?: readonly string[] | undefined;
  /** Begins a transaction around the creation, before the other steps. (genericregistry.BeginCreateFunc) */
  beginCreate?(object: KubeObject, context: WriteContext): FinishWrite | undefined | Promise<FinishWrite | undefined>;
  /** Begins a transaction around the update, before the other steps. (genericregistry.BeginUpdateFunc) */
  beginUpdate?(object: KubeObject, old: KubeObject, context: WriteContext): FinishWrite | undefined | Promise<FinishWrite | undefined>;
  /**
   * Applies the effects of upstream's conversion to the internal type and back, before the object's fields get a
   * manager. For example, a DaemonSet gets its annotation about templates.
   *
   * @throws StatusError 400
   */
  afterDecoding?(object: KubeObject): void;
  prepareForCreate?(object: KubeObject, context: WriteContext): void | Promise<void>;
  prepareForUpdate?(object: KubeObject, old: KubeObject, context: WriteContext): void | Promise<void>;
  /** Runs on creation, before the metadata is validated. */
  validateFirst?(object: KubeObject, errors: FieldError[], context: WriteContext): void;
  /** Runs on creation and on update. */
  validate?(object: KubeObject, errors: FieldError[], context: WriteContext): void;
  /** Runs on creation only. */
  validateCreate?(object: KubeObject, errors: FieldError[], context: WriteContext): void;
  /** Runs on update, in addition to `validate`. */
  validateUpdate?(object: KubeObject, old: KubeObject, errors: FieldError[], context: WriteContext): void;
  /** Runs on update, in place of `validate` and `validateUpdate`. */
  validateReplacement?(object: KubeObject, old: KubeObject, errors: FieldError[], context: WriteContext): void;
  /**
   * Returns warnings about a valid object. Must not change it. (WarningsOnCreate, WarningsOnUpdate)
   *
   * @param old undefined on creation
   */
  warnings?(object: KubeObject, old: KubeObject | undefined, context: WriteContext): readonly string[];
  /**
   * Returns the seconds until a deletion takes effect, 0 for at once. Absent for kinds without graceful deletion.
   * (RESTGracefulDeleteStrategy)
   *
   * @param requested gracePeriodSeconds of the request
   */
  checkGracefulDelete?(object: KubeObject, requested: number | undefined): number;
  /**
   * Refuses to delete an object because of its name. Does not run if a whole collection is deleted.
   *
   * @throws StatusError
   */
  checkDelete?(name: string): void;
  /** Changes an object when its deletion is first requested, for example adds a finalizer. */
  prepareForDelete?(object: KubeObject): void;
  /** Reports whether finalizers outside of metadata keep a deleted object, as a namespace's spec.finalizers do. */
  hasPendingFinalizers?(object: KubeObject): boolean;
  /** Whether the first deletion marks an object without finalizers, too, as for namespaces. Default: false. */
  readonly isKeptByFirstDeletion?: boolean;
  /**
   * Whether `orphanDependents: false` asks for deletion in the foreground, as for namespaces. Default: in the background.
   * (pkg/registry/core/namespace/storage shouldHaveDeleteDependentsFinalizer)
   */
  readonly deletesDependentsInForeground?: boolean;
  /** Changes an object that is marked as deleted but kept. */
  markAsDeleting?(object: KubeObject, context: WriteContext): void;
  /** Runs after the object has been removed from storage. */
  afterDelete?(object: KubeObject, context: WriteContext): void | Promise<void>;
  /** The default propagation to dependents. Default: DeleteDependents. (rest.GarbageCollectionPolicy) */
  readonly defaultGarbageCollectionPolicy?: 'OrphanDependents' | 'Unsupported';
  /** A warning for deletions of objects or collections that do not state their propagation. */
  readonly deletionWarning?: string;
  /**
   * Returns the object in kube-apiserver's stored form, for kinds that it stores at another version. Must not change
   * the object.
   */
  storedForm?(object: KubeObject): KubeObject;
  /** Seconds after the last write when an object is deleted. Default: never. (genericregistry.Store TTLFunc) */
  readonly ttlSeconds?: number;
  /** Whether kube-apiserver reads objects from etcd, without a cache in between. Default: false. (DefaultWatchCacheSizes) */
  readonly isUncached?: boolean;
  /** Whether DELETE responds with the object instead of a Status. */
  readonly returnDeletedObject?: boolean;
}

/** Strategies by "group/plural". */
export type RESTStrategies = Readonly<Record<string, RESTStrategy>>;
