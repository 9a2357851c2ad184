import type { StrategyTable } from '../../resources/rest.ts';
import { faultPlanHooks, faultPlanStrategy } from './fault-plans.ts';
import { testGroupName } from './group-name.ts';
import { LateControls } from './late-controls.ts';
import { reviews } from './reviews.ts';
import { KeptSnapshots, snapshotStrategy } from './snapshots.ts';

/** What the objects of testing.kubeloom.dev do. */
export function testStrategies() {
  const controls = new LateControls();
  const snapshots = new KeptSnapshots();
  const strategies: StrategyTable = {
    [`${testGroupName}/faultplans`]: faultPlanStrategy(controls),
    [`${testGroupName}/snapshots`]: snapshotStrategy(controls, snapshots),
  };
  return {
    controls,
    /** Those of a group of one's own. */
    hooks: { ...reviews(controls, snapshots), faultplans: faultPlanHooks },
    strategies,
  };
}
