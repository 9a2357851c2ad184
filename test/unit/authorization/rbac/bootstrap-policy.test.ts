import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { type BootstrapPolicy, bootstrapPolicy } from '../../../../runtime/authorization/rbac/bootstrap-policy/bootstrap-policy.ts';
import type { Json, JsonObject } from '../../../../runtime/machinery/object.ts';

const policy = bootstrapPolicy(35);
const objectsOf = ({ clusterRoles, clusterRoleBindings, roles, roleBindings }: BootstrapPolicy) => [
  ...clusterRoles,
  ...clusterRoleBindings,
  ...roles,
  ...roleBindings,
];
const everything = objectsOf(policy);

/** Returns JSON with sorted keys. */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonical((value as JsonObject)[key])}`).join(',')}}`;
}

const placeOf = ({ kind, metadata }: (typeof everything)[number]): string => `${kind} ${metadata.namespace ?? ''} ${metadata.name}`;

describe('the bootstrap policy', () => {
  /**
   * Digests of upstream's bootstrappolicy/testdata/*.yaml: all items, without null members, sorted by kind, namespace
   * and name, as JSON with sorted keys.
   */
  test.each([
    [32, '665993a05c18eb3d045c862c38a3b52181e254ce15630ea67b93a25e1fca3f78'],
    [33, '756080b469435de792f1eafb12cf5318ea9f6f7db0606becba47475608e20f5e'],
    [34, '4419624944d518efef8f68e891ab251a767b10a98a401d35a8987712478113f3'],
    [35, '2ad9d65017cbd56ec738ee89e086b5f46053bc957958205705de1f6a8fdcf0a8'],
    [36, '6331ddb36813d0212ddf5e700985e10e56c67920ea4e0a56efbd1f9cc174f929'],
  ])('equals that of kube-apiserver v1.%i, rule by rule', (minor, wanted) => {
    const sorted = objectsOf(bootstrapPolicy(minor)).sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
    const digest = createHash('sha256')
      .update(canonical(sorted as unknown as Json))
      .digest('hex');
    expect(digest).toBe(wanted);
  });

  test.each([
    ['cluster roles', policy.clusterRoles, 68],
    ['cluster role bindings', policy.clusterRoleBindings, 49],
    ['roles', policy.roles, 7],
    ['role bindings', policy.roleBindings, 7],
  ])('has as many %s', (_, objects, count) => {
    expect(new Set(objects.map(placeOf)).size).toBe(count);
    expect(objects).toHaveLength(count);
  });

  test('has these rows, in clear', () => {
    const named = (name: string) => everything.filter(({ metadata }) => metadata.name === name);
    expect(named('system:public-info-viewer')).toMatchObject([
      { rules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/livez', '/readyz', '/version', '/version/'] }] },
      { subjects: [{ name: 'system:authenticated' }, { name: 'system:unauthenticated' }] },
    ]);
    expect(named('edit')).toMatchObject([
      {
        metadata: { labels: { 'rbac.authorization.k8s.io/aggregate-to-admin': 'true' } },
        aggregationRule: {
          clusterRoleSelectors: [{ matchLabels: { 'rbac.authorization.k8s.io/aggregate-to-edit': 'true' } }],
        },
      },
    ]);
    expect(named('system:node')[1]).not.toHaveProperty('subjects');
  });
});
