/**
 * A test of `rounds` seeds, one after another. `ROUNDS=` changes how many, and `SEED=` where they begin: alone it
 * repeats one seed. A seed that fails is named in the error, with how to run it again.
 */
export function rounds(rounds: number, run: (seed: number) => Promise<void>): () => Promise<void> {
  return async () => {
    const { SEED, ROUNDS } = process.env;
    const first = Number(SEED || 1);
    const count = Number(ROUNDS || (SEED ? 1 : rounds));
    for (let seed = first; seed < first + count; seed += 1) {
      try {
        await run(seed);
      } catch (error) {
        (error as Error).message = `make test-sim SEED=${seed} repeats this: ${(error as Error).message}`;
        throw error;
      }
    }
  };
}
