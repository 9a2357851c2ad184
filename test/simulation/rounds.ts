/**
 * Returns a test of `rounds` successive seeds. `ROUNDS=` sets their number, and `SEED=` the first; alone, it repeats
 * one seed. The error has the failing seed and the command to repeat it.
 *
 * @param engine the only failing engine
 */
export function rounds(rounds: number, run: (seed: number) => Promise<void>, engine?: string): () => Promise<void> {
  return async () => {
    const first = Number(process.env.SEED || 1);
    const count = roundsOf(rounds);
    for (let seed = first; seed < first + count; seed += 1) {
      try {
        await run(seed);
      } catch (error) {
        (error as Error).message =
          `make test-sim ${engine === undefined ? '' : `ENGINE=${engine} `}SEED=${seed} repeats this: ${(error as Error).message}`;
        throw error;
      }
    }
  };
}

/** How many seeds are run where a test has `rounds` of them. */
export function roundsOf(rounds: number): number {
  const { SEED, ROUNDS } = process.env;
  return Number(ROUNDS || (SEED ? 1 : rounds));
}
