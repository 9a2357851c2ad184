import type { KubeObject } from '../../machinery/object.ts';
import type { Managers } from '../apply/managers.ts';

/** What is known of the owners of an object: what each has, and when it was last changed. */
export interface Managed {
  readonly fields: Managers;
  /** RFC 3339 to the second, by manager. */
  readonly times: Map<string, string>;
}

export interface ManagedObject {
  readonly object: KubeObject;
  readonly managed: Managed;
}

/**
 * One step of what keeps managed fields; steps wrap each other. Objects come and go without metadata.managedFields, and
 * are not changed. (apimachinery pkg/util/managedfields/internal/manager.go)
 */
export interface Manager {
  /** `next` is what will be stored: only ownership is worked out. */
  update(live: KubeObject, next: KubeObject, managed: Managed, manager: string): ManagedObject;
  /** @throws ConflictError, StatusError */
  apply(live: KubeObject, config: KubeObject, managed: Managed, manager: string, force: boolean): ManagedObject;
}

export const noManagers = (): Managed => ({ fields: new Map(), times: new Map() });
