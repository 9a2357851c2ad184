import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerOptions } from '../../runtime/index.ts';
import { featureSpecs } from '../../runtime/machinery/feature-gates/feature-gates.ts';
import type { FeatureName } from '../../runtime/machinery/feature-gates/known-gates.ts';
import { everyVersion } from './every-version.ts';
import { root } from './generated-project.ts';

/** The releases in schemas/, as `v1.35`, oldest first. */
export const releases: readonly string[] = readdirSync(join(root, 'schemas/kubernetes')).sort();

/** Generates the code of releases that is neither committed nor built, for servers that run from source. */
export async function generateReleases(): Promise<void> {
  const module: Builder = await import(new URL('../../codegen/build/releases.mjs', import.meta.url).href);
  await module.generateReleases();
}

interface Builder {
  generateReleases(): Promise<void>;
}

/** Returns the folder of a release's code. */
export function releaseFolder(release: string): string {
  const committed = join(root, 'generated', release);
  return existsSync(committed) ? committed : join(root, '.generated', release);
}

/** Returns the options of a server with all versions of all kinds of a release, `v1.32`. */
export function everyVersionOf(release: string): ServerOptions {
  const known = featureSpecs(Number(release.split('.')[1]));
  const { featureGates, runtimeConfig } = everyVersion;
  return { runtimeConfig, featureGates: featureGates.filter((gate) => known.has(gate.split('=')[0] as FeatureName)) };
}
