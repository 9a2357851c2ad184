import type { FieldError } from '../machinery/field-error.ts';
import type { KubeObject } from '../machinery/object.ts';
import type { ResourceDefinition } from '../machinery/resource.ts';
import type { UserInfo } from '../machinery/user-info.ts';
import type { ResourceStores } from './stores.ts';

/** What a hook may know of the write it is part of. */
export interface WriteContext {
  readonly definition: ResourceDefinition;
  readonly namespace: string;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly stores: ResourceStores;
  /** What of the object is addressed, as `finalize`; "" for the object itself. */
  readonly subresource?: string;
  /** Who owns what is written; absent: metadata.managedFields are left as they are, for the server's own writes. */
  readonly fieldManager?: string;
  /** As in Writer. */
  readonly internal?: boolean;
  warn(text: string): void;
}

/**
 * Where one resource differs from all others beyond what its definition can say. All objects are at the version of the
 * request, and may be changed in place; every step may run again when the object changed meanwhile.
 */
export interface ResourceHooks {
  prepareForCreate?(object: KubeObject, context: WriteContext): void | Promise<void>;
  /** `part` is what is written, as UpdateRequest says. */
  prepareForUpdate?(
    object: KubeObject,
    old: KubeObject,
    context: WriteContext,
    part: 'main' | 'status' | 'all',
  ): void | Promise<void>;
  validate?(object: KubeObject, errors: FieldError[], context: WriteContext): void;
  /** What holds of new objects alone. */
  validateCreate?(object: KubeObject, errors: FieldError[], context: WriteContext): void;
  validateUpdate?(object: KubeObject, old: KubeObject, errors: FieldError[], context: WriteContext): void;
  /** Called instead of the two above on updates, where it is there. `part` as in UpdateRequest. */
  validateReplacement?(
    object: KubeObject,
    old: KubeObject,
    part: 'main' | 'status' | 'all',
    errors: FieldError[],
    context: WriteContext,
  ): void;
  /**
   * What the writer of a valid object is told that is no error. `old` is undefined on creation, where `part` is "main".
   * Reads only. (apiserver pkg/registry/rest, WarningsOnCreate and WarningsOnUpdate)
   */
  warnings?(
    object: KubeObject,
    old: KubeObject | undefined,
    context: WriteContext,
    part: 'main' | 'status' | 'all',
  ): readonly string[];
  /** Runs once the object is gone for good. */
  afterDelete?(object: KubeObject, context: WriteContext): void | Promise<void>;
  /** Seconds that a deletion is announced before it happens, 0 for at once. Absent: the kind knows no grace period. */
  gracePeriod?(object: KubeObject, asked: number | undefined): number;
  /** Throws a StatusError where the object may not be deleted. */
  beforeDelete?(object: KubeObject, context: WriteContext): void | Promise<void>;
  /** Decides, for a deleted object without finalizers, whether it is held back; as a namespace by its spec. */
  holds?(object: KubeObject): boolean;
  /** Holds an object back when its deletion is first asked for, by finalizers. */
  prepareForDelete?(object: KubeObject): void;
  /** What else a deletion writes into an object that is held back. */
  markDeleted?(object: KubeObject, context: WriteContext): void;
  /**
   * What becomes of dependents when the deletion does not say: they are orphaned; or, by `none`, the kind has no
   * dependents that the garbage collector could know of. Default: they are deleted. (DefaultGarbageCollectionPolicy)
   */
  readonly propagation?: 'orphan' | 'none';
  /** Delete answers with the object rather than with a Status. */
  readonly returnsDeleted?: boolean;
  /** Kinds that are answered and not kept. */
  answer?(object: KubeObject, context: WriteContext): KubeObject | Promise<KubeObject>;
}

/** Hooks by "group/plural". */
export type HookTable = Readonly<Record<string, ResourceHooks>>;
