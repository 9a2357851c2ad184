import { runNextTurn } from '../../machinery/event-loop/yield.ts';
import type { FaultInjection } from '../../testkit/faults/fault-injection.ts';
import type { Faults } from '../../testkit/faults/faults.ts';
import type { ServedNames } from '../../testkit/requests/served-names.ts';
import type { ApiServer } from '../api-server.ts';
import { serving } from '../parts/serving.ts';
import { objectStore } from '../parts/storage.ts';

/**
 * Milliseconds of real time for which a restart closes the port. With a manual clock, no client could advance it
 * through a closed port.
 */
const restartMs = 100;

/** Returns the faults of a server. The first plan loads their code and adds their filter. */
export function faultsOf(opened: ApiServer, served: ServedNames): Faults {
  let injection: Promise<FaultInjection> | undefined;
  return {
    async add(spec) {
      injection ??= openInjection(opened, served);
      return (await injection).add(spec);
    },
  };
}

/**
 * Opens fault injection. Sockets are destroyed in another turn of the event loop. If Node's HTTP/1 parser loses its
 * socket while it hands over a request, it stays in the server's list, and the next `close` of the server fails.
 */
async function openInjection(opened: ApiServer, served: ServedNames): Promise<FaultInjection> {
  const { config, assembly, shutdown, waitGroup } = opened;
  const { clock, logger } = config;
  const { listener, addFilter } = assembly.get(serving);
  const { FaultInjection } = await import('../../testkit/faults/fault-injection.ts');
  let isRestarting = false;
  const injection = new FaultInjection({
    clock,
    store: assembly.get(objectStore),
    served,
    addFilter,
    destroyConnection: ({ req }) => void runNextTurn(() => listener.destroyConnectionOf(req)),
    longRunning: () => waitGroup.longRunning(),
    restart() {
      if (isRestarting) return;
      isRestarting = true;
      runNextTurn(() => {
        listener
          .interrupt(restartMs)
          .catch((error) => logger.error({ err: error }, 'the port could not be opened again'))
          .finally(() => {
            isRestarting = false;
          });
      });
    },
  });
  shutdown.addPreShutdownHook(() => injection.close());
  return injection;
}
