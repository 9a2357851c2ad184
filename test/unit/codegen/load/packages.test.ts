import { describe, expect, test } from '@jest/globals';
import { componentPrefix, GoTypes, printGoType } from '../../../../codegen/load/field-facts.ts';
import { compareGroupVersions, compareKubeAwareVersions } from '../../../../codegen/load/packages.ts';
import { parseResourcePath } from '../../../../codegen/load/resource-paths.ts';

describe('versions', () => {
  test('are ordered: GA, beta, alpha, then the higher number first', () => {
    const versions = ['v1alpha1', 'v1beta2', 'v2', 'v1', 'foo1', 'v10', 'v1beta1', 'v2alpha1'];
    expect(versions.sort(compareKubeAwareVersions)).toEqual(['v10', 'v2', 'v1', 'v1beta2', 'v1beta1', 'v2alpha1', 'v1alpha1', 'foo1']);
  });

  test('groups of Kubernetes come first in its order, then others by name', () => {
    const groups = ['b.example', 'apps', '', 'a.example', 'apiregistration.k8s.io'].map((group) => ({
      group,
      version: 'v1',
    }));
    expect(groups.sort(compareGroupVersions).map(({ group }) => group)).toEqual([
      '',
      'apiregistration.k8s.io',
      'apps',
      'a.example',
      'b.example',
    ]);
  });
});

test.each([
  ['int32', 'int32'],
  ['[]byte', '[]uint8'],
  ['*metav1.Time', 'v1.Time'],
  ['[]metav1.Condition', '[]v1.Condition'],
  ['map[string]resource.Quantity', 'map[string]resource.Quantity'],
  ['map[ResourceName]ClaimStatus', 'map[v9.ResourceName]v9.ClaimStatus'],
  ['[]interface{}', '[]interface {}'],
])('Go prints %s as %s', (text, want) => {
  expect(printGoType(text, 'k8s.io/api/things/v9')).toBe(want);
});

test('component names reverse the domain of the Go package', () => {
  expect(componentPrefix('k8s.io/api/core/v1')).toBe('io.k8s.api.core.v1');
  expect(componentPrefix('example.com/library/v1')).toBe('com.example.library.v1');
});

describe('Go aliases', () => {
  const go = new GoTypes({
    'k8s.io/api/a/v1': {
      Mode: { kind: 'alias', of: 'string', values: ['On', 'Off'], markers: ['+enum'] },
      Reason: { kind: 'alias', of: 'string', values: ['Because'] },
      Old: { kind: 'alias', of: 'Mode' },
      Thing: { kind: 'struct', fields: [] },
    },
    'k8s.io/api/a/v1beta1': { Thing: { kind: 'alias', of: 'v1.Thing' } },
  });

  test('lead to the enumeration, through lists and maps too; types without +enum have none', () => {
    expect(go.enumOf('Mode', 'k8s.io/api/a/v1')).toEqual(['On', 'Off']);
    expect(go.enumOf('[]Old', 'k8s.io/api/a/v1')).toEqual(['On', 'Off']);
    expect(go.enumOf('map[v1.Name]Mode', 'k8s.io/api/a/v1')).toEqual(['On', 'Off']);
    expect(go.enumOf('Reason', 'k8s.io/api/a/v1')).toBeUndefined();
  });

  test('lead to the struct of another version', () => {
    expect(go.struct({ package: 'k8s.io/api/a/v1beta1', name: 'Thing' })?.name).toEqual({
      package: 'k8s.io/api/a/v1',
      name: 'Thing',
    });
  });
});

describe('paths', () => {
  test.each([
    ['/api/v1/', { group: '', version: 'v1', named: false, namespaced: false, watch: false, trailing: false }],
    ['/api/v1/namespaces/{name}/finalize', { group: '', plural: 'namespaces', subresource: 'finalize', namespaced: false, named: true }],
    ['/api/v1/namespaces/{namespace}/pods', { plural: 'pods', namespaced: true, named: false }],
    ['/api/v1/watch/namespaces/{namespace}/pods/{name}', { plural: 'pods', namespaced: true, named: true, watch: true }],
    ['/api/v1/namespaces/{namespace}/pods/{name}/proxy/{path}', { plural: 'pods', subresource: 'proxy', trailing: true }],
    ['/apis/apps/v1/deployments', { group: 'apps', version: 'v1', plural: 'deployments' }],
  ])('%s', (path, want) => {
    expect(parseResourcePath(path)).toMatchObject(want);
  });

  test.each(['/version', '/healthz', '/api/', '/apis/', '/apis/apps/', '/logs/{path}'])('%s belongs to no group-version', (path) => {
    expect(parseResourcePath(path)).toBeUndefined();
  });
});
