import type { Clock } from '../../machinery/clock.ts';
import { requireOptions } from '../../machinery/options/check-options.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { GracefulShutdown } from '../../serving/graceful-shutdown.ts';
import type { Assertions } from '../../testkit/assertions.ts';
import type { ExpectationOptions, Predicate } from '../../testkit/expectation/expectation.ts';
import type { ObjectReference } from '../../testkit/expectation/object-reference.ts';
import { expectationOptions, objectReference, requestFilterOptions, settledOptions } from '../../testkit/option-types.ts';
import type { RequestLog } from '../../testkit/requests/request-log.ts';
import { ServedNames } from '../../testkit/requests/served-names.ts';
import { requireMatching } from '../../testkit/requests/validation.ts';

/** The server under assertions. */
interface AssertedServer {
  /** Undefined if requests are not recorded. */
  readonly requestLog: RequestLog | undefined;
  readonly stores: ResourceStores;
  readonly clock: Clock;
  readonly shutdown: GracefulShutdown;
}

export function assertions({ requestLog, stores, clock, shutdown }: AssertedServer): Assertions {
  const served = new ServedNames(stores.registry);
  const closing = new AbortController();
  const closed = closing.signal;
  shutdown.addPreShutdownHook(() => closing.abort());
  const recorded = (): RequestLog => {
    if (requestLog !== undefined) return requestLog;
    throw new Error('requests are recorded with the option testControls or requestLog');
  };
  const expect = async (reference: ObjectReference, predicate?: Predicate, options: ExpectationOptions = {}) => {
    if (!('metadata' in reference)) {
      requireOptions(objectReference(reference), reference);
    }
    requireOptions(expectationOptions, options);
    const revision = stores.revision();
    const { eventually } = await import('../../testkit/expectation/expectation.ts');
    return eventually({ stores, revision, closed }, reference, predicate, options);
  };
  return {
    requests(filter = {}) {
      requireOptions(requestFilterOptions, filter);
      requireMatching(filter, served);
      return recorded().records(filter);
    },
    lastRequest: () => recorded().sequence,
    eventually: expect as Assertions['eventually'],
    async settled(options = {}) {
      requireOptions(settledOptions, options);
      const { settled } = await import('../../testkit/settling/settled.ts');
      return settled({ stores, closed, requestLog: recorded(), hasManualClock: 'advance' in clock }, options);
    },
  };
}
