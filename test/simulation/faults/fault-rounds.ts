import { afterAll } from '@jest/globals';
import { rounds, roundsOf } from '../rounds.ts';
import { FaultRound } from './fault-round.ts';
import { World, type WorldOptions } from './world.ts';

/**
 * Returns a test of `count` rounds of faults in one world. The seed determines the faults and the requests, but not
 * their timing: processes and the network are not deterministic, so a seed may need several runs.
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
