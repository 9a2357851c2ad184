import type { Catalog, GroupVersionCatalog } from '../machinery/catalog.ts';
import { formatGroupVersion } from '../machinery/gvk.ts';
import { OptionError, parsePairs } from './feature-gates.ts';

/**
 * The catalogs without what `--runtime-config` turns off: `api/all=false`, then `api/ga`, `api/beta` and `api/alpha`, then
 * single versions as `apps/v1=false` or `v1=true`; the more specific wins. Everything is on where nothing is said.
 *
 * @throws OptionError for unknown groups and versions
 */
export function applyRuntimeConfig(catalogs: readonly Catalog[], texts: readonly string[]): readonly Catalog[] {
  const config = parsePairs('runtime-config', texts, true);
  if (config.size === 0) return catalogs;
  const names = new Set(catalogs.flatMap((catalog) => catalog.groupVersions.map(formatGroupVersion)));
  for (const key of config.keys()) {
    if (/^api\/(all|ga|beta|alpha)$/.test(key) || names.has(versionKey(key))) continue;
    throw new OptionError(`--runtime-config: unknown api group version ${JSON.stringify(key)}`);
  }
  const single = new Map([...config].map(([key, value]) => [versionKey(key), value]));
  const isOn = (entry: GroupVersionCatalog): boolean =>
    single.get(formatGroupVersion(entry)) ??
    config.get(`api/${stageOf(entry.version)}`) ??
    config.get('api/all') ??
    true;
  return catalogs.map((catalog) => ({ ...catalog, groupVersions: catalog.groupVersions.filter(isOn) }));
}

/** The core group may be written `api/v1`. */
function versionKey(key: string): string {
  return /^api\/v\d/.test(key) ? key.slice('api/'.length) : key;
}

function stageOf(version: string): 'ga' | 'beta' | 'alpha' {
  return version.includes('alpha') ? 'alpha' : version.includes('beta') ? 'beta' : 'ga';
}
