import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeUnless, testUnless } from './skipping.ts';

const folder = process.env.SHARED ?? fileURLToPath(new URL('../../../shared', import.meta.url));
const missing = existsSync(folder) ? undefined : 'no ../shared beside the project';

/**
 * `describe` for tests that need the golden files, schemas and corpus that may lie beside the project, or at $SHARED
 * (nowhere, if it is empty). Only the body gets the path, and it does not run without that folder.
 */
export function describeShared(name: string, body: (shared: string) => void): void {
  describeUnless(missing)(name, () => body(folder));
}

/** `test` that needs the same folder. */
export function testShared(name: string, body: (shared: string) => void | Promise<void>, timeoutMs?: number): void {
  testUnless(missing)(name, () => body(folder), timeoutMs);
}
