import type { ObjectStore, StoreStates } from '../storage/object-store/contract.ts';
import { ServerSnapshots } from '../testkit/snapshot/snapshots.ts';
import { OptionError } from './options.ts';

/** Called when the server is ready, which is the state that `reset` restores. */
export function serverSnapshots(store: ObjectStore): ServerSnapshots {
  const states = (): StoreStates => {
    if (store.states !== undefined) return store.states;
    throw new OptionError('snapshots need --storage=memory without --encryption-provider-config');
  };
  return new ServerSnapshots(states, store.states?.state());
}
