import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './generated-project.ts';

/** The releases that schemas/ has, as `v1.35`, oldest first. */
export const releases: readonly string[] = readdirSync(join(root, 'schemas/kubernetes')).sort();

/** Generates those whose code is not committed, unless the build has. Servers that run from source find them then. */
export async function generateReleases(): Promise<void> {
  const module: Builder = await import(new URL('../../codegen/build/releases.mjs', import.meta.url).href);
  await module.generateReleases();
}

interface Builder {
  generateReleases(): Promise<void>;
}

/** The folder of a release's code. */
export function releaseFolder(release: string): string {
  const committed = join(root, 'generated', release);
  return existsSync(committed) ? committed : join(root, '.generated', release);
}
