/**
 * A test of `rounds` seeds, one after another. `ROUNDS=` sets how many, and `SEED=` the first: alone it repeats one
 * seed. A failing seed is named in the error, with the command that repeats it.
 * @param engine the only one on which it failed
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
