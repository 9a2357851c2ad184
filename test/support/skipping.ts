import { describe, test } from '@jest/globals';

/**
 * `describe` for what not every machine has. Where `missing` tells why it is not here, one skipped test says so, and the
 * body does not run: it may open files at once.
 */
export function describeUnless(missing: string | undefined): (name: string, body: () => void) => void {
  return missing === undefined ? describe : (name) => test.skip(skipped(name, missing), () => {});
}

/** `test` for what not every machine, or not every subject, has. `timeoutMs` is Jest's own where it is left out. */
export function testUnless(
  missing: string | undefined,
): (name: string, body: () => void | Promise<void>, timeoutMs?: number) => void {
  return missing === undefined ? test : (name) => test.skip(skipped(name, missing), () => {});
}

/** skip-reporter.mjs reads the reason from here. */
const skipped = (name: string, reason: string): string => `${name} (skipped: ${reason})`;
