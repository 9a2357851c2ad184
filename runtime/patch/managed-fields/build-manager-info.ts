import { buildManagerIdentifier } from './managed-fields.ts';
import type { Manager } from './manager.ts';

/** Turns the name of a manager into its identifier. (apimachinery buildmanagerinfo.go) */
export function newBuildManagerInfoManager(inner: Manager, apiVersion: string, subresource: string): Manager {
  const identify = (manager: string, operation: string): string =>
    buildManagerIdentifier({ manager: manager === '' ? 'unknown' : manager, operation, apiVersion, subresource });
  return {
    update: (live, next, managed, manager) => inner.update(live, next, managed, identify(manager, 'Update')),
    apply: (request) => inner.apply({ ...request, manager: identify(request.manager, 'Apply') }),
  };
}
