import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerOptions } from '../../runtime/index.ts';
import { featureSpecs } from '../../runtime/machinery/feature-gates/feature-gates.ts';
import type { FeatureName } from '../../runtime/machinery/feature-gates/known-gates.ts';
import { everyVersion } from './every-version.ts';
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

/** The options with which a server of a release, as `v1.32`, serves all versions of all kinds. */
export function everyVersionOf(release: string): ServerOptions {
  const known = featureSpecs(Number(release.split('.')[1]));
  const { featureGates, runtimeConfig } = everyVersion;
  return { runtimeConfig, featureGates: featureGates.filter((gate) => known.has(gate.split('=')[0] as FeatureName)) };
}
