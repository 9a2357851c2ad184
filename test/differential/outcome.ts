import { causes, type Difference, sortByCause } from './causes.ts';

/** The result of a comparison. */
export interface Outcome {
  readonly operations: number;
  readonly rounds: number;
  readonly differences: readonly Difference[];
  /** Errors of rounds that did not run. */
  readonly errors: readonly string[];
}

export function joined(outcomes: readonly Outcome[]): Outcome {
  return {
    operations: outcomes.reduce((sum, { operations }) => sum + operations, 0),
    rounds: outcomes.reduce((sum, { rounds }) => sum + rounds, 0),
    differences: outcomes.flatMap(({ differences }) => differences),
    errors: outcomes.flatMap(({ errors }) => errors),
  };
}

/** The maximum number of printed differences without a cause. */
const maxPrinted = 100;

/** Prints the differences by cause. Returns the exit status: 0 if each has a cause and all rounds ran. */
export function report({ differences, rounds, operations, errors }: Outcome): number {
  const sorted = sortByCause(differences);
  console.log(`\n${rounds} rounds, ${operations} operations, ${differences.length} differences:`);
  for (const { name } of causes) console.log(`  ${String(sorted.get(name)?.length ?? 0).padStart(5)}  ${name}`);
  const unlisted = sorted.get(undefined) ?? [];
  console.log(`  ${String(unlisted.length).padStart(5)}  not listed in docs/differences.md`);
  for (const { seed, step, op, request, kind, path, a, b } of unlisted.slice(0, maxPrinted)) {
    console.log(`\n${kind} seed=${seed} step=${step} ${op} ${request}\n  ${path}\n  reference: ${a}\n  here:      ${b}`);
  }
  return unlisted.length === 0 && errors.length === 0 ? 0 : 1;
}
