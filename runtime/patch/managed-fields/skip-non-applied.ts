import type { KubeObject } from '../../machinery/object.ts';
import type { Manager } from './manager.ts';

const beforeApply = 'before-first-apply';

/**
 * Objects that were made without managed fields stay without, until somebody applies to them: then all they have
 * belongs to `before-first-apply`. `empty` makes an object with nothing in it. (apimachinery skipnonapplied.go, which
 * tracks from the creation on with probability 1)
 */
export function skipNonApplied(inner: Manager, empty: () => KubeObject): Manager {
  return {
    update(live, next, managed, manager) {
      const untracked = managed.fields.size === 0 && Boolean(live.metadata?.uid);
      return untracked ? { object: next, managed } : inner.update(live, next, managed, manager);
    },
    apply(live, config, managed, manager, force) {
      const before = managed.fields.size === 0 ? inner.update(empty(), live, managed, beforeApply).managed : managed;
      return inner.apply(live, config, before, manager, force);
    },
  };
}
