import type { KubeObject } from '../../machinery/object.ts';
import type { Manager } from './manager.ts';

const beforeFirstApply = 'before-first-apply';

/**
 * Leaves objects that were created without managed fields without them until the first apply. All fields that the object
 * has by then are owned by `before-first-apply`. (apimachinery skipnonapplied.go; all new objects are tracked)
 *
 * @param empty returns an object without any fields
 */
export function newSkipNonAppliedManager(inner: Manager, empty: () => KubeObject): Manager {
  return {
    update(live, next, managed, manager) {
      const untracked = managed.fields.size === 0 && Boolean(live.metadata?.uid);
      return untracked ? { object: next, managed } : inner.update(live, next, managed, manager);
    },
    apply(request) {
      const { live, managed } = request;
      if (managed.fields.size > 0) return inner.apply(request);
      return inner.apply({ ...request, managed: inner.update(empty(), live, managed, beforeFirstApply).managed });
    },
  };
}
