import type { ObjectStore, StoreStates } from '../../storage/object-store/contract.ts';
import { ServerSnapshots } from '../../testkit/snapshot/snapshots.ts';
import { UnavailableControlError } from '../../testkit/unavailable-control.ts';

/** Returns the snapshots of a server. Called when the server is ready: `reset` restores that state. */
export function serverSnapshots(store: ObjectStore, busy: () => ReadonlySet<string>): ServerSnapshots {
  const states = (): StoreStates => {
    if (store.states !== undefined) return store.states;
    throw new UnavailableControlError('snapshots need --storage=memory without --encryption-provider-config');
  };
  return new ServerSnapshots({ states, busy, fresh: store.states?.state() });
}
