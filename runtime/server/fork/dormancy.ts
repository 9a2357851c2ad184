import type { Dormancy } from '../../reconcile/dormancy/dormancy.ts';
import { WriteAlarm } from '../../reconcile/dormancy/write-alarm.ts';
import type { ResourceStores } from '../../resources/stores.ts';

/**
 * Returns the sleeping controllers of a fork, which had no work left in the origin.
 *
 * @param busy the controllers that had work left
 */
export async function forkDormancy(stores: ResourceStores, busy: ReadonlySet<string>): Promise<Dormancy> {
  const { periodicWork, wakeRules } = await import('../../controllers/wake-rules.ts');
  const rules = new Map(Object.entries(wakeRules).filter(([name]) => !busy.has(name)));
  for (const [name, resourcePrefix] of Object.entries(periodicWork)) {
    if (await stores.hasObjects({ resourcePrefix })) rules.delete(name);
  }
  return { alarm: new WriteAlarm(stores), rules };
}
