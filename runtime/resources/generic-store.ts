import type { ResourceDefinition } from '../machinery/resource.ts';
import type { Collection } from '../storage/object-store/contract.ts';
import type { FieldManagers } from './field-managers.ts';
import type { RESTStrategy } from './rest.ts';

/** The data that create, update and delete of one resource work on. (apiserver registry/generic/registry Store) */
export interface GenericStore {
  readonly collection: Collection;
  /** At the storage version. */
  readonly definition: ResourceDefinition;
  readonly strategy: RESTStrategy;
  readonly fieldManagers: FieldManagers;
}
