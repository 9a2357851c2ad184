import { describe, expect, test } from '@jest/globals';
import type { Catalog, GroupVersionCatalog } from '../../../runtime/machinery/catalog.ts';
import { parseFeatureGates } from '../../../runtime/server/feature-gates.ts';
import { applyRuntimeConfig } from '../../../runtime/server/runtime-config.ts';

describe('--feature-gates', () => {
  test.each([
    [[], true],
    [['APIResponseCompression=false'], false],
    [['AllBeta=false'], false],
    [['AllBeta=false,APIResponseCompression=true'], true],
    [['APIResponseCompression=false', 'APIResponseCompression=T'], true],
  ])('%j', (texts, want) => expect(parseFeatureGates(texts).APIResponseCompression).toBe(want));

  test.each([
    ['Foo=true', 'unrecognized feature gate: Foo'],
    ['constructor=true', 'unrecognized feature gate: constructor'],
    ['AllBeta', 'missing bool value for AllBeta'],
    ['AllBeta=maybe', 'invalid value of AllBeta=maybe'],
  ])('%s is refused', (text, message) => expect(() => parseFeatureGates([text])).toThrow(message));
});

describe('--runtime-config', () => {
  const version = (group: string, name: string): GroupVersionCatalog =>
    ({ group, version: name, resources: [], load: async () => [] }) as GroupVersionCatalog;
  const catalog = {
    release: 'v1.35',
    groupVersions: [version('', 'v1'), version('apps', 'v1'), version('x.io', 'v1beta1'), version('x.io', 'v2alpha1')],
    loadMeta: async () => ({}),
  } as Catalog;
  const left = (...texts: string[]) =>
    applyRuntimeConfig([catalog], texts)[0].groupVersions.map(({ group, version: name }) => `${group}/${name}`);

  test.each([
    [[], ['/v1', 'apps/v1', 'x.io/v1beta1', 'x.io/v2alpha1']],
    [['apps/v1=false'], ['/v1', 'x.io/v1beta1', 'x.io/v2alpha1']],
    [['api/alpha=false,api/beta=false'], ['/v1', 'apps/v1']],
    [['api/all=false,v1=true'], ['/v1']],
    [['api/all=false', 'api/v1'], ['/v1']],
    [['api/beta=false,x.io/v1beta1=true'], ['/v1', 'apps/v1', 'x.io/v1beta1', 'x.io/v2alpha1']],
  ])('%j', (texts, want) => expect(left(...texts)).toEqual(want));

  test.each(['foo/v1=true', 'api/gamma=false', 'apps/v1=perhaps'])('%s is refused', (text) =>
    expect(() => left(text)).toThrow('--runtime-config'),
  );
});
