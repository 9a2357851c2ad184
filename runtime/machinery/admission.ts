import type { JsonObject, KubeObject } from './object.ts';
import type { ResourceDefinition, TypeDefinition } from './resource.ts';
import type { UserInfo } from './user-info.ts';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** Whether plugins are asked to admit an object once more. (apiserver pkg/admission/reinvocation.go) */
export interface Reinvocation {
  /** Set by a plugin that has changed the object, if others may have to see the change. */
  isNeeded: boolean;
  /** True while plugins are asked for the second time, which is the last. */
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
  /** The type of the objects: the resource's own, or that of the subresource, such as Scale or PodExecOptions. */
  readonly type: TypeDefinition;
  /** "" for cluster-scoped resources. */
  readonly namespace: string;
  /** "" for an object that is created without a name, or with a generated one. */
  readonly name: string;
  /**
   * At the version of `type`; undefined for DELETE. Plugins change it, or replace it, only while they admit. It has
   * managed fields then, and defaults, but its name may not be generated yet.
   */
  object: KubeObject | undefined;
  /** Undefined for CREATE and CONNECT. Must not be changed. */
  readonly oldObject: KubeObject | undefined;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** CreateOptions, UpdateOptions or DeleteOptions, for whoever asks; undefined for CONNECT. */
  options(operation: Operation): JsonObject | undefined;
  /** Milliseconds since the epoch at which the request times out. Default: never. */
  readonly deadline?: number | undefined;
  /**
   * Whether an attempt that costs too much for the event loop can start over on a worker thread: not the server's own
   * writes, those of a DELETECOLLECTION, and connections. Default: true.
   */
  readonly isRepeatable?: boolean;
  readonly reinvocation: Reinvocation;
  /** A plugin yields it before it waits for something outside of the server, which may write the object itself. */
  readonly turn: Turn;
  /**
   * Calls back when it is known whether the attempt that is validated now was stored, or may have been; at once before another
   * attempt at the same write. Only for CREATE and UPDATE.
   */
  onOutcome(callback: (stored: boolean) => void): void;
  /** Adds a warning to the response. */
  warn(text: string): void;
  /**
   * Adds an annotation to the audit event of the request, if it has one. Its first value stays.
   *
   * @param level the level at which events have it. Default: any
   */
  addAnnotation(key: string, value: string, level?: 'Request'): void;
}

/**
 * What stands between decoding an object and storing it. Steps return a promise only if they have to wait, and throw a
 * StatusError to refuse a write. (apiserver pkg/admission MutationInterface, ValidationInterface)
 */
export interface Admission {
  /** Changes the object, before the strategy of its resource does. */
  admit(attributes: Attributes): void | Promise<void>;
  /** Refuses the object that is about to be stored. */
  validate(attributes: Attributes): void | Promise<void>;
  /** Checks once more, right before an object is stored, what may have changed while others were waited for. */
  recheck(attributes: Attributes): void;
}
