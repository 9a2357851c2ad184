import type { ServerClock } from '../../machinery/server-clock.ts';
import type { Assertions } from '../assertions.ts';
import type { Faults } from '../faults/faults.ts';
import type { ServedNames } from '../requests/served-names.ts';
import type { Snapshot, Snapshots } from '../snapshot/snapshots.ts';

/** The server of a ServerFork. */
export interface ForkedServer {
  readonly url: string;
  readonly kubeconfig: string;
  close(): Promise<void>;
}

/**
 * Returns the controls of the server that serves the group.
 *
 * @throws StatusError 503 before the server is ready
 */
export type CurrentControls = () => TestControls;

/** The controls and observations behind testing.kubeloom.dev, equal to those of a test in the server's process. */
export interface TestControls extends Pick<Assertions, 'requests' | 'settled'>, Snapshots {
  readonly clock: ServerClock;
  readonly faults: Faults;
  /** The served resources and groups, for the validation of matches. */
  readonly served: ServedNames;
  /** The newest revision of the store. */
  revision(): number;
  /** @throws UnavailableControlError if the store keeps no snapshots */
  fork(options: { readonly listen: true; readonly snapshot?: Snapshot }): Promise<ForkedServer>;
}
