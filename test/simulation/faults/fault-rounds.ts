import { afterAll } from '@jest/globals';
import { rounds, roundsOf } from '../rounds.ts';
import { FaultRound } from './fault-round.ts';
import { World, type WorldOptions } from './world.ts';

/**
 * A test of `count` rounds of faults, one after another in one world. The seed decides what fails and what clients ask for,
 * but not when: processes and the network have their own pace, so that a seed may have to be repeated.
 */
export function faultRounds(
  count: number,
  options: WorldOptions,
  Round: new (seed: number, world: World) => { run(): Promise<void> } = FaultRound,
): () => Promise<void> {
  let world: World | undefined;
  afterAll(() => world?.close());
  return rounds(
    count,
    async (seed) => {
      world ??= await World.open(options);
      await new Round(seed, world).run();
    },
    options.engine,
  );
}

/** Milliseconds after which a test of `count` rounds hangs: a round takes seconds, on a busy machine tens of seconds. */
export const timeoutOf = (count: number): number => 120_000 * roundsOf(count);
