import type { ApiMiddleware } from '../../http/context.ts';
import { type Clock, systemClock } from '../../machinery/clock.ts';
import { atOnce, oneByOne, type StartOrder } from '../../machinery/event-loop/start-order.ts';
import { type KeySource, systemKeys } from '../../machinery/keys.ts';
import { type Random, systemRandom } from '../../machinery/random.ts';
import { OptionError, type ServerOptions } from '../../options/server-options.ts';

/** The clock and the sources of chance of a server. */
export interface TimeAndChance {
  readonly clock: Clock;
  readonly random: Random;
  readonly keys: KeySource;
  readonly startOrder: StartOrder;
  /** Decides when requests begin. Undefined for at once. */
  readonly requestOrder: ApiMiddleware | undefined;
}

/** @throws OptionError for an invalid seed */
export async function timeAndChance({ clock, seed }: ServerOptions): Promise<TimeAndChance> {
  if (seed !== undefined && !Number.isSafeInteger(seed)) throw new OptionError('--seed must be an integer');
  const wanted = clock ?? (seed === undefined ? systemClock : 'manual');
  const given = wanted === 'manual' ? await manualClock() : wanted;
  return { clock: given, ...(seed === undefined ? unseeded : await seeded(seed)) };
}

const unseeded = { random: systemRandom, keys: systemKeys, startOrder: atOnce, requestOrder: undefined };

async function manualClock(): Promise<Clock> {
  const { SettlingClock } = await import('../../testkit/clock/settling-clock.ts');
  return new SettlingClock();
}

async function seeded(seed: number): Promise<Omit<TimeAndChance, 'clock'>> {
  const [{ SeededRandom }, { SeededKeys }, { untilSettled }, { withSettledRequests }] = await Promise.all([
    import('../../testkit/random/seeded-random.ts'),
    import('../../testkit/random/seeded-keys.ts'),
    import('../../testkit/settling/settling.ts'),
    import('../../testkit/settling/settled-requests.ts'),
  ]);
  const random = new SeededRandom(seed);
  return {
    random,
    keys: new SeededKeys(random),
    startOrder: oneByOne(untilSettled),
    requestOrder: withSettledRequests(),
  };
}
