import type { RequestWaitGroup } from '../../http/request-wait-group.ts';
import type { Clock } from '../../machinery/clock.ts';
import { runNextTurn } from '../../machinery/event-loop/yield.ts';
import type { Logger } from '../../machinery/logger.ts';
import type { GracefulShutdown } from '../../serving/graceful-shutdown.ts';
import type { ObjectStore } from '../../storage/object-store/contract.ts';
import type { FaultInjection } from '../../testkit/faults/fault-injection.ts';
import type { Faults } from '../../testkit/faults/faults.ts';
import type { ServedNames } from '../../testkit/requests/served-names.ts';
import type { SecureServing } from '../secure-serving.ts';

/**
 * Milliseconds of real time for which a restart closes the port. With a manual clock, no client could advance it
 * through a closed port.
 */
const restartMs = 100;

export interface FaultInjectionOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly waitGroup: RequestWaitGroup;
  readonly shutdown: GracefulShutdown;
  readonly store: ObjectStore;
  readonly serving: SecureServing;
  readonly served: ServedNames;
}

/** Returns the faults of a server. The first plan loads their code and adds their filter. */
export function faultsOf(options: FaultInjectionOptions): Faults {
  let injection: Promise<FaultInjection> | undefined;
  return {
    async add(spec) {
      injection ??= openInjection(options);
      return (await injection).add(spec);
    },
  };
}

/**
 * Opens fault injection. Sockets are destroyed in another turn of the event loop. If Node's HTTP/1 parser loses its
 * socket while it hands over a request, it stays in the server's list, and the next `close` of the server fails.
 */
async function openInjection(options: FaultInjectionOptions): Promise<FaultInjection> {
  const { clock, logger, waitGroup, shutdown, store, serving, served } = options;
  const { FaultInjection } = await import('../../testkit/faults/fault-injection.ts');
  let isRestarting = false;
  const injection = new FaultInjection({
    clock,
    store,
    served,
    addFilter: (filter) => serving.addFilter(filter),
    destroyConnection: ({ req }) => void runNextTurn(() => serving.listener.destroyConnectionOf(req)),
    longRunning: () => waitGroup.longRunning(),
    restart() {
      if (isRestarting) return;
      isRestarting = true;
      runNextTurn(() => {
        serving.listener
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
