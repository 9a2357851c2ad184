import type { ServerClock } from '../../machinery/server-clock.ts';
import type { Assertions } from '../assertions.ts';
import type { Faults } from '../faults/faults.ts';
import type { ServedNames } from '../requests/served-names.ts';
import type { Snapshot, Snapshots } from '../snapshot/snapshots.ts';

/** A server that a ServerFork stands for. */
export interface ForkedServer {
  readonly url: string;
  readonly kubeconfig: string;
  close(): Promise<void>;
}

/** What the objects of testing.kubeloom.dev steer and see of their server, which is what a test in its process does. */
export interface TestControls extends Pick<Assertions, 'requests' | 'settled'>, Snapshots {
  readonly clock: ServerClock;
  readonly faults: Faults;
  /** By which matches are checked. */
  readonly served: ServedNames;
  /** The newest revision of the store. */
  revision(): number;
  /** @throws UnavailableControlError if the store keeps no snapshots */
  fork(options: { readonly listen: true; readonly snapshot?: Snapshot }): Promise<ForkedServer>;
}
