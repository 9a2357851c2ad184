import type { Clock } from '../../machinery/clock.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import type { Manager } from './manager.ts';
import type { Merging } from './structured-merge.ts';

/** Stands for the writer while an update is worked out: only what this update changed becomes its own. */
const currentOperation = 'current-operation';

/**
 * Keeps the times: that of an update moves when it took any field, that of an apply when the object changed. What an
 * update changed is added to what its manager had. (apimachinery managedfieldsupdater.go)
 */
export function updateTimes(inner: Merging, clock: Clock): Manager {
  const now = (): string => timeText(clock.now());
  return {
    update(live, next, managed, manager) {
      const result = inner.update(live, next, managed, currentOperation);
      const { fields, times } = result.managed;
      const taken = fields.get(currentOperation);
      if (taken === undefined) return result;
      fields.delete(currentOperation);
      const before = fields.get(manager);
      fields.set(manager, before === undefined ? taken : { ...taken, set: taken.set.union(before.set) });
      times.set(manager, now());
      return result;
    },
    apply(live, config, managed, manager, force) {
      const result = inner.apply(live, config, managed, manager, force);
      if (!('object' in result)) return { object: live, managed: result.managed };
      result.managed.times.set(manager, now());
      return result;
    },
  };
}
