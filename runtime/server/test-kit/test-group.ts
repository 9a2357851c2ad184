import type { StrictGroup } from '../../filters/strict-fields.ts';
import type { ApiGroup } from '../../machinery/api-group.ts';
import type { Clock } from '../../machinery/clock.ts';
import { serviceUnavailable } from '../../machinery/errors/status.ts';
import type { ServerOptions } from '../../options/server-options.ts';
import { testGroupName } from '../../options/test-group-name.ts';
import type { RESTStrategies } from '../../resources/rest.ts';
import type { ObjectStore } from '../../storage/object-store/contract.ts';
import { openObjectStore } from '../../storage/object-store/object-store.ts';
import { OverriddenObjectStore } from '../../storage/object-store/overridden-store.ts';
import type { TestControls } from '../../testkit/group/test-controls.ts';

/** The group testing.kubeloom.dev, with which clients control a server like tests in its process. */
export interface TestGroup {
  readonly group: ApiGroup;
  /** The strategies of the group's objects, besides those in the group itself. */
  readonly strategies: RESTStrategies;
  /** The schemas that reject misspelt fields. */
  readonly strict: StrictGroup;
  /** Adds the group's objects to a store. Snapshots and restarts of the store do not affect them. */
  withTestObjects(store: ObjectStore): ObjectStore;
  /** Gives clients the controls. Earlier requests get a 503. */
  serve(controls: TestControls): void;
  /** Closes the servers of ServerForks. */
  close(): Promise<void>;
}

/** Opens the group. Resolves to undefined, and loads nothing, unless the options enable test controls. */
export async function openTestGroup({ testControls }: ServerOptions, clock: Clock): Promise<TestGroup | undefined> {
  if (!testControls) return undefined;
  const [{ testing }, { testStrategies }, { unknownFields }, { createMemoryEngine }] = await Promise.all([
    import('../../../generated/testing/index.ts'),
    import('../../testkit/group/strategies.ts'),
    import('../../testkit/group/unknown-fields.ts'),
    import('../../storage/memory/memory-engine.ts'),
  ]);
  let served: TestControls | undefined;
  const { hooks, strategies, close } = testStrategies(() => {
    if (served === undefined) throw serviceUnavailable('the server is not ready');
    return served;
  });
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
    serve(controls) {
      served = controls;
    },
  };
}
