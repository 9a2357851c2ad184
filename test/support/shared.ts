import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const beside = fileURLToPath(new URL('../../../shared', import.meta.url));

/** The folder of golden files, schemas and corpus beside the project; undefined where it is absent. */
export const sharedDir: string | undefined = existsSync(beside) ? beside : undefined;

/** `describe` for tests that need the shared folder: skipped, with the reason in its name, where it is absent. */
export function sharedReason(name: string): string {
  return sharedDir === undefined ? `${name} (skipped: no ../shared folder beside the project)` : name;
}
