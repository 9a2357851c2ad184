import { type Clock, systemClock } from '../machinery/clock.ts';
import { type Random, systemRandom } from '../machinery/random.ts';
import { OptionError, type ServerOptions } from './options.ts';

/**
 * The clock and the randomness of a server.
 *
 * @throws OptionError for an invalid seed
 */
export async function timeAndChance({ clock, seed }: ServerOptions): Promise<{ clock: Clock; random: Random }> {
  if (seed !== undefined && !Number.isSafeInteger(seed)) throw new OptionError('--seed must be an integer');
  const wanted = clock ?? (seed === undefined ? systemClock : 'manual');
  return {
    clock: wanted === 'manual' ? await manualClock() : wanted,
    random: seed === undefined ? systemRandom : await seededRandom(seed),
  };
}

async function manualClock(): Promise<Clock> {
  const { SettlingClock } = await import('../testkit/clock/settling-clock.ts');
  return new SettlingClock();
}

async function seededRandom(seed: number): Promise<Random> {
  const { SeededRandom } = await import('../testkit/random/seeded-random.ts');
  return new SeededRandom(seed);
}
