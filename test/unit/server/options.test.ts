import { describe, expect, test } from '@jest/globals';
import type { Catalog, GroupVersionCatalog } from '../../../runtime/machinery/catalog.ts';
import { featureSpecs, ineffectiveGates, parseFeatureGates } from '../../../runtime/machinery/feature-gates/feature-gates.ts';
import type { FeatureName } from '../../../runtime/machinery/feature-gates/known-gates.ts';
import { applyRuntimeConfig } from '../../../runtime/server/groups/runtime-config.ts';
import { parseEtcdServersOverrides } from '../../../runtime/server/storage/etcd-overrides.ts';

describe('--feature-gates', () => {
  test.each([
    [[], true],
    [['APIResponseCompression=false'], false],
    [['AllBeta=false'], false],
    [['AllBeta=false,APIResponseCompression=true'], true],
    [['APIResponseCompression=false', 'APIResponseCompression=T'], true],
    [['kube:APIResponseCompression=false,,kube: AllAlpha = 1'], false],
  ])('%j', (texts, want) => expect(parseFeatureGates(texts).APIResponseCompression).toBe(want));

  test.each([
    ['Foo=true', 'unrecognized feature gate: Foo'],
    ['constructor=true', 'unrecognized feature gate: constructor'],
    ['AllBeta', 'missing bool value for AllBeta'],
    ['AllBeta=maybe', 'invalid value of AllBeta=maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax'],
    ['AllBeta=', 'invalid value of AllBeta=, err: strconv.ParseBool: parsing "": invalid syntax'],
    ['Foo=true,AllBeta', 'missing bool value for AllBeta'],
    ['wardle:AllBeta=true', 'component not registered: wardle'],
    ['kube:AllBeta=true,AllAlpha=true', 'set kube feature gates with default empty prefix or kube: prefix consistently, do not mix use'],
  ])('%s is rejected', (text, message) => expect(() => parseFeatureGates([text])).toThrow(new Error(`--feature-gates: ${message}`)));
});

describe('the feature gates of a minor', () => {
  test.each<[minor: number, gate: FeatureName, known: boolean, isOn: boolean]>([
    [34, 'MaxUnavailableStatefulSet', true, false],
    [35, 'MaxUnavailableStatefulSet', true, true],
    [36, 'MaxUnavailableStatefulSet', true, false],
    [32, 'WatchList', true, true],
    [33, 'WatchList', true, false],
    [33, 'PodCertificateRequest', false, false],
    [34, 'PodCertificateRequest', true, false],
    // the feature of a removed gate stays enabled
    [35, 'MemoryManager', true, true],
    [36, 'MemoryManager', false, true],
  ])('v1.%d: %s is known: %s, and on: %s', (minor, gate, known, isOn) => {
    expect([featureSpecs(minor).has(gate), parseFeatureGates([], minor)[gate]]).toEqual([known, isOn]);
  });

  test('are not changed if they are locked', () => {
    expect(() => parseFeatureGates(['DynamicResourceAllocation=false'], 35)).toThrow(
      '--feature-gates: cannot set feature gate DynamicResourceAllocation to false, feature is locked to true',
    );
    expect(parseFeatureGates(['DynamicResourceAllocation=false'], 34).DynamicResourceAllocation).toBe(false);
  });

  test.each([
    [['ClusterTrustBundle=true', 'AllAlpha=false'], []],
    [['GangScheduling=true'], ['GangScheduling']],
  ])('%j change nothing here: %j', (texts, want) => {
    expect(ineffectiveGates(parseFeatureGates(texts, 35), 35)).toEqual(want);
  });
});

describe('--runtime-config', () => {
  const version = (group: string, name: string): GroupVersionCatalog =>
    ({
      group,
      version: name,
      resources: [{ resource: 'things' }, { resource: 'others' }],
      load: async () => [{ resource: 'things' }, { resource: 'others' }],
    }) as unknown as GroupVersionCatalog;
  const catalog = {
    release: 'v1.35',
    groupVersions: [version('', 'v1'), version('apps', 'v1'), version('x.k8s.io', 'v1beta1'), version('x.k8s.io', 'v2alpha1')],
    loadMeta: async () => ({}),
  } as Catalog;
  const left = (...texts: string[]) =>
    applyRuntimeConfig([catalog], texts, {})[0].groupVersions.map(({ group, version: name }) => `${group}/${name}`);

  test.each([
    [[], ['/v1', 'apps/v1']],
    [['api/all=true'], ['/v1', 'apps/v1', 'x.k8s.io/v1beta1', 'x.k8s.io/v2alpha1']],
    [['api/beta=true'], ['/v1', 'apps/v1', 'x.k8s.io/v1beta1']],
    [['apps/v1=false'], ['/v1']],
    [['x.k8s.io/v1beta1/others=true'], ['/v1', 'apps/v1', 'x.k8s.io/v1beta1']],
    [['api/alpha=false,api/beta=false'], ['/v1', 'apps/v1']],
    [['api/all=false,v1=true'], ['/v1']],
    [['api/all=false', 'api/v1'], ['/v1']],
    [['api/all=false', '/v1='], ['/v1']],
    [
      ['api/all=false', 'api/all=true,apps/v1=0'],
      ['/v1', 'x.k8s.io/v1beta1', 'x.k8s.io/v2alpha1'],
    ],
    [['api/all=false,x.k8s.io/v2alpha1/things=true'], ['x.k8s.io/v2alpha1']],
    [['api/alpha=false,x.k8s.io/v2alpha1=true,x.k8s.io/v2alpha1/none=false'], ['/v1', 'apps/v1', 'x.k8s.io/v2alpha1']],
    [['api/beta=false,x.k8s.io/v1beta1=true'], ['/v1', 'apps/v1', 'x.k8s.io/v1beta1']],
  ])('%j', (texts, want) => expect(left(...texts)).toEqual(want));

  test.each([
    [{}, false],
    [{ GenericWorkload: true }, true],
  ])('a resource of Kubernetes that needs a gate is served with %j: %s', (gates, isServed) => {
    const workloads = { ...version('scheduling.k8s.io', 'v1alpha1'), resources: [{ resource: 'workloads' }] };
    const own = { ...catalog, groupVersions: [workloads] } as unknown as Catalog;
    expect(applyRuntimeConfig([own], ['api/all=true'], gates)[0].groupVersions).toHaveLength(isServed ? 1 : 0);
  });

  test('versions of other groups are enabled', () => {
    const other = { ...catalog, groupVersions: [version('example.com', 'v1alpha1')] } as Catalog;
    for (const catalogs of [[catalog, other], [other]]) {
      expect(applyRuntimeConfig(catalogs, [], {}).at(-1)?.groupVersions).toHaveLength(1);
    }
  });

  test('single resources are disabled and enabled', async () => {
    const resourcesOf = async (...texts: string[]): Promise<string[]> => {
      const [{ groupVersions }] = applyRuntimeConfig([catalog], texts, {});
      const all = groupVersions.map(async ({ group, resources, load }) => {
        expect((await load()).map(({ resource }) => resource)).toEqual(resources.map(({ resource }) => resource));
        return resources.map(({ resource }) => `${group}/${resource}`);
      });
      return (await Promise.all(all)).flat();
    };
    expect(await resourcesOf('api/beta=false,api/alpha=false,apps/v1/things=false,/v1/none=false')).toEqual([
      '/things',
      '/others',
      'apps/others',
    ]);
    expect(await resourcesOf('api/all=false', 'apps/v1/things')).toEqual(['apps/things']);
  });

  test.each([
    ['api/all=false', 'invalid key with only api/all=false'],
    ['foo/v1=true,apps/v1=maybe', 'unknown api groups foo'],
    ['foo/v1=true,bar.io/v1', 'unknown api groups foo,bar.io'],
    ['api/gamma=false', 'unknown api groups api'],
    ['foo=true', 'runtime-config invalid key foo'],
    ['a/b/c/d', 'runtime-config invalid key a/b/c/d'],
    ['api/beta=1', 'invalid value api/beta=1'],
    ['api/all', 'invalid value api/all='],
    ['apps/v9=true', 'group version apps/v9 that has not been registered'],
    ['apps/v1=perhaps', 'invalid value of apps/v1: perhaps, err: strconv.ParseBool: parsing "perhaps": invalid syntax'],
    ['apps/v1/Things=false', 'invalid key apps/v1/Things: group/version/resource and resource is always lowercase plural, not "Things"'],
  ])('%s is rejected', (text, message) => expect(() => left(text)).toThrow(new Error(`--runtime-config: ${message}`)));
});

test('--etcd-servers-overrides are resources and their servers', () => {
  expect(parseEtcdServersOverrides(['/events#http://a:2379;http://b:2379', 'apps/deployments#c'])).toEqual([
    { group: '', resource: 'events', servers: ['http://a:2379', 'http://b:2379'] },
    { group: 'apps', resource: 'deployments', servers: ['c'] },
  ]);
});

test.each(['events#http://a', '/events', '/events#', '/events#a;', '/events#a#b', 'a/b/c#d'])('%s is no override', (text) =>
  expect(() => parseEtcdServersOverrides([text])).toThrow(
    '--etcd-servers-overrides invalid, must be of format: group/resource#servers, where servers are URLs, semicolon separated',
  ),
);
