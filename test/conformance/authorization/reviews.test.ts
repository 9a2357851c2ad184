import { beforeAll, describe, expect, test } from '@jest/globals';
import type { HttpResponse } from '../../support/http-client.ts';
import { TestServer } from '../../support/test-server.ts';

const reviews = '/apis/authorization.k8s.io/v1';
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const getPods = { verb: 'get', resource: 'pods', namespace: 'default' };
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };

describe('reviews of access', () => {
  const suite = TestServer.forSuite();
  const post = (path: string, body: object, who?: string): Promise<HttpResponse> =>
    suite.http.send('POST', path, JSON.stringify(body), 'application/json', {
      headers: who === undefined ? {} : { 'impersonate-user': who },
    });
  const status = async (resource: string, spec: object, who?: string): Promise<unknown> => {
    const { json } = await post(`${reviews}/${resource}`, { spec }, who);
    return json.status.allowed === undefined ? json.message : json.status;
  };

  beforeAll(async () => {
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }];
    await post(`${rbac}/namespaces/default/rolebindings`, { metadata: { name: 'janes' }, roleRef, subjects });
    const gone = { ...roleRef, kind: 'Role', name: 'gone' };
    await post(`${rbac}/namespaces/default/rolebindings`, { metadata: { name: 'lost' }, roleRef: gone, subjects });
  });

  const reason = 'RBAC: allowed by RoleBinding "janes/default" of ClusterRole "view" to User "jane"';
  const missing = 'RBAC: role.rbac.authorization.k8s.io "gone" not found';

  test.each<[string, string, object, unknown]>([
    ['what a role allows', 'subjectaccessreviews', { user: 'jane', resourceAttributes: getPods }, { allowed: true, reason }],
    ['the same in its namespace', 'localsubjectaccessreviews', { user: 'jane', resourceAttributes: getPods }, { allowed: true, reason }],
    [
      'what no role allows',
      'subjectaccessreviews',
      { user: 'jane', resourceAttributes: { ...getPods, verb: 'delete' } },
      { allowed: false, reason: missing },
    ],
    [
      'another namespace',
      'subjectaccessreviews',
      { user: 'jane', resourceAttributes: { ...getPods, namespace: 'kube-system' } },
      { allowed: false },
    ],
    [
      'a group, and no user',
      'subjectaccessreviews',
      { groups: ['system:unauthenticated'], nonResourceAttributes: { verb: 'get', path: '/livez' } },
      {
        allowed: true,
        reason:
          'RBAC: allowed by ClusterRoleBinding "system:public-info-viewer" of ClusterRole "system:public-info-viewer" to Group "system:unauthenticated"',
      },
    ],
    ['an administrator', 'subjectaccessreviews', { groups: ['system:masters'], resourceAttributes: { verb: 'x' } }, { allowed: true }],
    [
      'selectors that cannot be read',
      'subjectaccessreviews',
      {
        user: 'jane',
        resourceAttributes: {
          ...getPods,
          fieldSelector: { rawSelector: 'no selector' },
          labelSelector: {
            requirements: [
              { key: 'a', operator: 'Exists' },
              { key: 'a', operator: 'Newer' },
            ],
          },
        },
      },
      {
        allowed: true,
        reason,
        evaluationError:
          'spec.resourceAttributes.fieldSelector ignored due to parse error; spec.resourceAttributes.labelSelector partially ignored due to parse error',
      },
    ],
  ])('%s', async (_, resource, spec, want) => {
    const place = resource.startsWith('local') ? `namespaces/default/${resource}` : resource;
    expect(await status(place, spec)).toEqual(want);
  });

  test('a role without rules and a binding without subjects do not keep later ones from counting', async () => {
    await post(`${rbac}/clusterroles`, { metadata: { name: 'empty' }, rules: null });
    await post(`${rbac}/namespaces/default/roles`, { metadata: { name: 'empty' } });
    await post(`${rbac}/clusterrolebindings`, { metadata: { name: 'empty' }, roleRef, subjects: null });
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'late' }];
    const spec = { resourceAttributes: getPods };
    expect(await status('selfsubjectaccessreviews', spec, 'late')).toEqual({ allowed: false });
    const later = { metadata: { name: 'later' }, rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] };
    for (const path of ['clusterroles', 'namespaces/default/roles']) await post(`${rbac}/${path}`, later);
    for (const [path, kind] of [
      ['clusterrolebindings', 'ClusterRole'],
      ['namespaces/default/rolebindings', 'Role'],
    ] as const) {
      const binding = { metadata: { name: 'later' }, roleRef: { ...roleRef, kind, name: 'later' }, subjects };
      await post(`${rbac}/${path}`, binding);
      expect(await status('selfsubjectaccessreviews', spec, 'late')).toMatchObject({ allowed: true });
      await suite.http.send('DELETE', `${rbac}/${path}/later`);
      expect(await status('selfsubjectaccessreviews', spec, 'late')).toEqual({ allowed: false });
    }
  });

  test('everybody may ask about themselves, and about others only with a role', async () => {
    expect(await status('selfsubjectaccessreviews', { resourceAttributes: getPods }, 'jane')).toEqual({
      allowed: true,
      reason,
    });
    expect(await status('selfsubjectaccessreviews', { resourceAttributes: getPods }, 'joe')).toEqual({
      allowed: false,
    });
    const { json } = await post(`${reviews}/subjectaccessreviews`, { spec: { user: 'jane', resourceAttributes: getPods } }, 'joe');
    expect(json.message).toBe(
      'subjectaccessreviews.authorization.k8s.io is forbidden: User "joe" cannot create resource "subjectaccessreviews" in API group "authorization.k8s.io" at the cluster scope',
    );
  });

  test('the rules of a user are listed, with what could not be', async () => {
    const { json } = await post(`${reviews}/selfsubjectrulesreviews`, { spec: { namespace: 'default' } }, 'jane');
    const { resourceRules, nonResourceRules, incomplete, evaluationError } = json.status;
    expect(resourceRules.slice(0, 2)).toEqual([
      {
        verbs: ['create'],
        apiGroups: ['authorization.k8s.io'],
        resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
      },
      { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
    ]);
    expect(resourceRules).toHaveLength(14);
    expect(nonResourceRules).toHaveLength(2);
    expect([incomplete, evaluationError]).toEqual([false, missing.replace('RBAC: ', '')]);
  });

  const invalid = (what: string): string => ` "" is invalid: ${what}`;
  test.each<[string, string, object, string]>([
    ['metadata', 'subjectaccessreviews', { metadata: { name: 'x' }, spec: { user: 'a', resourceAttributes: getPods } }, 'must be empty'],
    [
      'metadata besides the namespace',
      'namespaces/default/localsubjectaccessreviews',
      { metadata: { labels: { a: 'b' } }, spec: { user: 'a', resourceAttributes: getPods } },
      'must be empty except for namespace',
    ],
    [
      'another namespace than that of the request',
      'namespaces/default/localsubjectaccessreviews',
      { spec: { user: 'a', resourceAttributes: { ...getPods, namespace: 'x' } } },
      invalid('spec.resourceAttributes.namespace: Invalid value: "x": must match metadata.namespace'),
    ],
    [
      'nobody',
      'subjectaccessreviews',
      { spec: { resourceAttributes: getPods } },
      invalid('spec.user: Invalid value: "": at least one of user or group must be specified'),
    ],
    [
      'an empty selector',
      'selfsubjectaccessreviews',
      { spec: { resourceAttributes: { ...getPods, fieldSelector: {} } } },
      invalid(
        'spec.resourceAttributes.fieldSelector.requirements: Required value: when spec.resourceAttributes.fieldSelector is specified, requirements or rawSelector is required',
      ),
    ],
    [
      'two selectors in one',
      'selfsubjectaccessreviews',
      {
        spec: {
          resourceAttributes: {
            ...getPods,
            labelSelector: { rawSelector: 'a', requirements: [{ key: 'b', operator: 'In', values: [] }] },
          },
        },
      },
      invalid(
        '[spec.resourceAttributes.labelSelector.rawSelector: Invalid value: "a": may not specified at the same time as requirements, ' +
          "spec.resourceAttributes.labelSelector.requirements[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn']",
      ),
    ],
  ])('with %s are invalid', async (_, resource, body, want) => {
    const { status: code, json } = await post(`${reviews}/${resource}`, body);
    expect([code, json.message]).toEqual([422, expect.stringContaining(want)]);
  });
});
