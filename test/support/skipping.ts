import { describe, test } from '@jest/globals';

/**
 * `describe` with a requirement that some machines lack. With a reason in `missing`, one skipped test reports it and
 * the body does not run, so the body may open files at once.
 */
export function describeUnless(missing: string | undefined): (name: string, body: () => void) => void {
  return missing === undefined ? describe : (name) => test.skip(skipped(name, missing), () => {});
}

/** `test` with a requirement that some machines or subjects lack. `timeoutMs` defaults to Jest's own. */
export function testUnless(missing: string | undefined): (name: string, body: () => void | Promise<void>, timeoutMs?: number) => void {
  return missing === undefined ? test : (name) => test.skip(skipped(name, missing), () => {});
}

/** skip-reporter.mjs reads the reason from this text. */
const skipped = (name: string, reason: string): string => `${name} (skipped: ${reason})`;
