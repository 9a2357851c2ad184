import { missingShared, sharedFolder } from './shared-folder.ts';
import { describeUnless, testUnless } from './skipping.ts';

/** `describe` for tests that need that folder. Only the body gets its path, and it does not run without it. */
export function describeShared(name: string, body: (shared: string) => void): void {
  describeUnless(missingShared)(name, () => body(sharedFolder));
}

/** `test` that needs the same folder. */
export function testShared(name: string, body: (shared: string) => void | Promise<void>, timeoutMs?: number): void {
  testUnless(missingShared)(name, () => body(sharedFolder), timeoutMs);
}
