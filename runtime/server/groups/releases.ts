import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Catalog } from '../../machinery/catalog.ts';
import { importModule } from '../../machinery/compiled/import-module.ts';
import { defaultRelease, minorOf } from '../../machinery/release.ts';
import { isSource, packageFolder } from '../../machinery/version.ts';
import { OptionError } from '../../options/server-options.ts';

/**
 * Returns the release of `1.33` or `v1.33`.
 *
 * @throws OptionError if this server does not have it
 */
export function parseRelease(text: string): string {
  const release = `v${text.replace(/^v/, '')}`;
  const known = releases();
  if (known.includes(release)) return release;
  const names = known.map((name) => name.slice(1)).join(', ');
  throw new OptionError(`--kubernetes-version: ${JSON.stringify(text)} is not one of ${names}`);
}

/** Returns the releases that can be served, oldest first. */
export function releases(): readonly string[] {
  const found = new Set([defaultRelease, ...folders().flatMap(releasesIn)]);
  return [...found].sort((one, other) => minorOf(one) - minorOf(other));
}

export async function releaseCatalog(release: string): Promise<Catalog> {
  if (release === defaultRelease) return (await import('../../../generated/v1.35/catalog.ts')).catalog;
  const folder = folders().find((parent) => releasesIn(parent).includes(release)) ?? '';
  const module = await importModule(pathToFileURL(join(folder, release, entry)).href);
  return (module as { readonly catalog: Catalog }).catalog;
}

/** The module of a release. */
const entry = isSource ? 'catalog.ts' : 'catalog.js';

/** Returns the folders of releases. In source, one is committed, and the build generates the others. */
function folders(): readonly string[] {
  const names = isSource ? ['generated', '.generated'] : [join('dist', 'generated')];
  return names.map((name) => join(packageFolder(), name)).filter(existsSync);
}

const releasesIn = (folder: string): string[] =>
  readdirSync(folder).filter((name) => /^v1\.\d+$/.test(name) && existsSync(join(folder, name, entry)));
