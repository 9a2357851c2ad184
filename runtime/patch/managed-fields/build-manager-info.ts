import { managerIdentifier } from './identifier.ts';
import type { Manager } from './manager.ts';

/** Makes an identifier of a manager's name: with operation and subresource, and the version of an update. */
export function buildManagerInfo(inner: Manager, apiVersion: string, subresource: string): Manager {
  const identify = (manager: string, operation: string): string =>
    managerIdentifier({ manager: manager === '' ? 'unknown' : manager, operation, apiVersion, subresource });
  return {
    update: (live, next, managed, manager) => inner.update(live, next, managed, identify(manager, 'Update')),
    apply: (live, config, managed, manager, force) =>
      inner.apply(live, config, managed, identify(manager, 'Apply'), force),
  };
}
