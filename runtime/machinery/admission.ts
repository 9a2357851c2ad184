import type { JsonObject, KubeObject } from './object.ts';
import type { ResourceDefinition, TypeDefinition } from './resource.ts';
import type { UserInfo } from './user-info.ts';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** Whether plugins admit an object a second time. (apiserver pkg/admission/reinvocation.go) */
export interface Reinvocation {
  /** Set by a plugin that changed the object, if other plugins may need to see the change. */
  isNeeded: boolean;
  /** True during the second and last call of the plugins. */
  isRunning: boolean;
}

/** The turn of a write in the queue of its object. */
export interface Turn {
  /** Lets other writers of the object go ahead. */
  yield(): void;
}

/** One write as admission plugins see it. (apiserver pkg/admission/interfaces.go Attributes) */
export interface Attributes {
  readonly operation: Operation;
  /** The resource at the version of the request. */
  readonly definition: ResourceDefinition;
  /** "" for the resource itself. */
  readonly subresource: string;
  /** The type of the objects: the resource's own, or the subresource's, as Scale or PodExecOptions. */
  readonly type: TypeDefinition;
  /** "" for cluster-scoped resources. */
  readonly namespace: string;
  /** "" for an object that is created without a name or with a generated name. */
  readonly name: string;
  /**
   * The object at the version of `type`; undefined for DELETE. Plugins change or replace it only while they admit. At
   * that time it has managed fields and defaults, but its name may not be generated yet.
   */
  object: KubeObject | undefined;
  /** Undefined for CREATE and CONNECT. Must not be changed. */
  readonly oldObject: KubeObject | undefined;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** Returns CreateOptions, UpdateOptions or DeleteOptions; undefined for CONNECT. */
  options(operation: Operation): JsonObject | undefined;
  /** Milliseconds since the epoch at which the request times out. Default: never. */
  readonly deadline?: number | undefined;
  /**
   * Whether an attempt that exceeds the event loop's budget can be repeated on a worker thread. False for the server's
   * own writes, the deletions of a DELETECOLLECTION, and connections. Default: true.
   */
  readonly canMoveToWorker?: boolean;
  readonly reinvocation: Reinvocation;
  /** A plugin yields it before it waits for something outside of the server, which may write the object itself. */
  readonly turn: Turn;
  /**
   * Calls back when it is known whether this attempt was stored, or may have been. Calls back at once before another
   * attempt at the same write. Only for CREATE and UPDATE.
   */
  onOutcome(callback: (stored: boolean) => void): void;
  /** Adds a warning to the response. */
  warn(text: string): void;
  /**
   * Adds an annotation to the audit event of the request, if the request has one. The first value of a key stays.
   *
   * @param level the level of the events that include the annotation. Default: any
   */
  addAnnotation(key: string, value: string, level?: 'Request'): void;
}

/**
 * The steps between decoding an object and storing it. A step returns a promise only if it must wait, and throws a
 * StatusError to refuse a write. (apiserver pkg/admission MutationInterface, ValidationInterface)
 */
export interface Admission {
  /** Changes the object, before the strategy of its resource changes it. */
  admit(attributes: Attributes): void | Promise<void>;
  /** Refuses the object that is about to be stored. */
  validate(attributes: Attributes): void | Promise<void>;
  /** Repeats, right before an object is stored, the checks whose result may have changed during a wait. */
  recheck(attributes: Attributes): void;
}
