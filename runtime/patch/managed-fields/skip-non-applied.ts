import { plainError } from '../../machinery/errors/status.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { isValidationErrors } from '../typed/validation-errors.ts';
import type { Managed, Manager } from './manager.ts';
import { formatObject } from './structured-merge.ts';

const beforeFirstApply = 'before-first-apply';

/**
 * Keeps objects without managed fields as they are until the first apply. `before-first-apply` then owns all fields
 * that the object has. (apimachinery skipnonapplied.go; all new objects are tracked)
 *
 * @param empty returns an object without any fields
 */
export function newSkipNonAppliedManager(inner: Manager, empty: () => KubeObject): Manager {
  const managedBefore = (live: KubeObject, managed: Managed): Managed => {
    try {
      return inner.update(empty(), live, managed, beforeFirstApply).managed;
    } catch (error) {
      if (!isValidationErrors(error)) throw error;
      const what = `failed to convert new object (${formatObject(live)}) to smd typed`;
      throw plainError(`failed to create manager for existing fields: ${what}: ${error.message}`);
    }
  };
  return {
    update(live, next, managed, manager) {
      const untracked = managed.fields.size === 0 && Boolean(live.metadata?.uid);
      return untracked ? { object: next, managed } : inner.update(live, next, managed, manager);
    },
    apply(request) {
      const { live, managed } = request;
      if (managed.fields.size > 0) return inner.apply(request);
      return inner.apply({ ...request, managed: managedBefore(live, managed) });
    },
  };
}
