import type { StrictGroup } from '../../filters/strict-fields.ts';
import type { ApiGroup } from '../../machinery/api-group.ts';
import type { Clock } from '../../machinery/clock.ts';
import type { ServerOptions } from '../../options/server-options.ts';
import { testGroupName } from '../../options/test-group-name.ts';
import type { StrategyTable } from '../../resources/rest.ts';
import type { ObjectStore } from '../../storage/object-store/contract.ts';
import { openObjectStore } from '../../storage/object-store/object-store.ts';
import { OverriddenObjectStore } from '../../storage/object-store/overridden-store.ts';
import type { TestControls } from '../../testkit/group/test-controls.ts';

/** testing.kubeloom.dev, by which clients steer a server as tests in its process do. */
export interface TestGroup {
  readonly group: ApiGroup;
  /** What its objects do, besides the strategies of the group. */
  readonly strategies: StrategyTable;
  /** By which misspelt fields are refused. */
  readonly strict: StrictGroup;
  /** Puts its objects beside those of a store: what becomes of the store does not touch them. */
  withTestObjects(store: ObjectStore): ObjectStore;
  /** Lets clients use the controls. Until then, they get a 503. */
  serve(controls: TestControls): void;
  /** Closes the servers of ServerForks. */
  close(): Promise<void>;
}

/** Resolves to undefined unless the options ask for test controls. Loads nothing then. */
export async function openTestGroup({ testControls }: ServerOptions, clock: Clock): Promise<TestGroup | undefined> {
  if (!testControls) return undefined;
  const [{ testing }, { testStrategies }, { unknownFields }, { createMemoryEngine }] = await Promise.all([
    import('../../../generated/testing/index.ts'),
    import('../../testkit/group/strategies.ts'),
    import('../../testkit/group/unknown-fields.ts'),
    import('../../storage/memory/memory-engine.ts'),
  ]);
  const { controls, hooks, strategies, close } = testStrategies();
  const group = testing(hooks);
  const prefixes = group.catalog.groupVersions.flatMap(({ resources }) => resources.map((one) => one.resourcePrefix));
  return {
    group,
    strategies,
    close,
    strict: { name: testGroupName, refusal: unknownFields },
    withTestObjects(store) {
      const objects = openObjectStore({ clock, engine: createMemoryEngine(clock) });
      return new OverriddenObjectStore(store, new Map(prefixes.map((prefix) => [prefix, objects])));
    },
    serve: (given) => controls.set(given),
  };
}
