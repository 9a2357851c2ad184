import { describe, expect, test } from '@jest/globals';
import { rounds } from './rounds.ts';

describe('rounds of a simulation', () => {
  /** Returns the seeds that ran, for a simulation that fails at 5. */
  async function run(environment: Record<string, string>): Promise<{ seeds: number[]; error?: string }> {
    Object.assign(process.env, { SEED: '', ROUNDS: '', ...environment });
    const seeds: number[] = [];
    const all = rounds(3, async (seed) => {
      seeds.push(seed);
      if (seed === 5) throw new Error('an event is missing');
    });
    try {
      await all();
      return { seeds };
    } catch (error) {
      return { seeds, error: (error as Error).message };
    }
  }

  const error = 'make test-sim SEED=5 repeats this: an event is missing';
  test.each<[Record<string, string>, { seeds: number[]; error?: string }]>([
    [{}, { seeds: [1, 2, 3] }],
    [{ ROUNDS: '2' }, { seeds: [1, 2] }],
    [{ ROUNDS: '9' }, { seeds: [1, 2, 3, 4, 5], error }],
    [{ SEED: '5' }, { seeds: [5], error }],
    [{ SEED: '7' }, { seeds: [7] }],
    [{ SEED: '7', ROUNDS: '2' }, { seeds: [7, 8] }],
  ])('%j: %j', async (environment, want) => {
    expect(await run(environment)).toEqual(want);
  });
});
