import { testGroupName } from '../../options/test-group-name.ts';
import type { RESTStrategies } from '../../resources/rest.ts';
import { faultPlanHooks, faultPlanStrategy } from './fault-plans.ts';
import { reviews } from './reviews.ts';
import { ForkTable, serverForkHooks, serverForkStrategy } from './server-forks.ts';
import { SnapshotTable, snapshotStrategy } from './snapshots.ts';
import type { CurrentControls } from './test-controls.ts';

/** Returns the behavior of the objects of testing.kubeloom.dev. */
export function testStrategies(controls: CurrentControls) {
  const snapshots = new SnapshotTable();
  const forks = new ForkTable();
  const strategies: RESTStrategies = {
    [`${testGroupName}/faultplans`]: faultPlanStrategy(controls),
    [`${testGroupName}/serverforks`]: serverForkStrategy(controls, snapshots, forks),
    [`${testGroupName}/snapshots`]: snapshotStrategy(controls, snapshots),
  };
  return {
    /** The hooks of an own API group. */
    hooks: { ...reviews(controls, snapshots), faultplans: faultPlanHooks, serverforks: serverForkHooks },
    strategies,
    close: () => forks.closeAll(),
  };
}
