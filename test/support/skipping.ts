import { describe, test } from '@jest/globals';

/**
 * `describe` that needs something that not every machine has. If `missing` is a reason, one skipped test reports it, and
 * the body does not run, so it may open files at once.
 */
export function describeUnless(missing: string | undefined): (name: string, body: () => void) => void {
  return missing === undefined ? describe : (name) => test.skip(skipped(name, missing), () => {});
}

/**
 * `test` that needs something that not every machine, or not every subject, has. `timeoutMs` defaults to Jest's own.
 */
export function testUnless(missing: string | undefined): (name: string, body: () => void | Promise<void>, timeoutMs?: number) => void {
  return missing === undefined ? test : (name) => test.skip(skipped(name, missing), () => {});
}

/** skip-reporter.mjs reads the reason from here. */
const skipped = (name: string, reason: string): string => `${name} (skipped: ${reason})`;
