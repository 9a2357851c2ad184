import type { KubeObject } from '../../machinery/object.ts';
import type { ManagedFields } from '../fieldpath/managers.ts';

/** The managed fields of an object. (managedfields/internal.Managed) */
export interface Managed {
  /** Fields by manager. */
  readonly fields: ManagedFields;
  /** Times of the last change by manager, in RFC 3339 with seconds. */
  readonly times: Map<string, string>;
}

export interface ManagedObject {
  readonly object: KubeObject;
  readonly managed: Managed;
}

/** A server-side apply. */
export interface ApplyRequest {
  readonly live: KubeObject;
  /** The applied configuration. */
  readonly config: KubeObject;
  readonly managed: Managed;
  readonly manager: string;
  /** Whether to take fields from other managers instead of failing. */
  readonly force: boolean;
}

/**
 * One step of computing managed fields. Managers wrap each other. Their objects have no metadata.managedFields, and are
 * not changed. (apimachinery pkg/util/managedfields/internal/manager.go)
 */
export interface Manager {
  /** @param next the object to store; only its managed fields are computed */
  update(live: KubeObject, next: KubeObject, managed: Managed, manager: string): ManagedObject;
  /** @throws ConflictError, StatusError */
  apply(request: ApplyRequest): ManagedObject;
}

/** An innermost manager. It returns no object for an apply that changes nothing. */
export interface InnerManager {
  update: Manager['update'];
  /** @throws ConflictError, StatusError */
  apply(request: ApplyRequest): ManagedObject | UnchangedObject;
}

export interface UnchangedObject {
  readonly object?: undefined;
  readonly managed: Managed;
}

export const noManagedFields = (): Managed => ({ fields: new Map(), times: new Map() });
