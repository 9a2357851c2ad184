import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeUnless, testUnless } from './skipping.ts';

const folder = process.env.SHARED ?? fileURLToPath(new URL('../../../shared', import.meta.url));
const missing = existsSync(folder) ? undefined : 'no ../shared beside the project';

/**
 * `describe` for what needs the golden files, schemas and corpus that may lie beside the project, or where $SHARED says
 * (nowhere, where it is empty). Only the body learns the path, and it does not run where there is no such folder.
 */
export function describeShared(name: string, body: (shared: string) => void): void {
  describeUnless(missing)(name, () => body(folder));
}

/** `test` for what needs the same folder. */
export function testShared(name: string, body: (shared: string) => void | Promise<void>, timeoutMs?: number): void {
  testUnless(missing)(name, () => body(folder), timeoutMs);
}
