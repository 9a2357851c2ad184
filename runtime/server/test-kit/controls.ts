import { requireOptions } from '../../machinery/options/check-options.ts';
import { isServerClock } from '../../machinery/server-clock.ts';
import { unmovedClock } from '../../testkit/clock/unmoved-clock.ts';
import type { TestControls } from '../../testkit/group/test-controls.ts';
import { restoreOptions } from '../../testkit/option-types.ts';
import { ServedNames } from '../../testkit/requests/served-names.ts';
import type { ServerSnapshots } from '../../testkit/snapshot/snapshots.ts';
import type { ApiServer } from '../api-server.ts';
import { registry, stores } from '../parts/resources.ts';
import { replay, requestLog } from '../parts/test-kit.ts';
import type { RunningServer } from '../running-server.ts';
import { assertions } from './assertions.ts';
import { faultsOf } from './fault-injection.ts';
import { serverSnapshots } from './snapshots.ts';

/** The controls and observations of a server for tests in its process. */
type ServerControls = Pick<
  RunningServer,
  'clock' | 'replay' | 'faults' | 'requests' | 'lastRequest' | 'eventually' | 'settled' | 'snapshot' | 'restore' | 'reset'
>;

export interface ServerTestKit {
  readonly controls: ServerControls;
  /** The served resources and groups, for the validation of fault matches. */
  readonly served: TestControls['served'];
  /** The initial states of forks. */
  readonly snapshots: ServerSnapshots;
}

/** Returns the test kit of an open server. `reset` will restore the current state. */
export function serverTestKit(opened: ApiServer): ServerTestKit {
  const { config, assembly, shutdown } = opened;
  const { clock } = config;
  const served = new ServedNames(assembly.get(registry));
  const snapshots = serverSnapshots(assembly);
  const asserted = { stores: assembly.get(stores), requestLog: assembly.find(requestLog), clock, shutdown };
  return {
    served,
    snapshots,
    controls: {
      clock: isServerClock(clock) ? clock : unmovedClock(clock),
      replay: assembly.find(replay),
      faults: faultsOf(opened, served),
      ...assertions(asserted),
      snapshot: () => snapshots.snapshot(),
      async restore(snapshot, options = {}) {
        requireOptions(restoreOptions, options);
        await snapshots.restore(snapshot, options);
      },
      async reset(options = {}) {
        requireOptions(restoreOptions, options);
        await snapshots.reset(options);
      },
    },
  };
}
