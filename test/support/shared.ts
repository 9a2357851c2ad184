import { missingShared, sharedFolder } from './shared-folder.ts';
import { describeUnless, testUnless } from './skipping.ts';

/** `describe` for tests with the shared folder. The body receives its path, and does not run without it. */
export function describeShared(name: string, body: (shared: string) => void): void {
  describeUnless(missingShared)(name, () => body(sharedFolder));
}

/** `test` with the shared folder. */
export function testShared(name: string, body: (shared: string) => void | Promise<void>, timeoutMs?: number): void {
  testUnless(missingShared)(name, () => body(sharedFolder), timeoutMs);
}
