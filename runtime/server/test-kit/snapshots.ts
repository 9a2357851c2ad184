import type { StoreStates } from '../../storage/object-store/contract.ts';
import { ServerSnapshots } from '../../testkit/snapshot/snapshots.ts';
import { UnavailableControlError } from '../../testkit/unavailable-control.ts';
import type { Assembly } from '../assembly/assembly.ts';
import { controllerManager } from '../parts/controllers.ts';
import { objectStore } from '../parts/storage.ts';

/** Returns the snapshots of a server. Called when the server is ready: `reset` restores that state. */
export function serverSnapshots(assembly: Assembly): ServerSnapshots {
  const store = assembly.get(objectStore);
  const busy = (): ReadonlySet<string> => new Set(assembly.get(controllerManager).busy());
  const states = (): StoreStates => {
    if (store.states !== undefined) return store.states;
    throw new UnavailableControlError('snapshots need --storage=memory without --encryption-provider-config');
  };
  return new ServerSnapshots({ states, busy, fresh: store.states?.state() });
}
