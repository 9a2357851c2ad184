import type { ObjectStore, StoreStates } from '../../storage/object-store/contract.ts';
import { ServerSnapshots } from '../../testkit/snapshot/snapshots.ts';
import { UnavailableControlError } from '../../testkit/unavailable-control.ts';

/** Called when the server is ready, which is the state that `reset` restores. */
export function serverSnapshots(store: ObjectStore, busy: () => ReadonlySet<string>): ServerSnapshots {
  const states = (): StoreStates => {
    if (store.states !== undefined) return store.states;
    throw new UnavailableControlError('snapshots need --storage=memory without --encryption-provider-config');
  };
  return new ServerSnapshots({ states, busy, fresh: store.states?.state() });
}
