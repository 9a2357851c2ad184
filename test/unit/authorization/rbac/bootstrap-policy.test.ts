import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { bootstrapPolicy } from '../../../../runtime/authorization/rbac/bootstrap-policy/bootstrap-policy.ts';
import type { Json, JsonObject } from '../../../../runtime/machinery/object.ts';

const policy = bootstrapPolicy();
const everything = [...policy.clusterRoles, ...policy.clusterRoleBindings, ...policy.roles, ...policy.roleBindings];

/** JSON with sorted keys. */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonical((value as JsonObject)[key])}`).join(',')}}`;
}

const placeOf = ({ kind, metadata }: (typeof everything)[number]): string =>
  `${kind} ${metadata.namespace ?? ''} ${metadata.name}`;

describe('the bootstrap policy', () => {
  /**
   * The digest is of what upstream's bootstrappolicy/testdata/*.yaml have in v1.35: all items, without null members, sorted
   * by kind, namespace and name, as JSON with sorted keys.
   */
  test('equals that of kube-apiserver v1.35, rule by rule', () => {
    const sorted = [...everything].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
    const digest = createHash('sha256')
      .update(canonical(sorted as unknown as Json))
      .digest('hex');
    expect(digest).toBe('2ad9d65017cbd56ec738ee89e086b5f46053bc957958205705de1f6a8fdcf0a8');
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
