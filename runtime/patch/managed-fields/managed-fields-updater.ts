import type { Clock } from '../../machinery/clock.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import type { InnerManager, Manager } from './manager.ts';

/** A temporary manager during an update, which owns only the fields that this update changes. */
const currentOperation = 'current-operation';

/**
 * Sets the time of an update that changed a field, or of an apply that changed the object. Adds the changed fields of
 * an update to the fields that its manager owned before. (apimachinery managedfieldsupdater.go)
 */
export function newManagedFieldsUpdater(inner: InnerManager, clock: Clock): Manager {
  const now = (): string => timeText(clock.now());
  return {
    update(live, next, managed, manager) {
      const result = inner.update(live, next, managed, currentOperation);
      const { fields, times } = result.managed;
      const changed = fields.get(currentOperation);
      if (changed === undefined) return result;
      fields.delete(currentOperation);
      const previous = fields.get(manager);
      fields.set(manager, previous === undefined ? changed : { ...changed, set: previous.set.union(changed.set) });
      times.set(manager, now());
      return result;
    },
    apply(request) {
      const result = inner.apply(request);
      if (result.object === undefined) return { object: request.live, managed: result.managed };
      result.managed.times.set(request.manager, now());
      return result;
    },
  };
}
