/** Specs of Ginkgo, or tests of Go. */
export interface SpecCounts {
  readonly passed: number;
  readonly ran: number;
}

/**
 * Counts the specs in the output of `go test -v`. A package with Ginkgo has specs: `Ran 28 of 28 Specs`. In any other, each test
 * and each subtest counts that is not skipped: `--- PASS: TestX/a`.
 */
export function specCounts(output: string): SpecCounts {
  const suites = [...output.matchAll(/^Ran (\d+) of \d+ Specs[\s\S]*?(\d+) Passed/gm)];
  const ran = sum(suites, 1);
  if (ran > 0) return { ran, passed: sum(suites, 2) };
  const results = [...output.matchAll(/^ *--- (PASS|FAIL): /gm)].map(([, result]) => result);
  return { ran: results.length, passed: results.filter((result) => result === 'PASS').length };
}

function sum(matches: readonly RegExpExecArray[], group: number): number {
  return matches.reduce((total, match) => total + Number(match[group]), 0);
}
