import type { Catalog } from '../../machinery/catalog.ts';
import type { FeatureGates, FeatureName } from '../../machinery/feature-gates/feature-gates.ts';
import { parseGoBool, parseGoBoolError } from '../../machinery/go/bool.ts';
import { formatGroupVersion, type GroupVersion } from '../../machinery/gvk.ts';
import { defined } from '../../machinery/json/defined.ts';
import { OptionError } from '../../options/server-options.ts';
import { restrictCatalog } from './restricted-catalog.ts';

const stable = /^v\d+$/;

/** Reports whether a group may be one of Kubernetes' own: `apps`, but not `example.com`. */
const isKubernetesGroup = (group: string): boolean => !group.includes('.') || group.endsWith('.k8s.io');

/** Keys for many versions, the more specific last. */
const stages: readonly (readonly [key: string, matches: RegExp])[] = [
  ['api/all', /^/],
  ['api/ga', stable],
  ['api/beta', /^v\d+beta\d+$/],
  ['api/alpha', /^v\d+alpha\d+$/],
];

/** Kubernetes resources that are served only with a feature gate. (pkg/registry/<group>/rest) */
const gatedResources: Readonly<Record<string, FeatureName>> = {
  'certificates.k8s.io/clustertrustbundles': 'ClusterTrustBundle',
  'certificates.k8s.io/podcertificaterequests': 'PodCertificateRequest',
  'scheduling.k8s.io/workloads': 'GenericWorkload',
  'storagemigration.k8s.io/storageversionmigrations': 'StorageVersionMigrator',
};

/**
 * Removes disabled resources from the catalogs. In order of precedence, `--runtime-config` enables and disables
 * resources such as `apps/v1/deployments=false`; versions such as `apps/v1=false` or `v1=true`; `api/alpha`, `api/beta`
 * and `api/ga`; `api/all`. By default, alpha and beta versions of Kubernetes' own groups are disabled, and all versions
 * of other groups are enabled. Feature gates apply in addition. (pkg/server/options/api_enablement.go,
 * pkg/server/resourceconfig, DefaultAPIResourceConfigSource)
 *
 * @param catalogs Kubernetes' own first
 * @throws OptionError for unknown groups and versions, and for invalid values
 */
export function applyRuntimeConfig(
  catalogs: readonly Catalog[],
  texts: readonly string[],
  gates: Partial<FeatureGates>,
): readonly Catalog[] {
  const isConfigured = resourceFilter(parseConfig(texts), catalogs);
  const [own] = catalogs;
  return catalogs.map((catalog) => {
    const isEnabled = (groupVersion: GroupVersion, resource: string): boolean => {
      const isOwn = catalog === own && isKubernetesGroup(groupVersion.group);
      const gate = isOwn ? gatedResources[`${groupVersion.group}/${resource}`] : undefined;
      return isConfigured(groupVersion, resource, isOwn) && (gate === undefined || gates[gate] === true);
    };
    const isComplete = catalog.groupVersions.every((each) => each.resources.every(({ resource }) => isEnabled(each, resource)));
    return isComplete ? catalog : restrictCatalog(catalog, isEnabled);
  });
}

/** Parses lists of `key=value` pairs. Later pairs override earlier ones. The value of a key alone is "". */
function parseConfig(texts: readonly string[]): ReadonlyMap<string, string> {
  const pairs = texts.flatMap((text) => text.split(',')).filter((pair) => pair !== '');
  return new Map(
    pairs.map((pair) => {
      const equals = pair.indexOf('=');
      return equals < 0 ? [pair.trim(), ''] : [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
    }),
  );
}

interface Setting extends GroupVersion {
  readonly key: string;
  readonly value: string;
  /** Absent for a whole version. */
  readonly resource?: string;
}

/** Returns a function that reports whether a resource is enabled. */
function resourceFilter(
  config: ReadonlyMap<string, string>,
  catalogs: readonly Catalog[],
): (groupVersion: GroupVersion, resource: string, isOwn: boolean) => boolean {
  if (config.size === 1 && config.get('api/all') === 'false') reject('invalid key with only api/all=false');
  const single = [...config].filter(([key]) => !stages.some(([stage]) => stage === key)).map(parseSetting);
  const known = catalogs.flatMap(({ groupVersions }) => groupVersions);
  const unknown = single.filter((one) => !known.some(({ group }) => group === one.group));
  if (unknown.length > 0) reject(`unknown api groups ${unknown.map(({ group }) => group).join(',')}`);
  for (const [key] of stages) {
    const value = config.get(key) ?? 'true';
    if (value !== 'true' && value !== 'false') reject(`invalid value ${key}=${value}`);
  }
  const explicit = new Map<string, boolean>();
  for (const { key, group, version, resource, value } of single) {
    const name = formatGroupVersion({ group, version });
    if (!known.some((each) => formatGroupVersion(each) === name)) {
      reject(`group version ${name} that has not been registered`);
    }
    const isOn = value === '' || parseGoBool(value);
    if (isOn === undefined) reject(`invalid value of ${key}: ${value}, err: ${parseGoBoolError(value)}`);
    if (resource !== undefined && resource !== resource.toLowerCase()) {
      reject(`invalid key ${key}: group/version/resource and resource is always lowercase plural, not "${resource}"`);
    }
    explicit.set(resource === undefined ? name : `${name}/${resource}`, isOn);
  }
  const given = stages.filter(([key]) => config.has(key));
  const isStageEnabled = ({ version }: GroupVersion, isOwn: boolean): boolean => {
    const last = given.findLast(([, matches]) => matches.test(version));
    return last === undefined ? !isOwn || stable.test(version) : config.get(last[0]) === 'true';
  };
  return (groupVersion, resource, isOwn) => {
    const name = formatGroupVersion(groupVersion);
    return explicit.get(`${name}/${resource}`) ?? explicit.get(name) ?? isStageEnabled(groupVersion, isOwn);
  };
}

/** Parses a version or resource. The core group's version can be `/v1`, `v1` or `api/v1`. */
function parseSetting([key, value]: readonly [key: string, value: string]): Setting {
  const [group = '', version, resource, ...more] = /^v\d+$/.test(key) ? ['', key] : key.replace(/^api\/(?=v\d)/, '/').split('/');
  if (version === undefined || more.length > 0) reject(`runtime-config invalid key ${key}`);
  return { key, value, group, version, ...defined({ resource }) };
}

function reject(message: string): never {
  throw new OptionError(`--runtime-config: ${message}`);
}
