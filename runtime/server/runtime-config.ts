import type { Catalog } from '../machinery/catalog.ts';
import { parseGoBool, parseGoBoolError } from '../machinery/go/bool.ts';
import { formatGroupVersion, type GroupVersion } from '../machinery/gvk.ts';
import { OptionError } from './options.ts';
import { restrictCatalog } from './restricted-catalog.ts';

/** What may be said of many versions at once, the more specific last. */
const stages: readonly (readonly [key: string, matches: RegExp])[] = [
  ['api/all', /^/],
  ['api/ga', /^v\d+$/],
  ['api/beta', /^v\d+beta\d+$/],
  ['api/alpha', /^v\d+alpha\d+$/],
];

/**
 * The catalogs without what `--runtime-config` turns off: `api/all=false`, then `api/ga`, `api/beta` and `api/alpha`, then
 * single versions as `apps/v1=false` or `v1=true`, then single resources as `apps/v1/deployments=false`. Everything is on
 * where nothing is said. (apiserver pkg/server/options/api_enablement.go, pkg/server/resourceconfig)
 *
 * @throws OptionError for unknown groups and versions
 */
export function applyRuntimeConfig(catalogs: readonly Catalog[], texts: readonly string[]): readonly Catalog[] {
  const config = parseConfig(texts);
  if (config.size === 0) return catalogs;
  const isServed = preferences(config, catalogs);
  return catalogs.map((catalog) => {
    const isWhole = catalog.groupVersions.every((each) =>
      each.resources.every(({ resource }) => isServed(each, resource)),
    );
    return isWhole ? catalog : restrictCatalog(catalog, isServed);
  });
}

/** `k=v` lists, several times over; later ones win. A key alone has the value "". */
function parseConfig(texts: readonly string[]): ReadonlyMap<string, string> {
  const pairs = texts.flatMap((text) => text.split(',')).filter((pair) => pair !== '');
  return new Map(
    pairs.map((pair) => {
      const equals = pair.indexOf('=');
      return equals < 0 ? [pair.trim(), ''] : [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
    }),
  );
}

interface Preference extends GroupVersion {
  readonly key: string;
  readonly value: string;
  /** Absent: all of the version. */
  readonly resource?: string;
}

/** Says of each resource whether it is served. */
function preferences(
  config: ReadonlyMap<string, string>,
  catalogs: readonly Catalog[],
): (groupVersion: GroupVersion, resource: string) => boolean {
  if (config.size === 1 && config.get('api/all') === 'false') refuse('invalid key with only api/all=false');
  const single = [...config].filter(([key]) => !stages.some(([stage]) => stage === key)).map(preference);
  const known = catalogs.flatMap(({ groupVersions }) => groupVersions);
  const strange = single.filter((one) => !known.some(({ group }) => group === one.group));
  if (strange.length > 0) refuse(`unknown api groups ${strange.map(({ group }) => group).join(',')}`);
  for (const [key] of stages) {
    const value = config.get(key) ?? 'true';
    if (value !== 'true' && value !== 'false') refuse(`invalid value ${key}=${value}`);
  }
  const explicit = new Map<string, boolean>();
  for (const { key, group, version, resource, value } of single) {
    const name = formatGroupVersion({ group, version });
    if (!known.some((each) => formatGroupVersion(each) === name)) {
      refuse(`group version ${name} that has not been registered`);
    }
    const isOn = value === '' || parseGoBool(value);
    if (isOn === undefined) refuse(`invalid value of ${key}: ${value}, err: ${parseGoBoolError(value)}`);
    if (resource !== undefined && resource !== resource.toLowerCase()) {
      refuse(`invalid key ${key}: group/version/resource and resource is always lowercase plural, not "${resource}"`);
    }
    explicit.set(resource === undefined ? name : `${name}/${resource}`, isOn);
  }
  const said = stages.filter(([key]) => config.has(key));
  const ofStage = ({ version }: GroupVersion): boolean => {
    const last = said.findLast(([, matches]) => matches.test(version));
    return last === undefined || config.get(last[0]) === 'true';
  };
  return (groupVersion, resource) => {
    const name = formatGroupVersion(groupVersion);
    return explicit.get(`${name}/${resource}`) ?? explicit.get(name) ?? ofStage(groupVersion);
  };
}

/** The core group may be written `/v1`, `v1` or `api/v1`. */
function preference([key, value]: readonly [key: string, value: string]): Preference {
  const [group, version, resource, ...more] = /^v\d+$/.test(key)
    ? ['', key]
    : key.replace(/^api\/(?=v\d)/, '/').split('/');
  if (version === undefined || more.length > 0) refuse(`runtime-config invalid key ${key}`);
  return { key, value, group, version, ...(resource === undefined ? {} : { resource }) };
}

function refuse(message: string): never {
  throw new OptionError(`--runtime-config: ${message}`);
}
