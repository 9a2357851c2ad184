import { beforeAll, describe, expect, test } from '@jest/globals';
import type { PolicyRule, RoleRef, Subject } from '../../../runtime/authorization/rbac/objects.ts';
import type { HttpResponse } from '../../support/http-client.ts';
import { TestServer } from '../../support/test-server.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const roles = `${rbac}/namespaces/default/roles`;
const clusterRoles = `${rbac}/clusterroles`;
const roleBindings = `${rbac}/namespaces/default/rolebindings`;
const clusterRoleBindings = `${rbac}/clusterrolebindings`;

const pods = (...verbs: string[]): PolicyRule => ({ verbs, apiGroups: [''], resources: ['pods'] });
const writeRoles: PolicyRule = {
  verbs: ['create', 'update', 'patch', 'get'],
  apiGroups: ['rbac.authorization.k8s.io'],
  resources: ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'],
};
const roleRef = (kind: string, name: string): RoleRef => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name });
const user = (name: string): Subject => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name });

describe('escalation', () => {
  const suite = TestServer.forSuite();
  const send = (who: string | undefined, method: string, path: string, body: object): Promise<HttpResponse> =>
    suite.http.send(method, path, JSON.stringify(body), method === 'PATCH' ? 'application/merge-patch+json' : 'application/json', {
      headers: who === undefined ? {} : { 'impersonate-user': who },
    });
  const outcome = ({ status, json }: HttpResponse): unknown => (status < 300 ? status : [status, json.message]);
  const asJane = async (method: string, path: string, body: object): Promise<unknown> => outcome(await send('jane', method, path, body));
  const lacks = (...rules: string[]): string =>
    `user "jane" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n${rules.join('\n')}`;

  beforeAll(async () => {
    const grants: readonly (readonly [who: string, role: string, rules: PolicyRule[]])[] = [
      ['jane', 'janes', [writeRoles, pods('get', 'list')]],
      [
        'root',
        'roots',
        [
          { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
          { verbs: ['*'], nonResourceURLs: ['*'] },
        ],
      ],
      ['escalator', 'escalators', [writeRoles, { ...writeRoles, verbs: ['escalate', 'bind'] }]],
    ];
    for (const [who, name, rules] of grants) {
      await send(undefined, 'POST', clusterRoles, { metadata: { name }, rules });
      await send(undefined, 'POST', clusterRoleBindings, {
        metadata: { name },
        roleRef: roleRef('ClusterRole', name),
        subjects: [user(who)],
      });
    }
    await send(undefined, 'POST', roles, { metadata: { name: 'mine' }, rules: [pods('get')] });
    await send(undefined, 'POST', clusterRoles, { metadata: { name: 'deleter' }, rules: [pods('delete')] });
    await send(undefined, 'POST', clusterRoles, { metadata: { name: 'reader' }, rules: [pods('get')] });
  });

  test('a role with the rules of its writer is created', async () => {
    expect(await asJane('POST', roles, { metadata: { name: 'covered' }, rules: [pods('list'), pods('get')] })).toBe(201);
  });

  test('a role with further rules is forbidden, which are named', async () => {
    const rules = [
      pods('get', 'delete', 'create'),
      { verbs: ['get'], apiGroups: ['apps', ''], resources: ['deployments'], resourceNames: ['x', 'y'] },
    ];
    const apps = (group: string, name: string): string =>
      `{APIGroups:["${group}"], Resources:["deployments"], ResourceNames:["${name}"], Verbs:["get"]}`;
    expect(await asJane('POST', roles, { metadata: { name: 'more' }, rules })).toEqual([
      403,
      `roles.rbac.authorization.k8s.io "more" is forbidden: ${lacks(
        apps('', 'x'),
        apps('', 'y'),
        '{APIGroups:[""], Resources:["pods"], Verbs:["delete" "create"]}',
        apps('apps', 'x'),
        apps('apps', 'y'),
      )}`,
    ]);
  });

  test('neither an update, a patch nor an apply adds rules', async () => {
    const message = `roles.rbac.authorization.k8s.io "mine" is forbidden: ${lacks('{APIGroups:[""], Resources:["pods"], Verbs:["delete"]}')}`;
    const body = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'mine' },
      rules: [pods('delete')],
    };
    expect(await asJane('PUT', `${roles}/mine`, body)).toEqual([403, message]);
    expect(await asJane('PATCH', `${roles}/mine`, { rules: [pods('delete')] })).toEqual([403, message]);
    const apply = await suite.http.send(
      'PATCH',
      `${roles}/mine?fieldManager=jane&force=true`,
      JSON.stringify(body),
      'application/apply-patch+yaml',
      { headers: { 'impersonate-user': 'jane' } },
    );
    expect(outcome(apply)).toEqual([403, message]);
    expect(await asJane('PUT', `${roles}/absent`, { ...body, metadata: { name: 'absent' } })).toEqual([
      403,
      message.replace('"mine"', '"absent"'),
    ]);
  });

  test('a dry run is forbidden, too', async () => {
    expect(await asJane('POST', `${roles}?dryRun=All`, { metadata: { name: 'dry' }, rules: [pods('delete')] })).toEqual([
      403,
      expect.stringContaining('roles.rbac.authorization.k8s.io "dry" is forbidden'),
    ]);
  });

  test('what only the garbage collector changes is not checked', async () => {
    await send(undefined, 'POST', roles, { metadata: { name: 'kept' }, rules: [pods('delete')] });
    expect(await asJane('PATCH', `${roles}/kept`, { metadata: { finalizers: ['example.com/x'] } })).toBe(200);
    expect(await asJane('PATCH', `${roles}/kept`, { metadata: { finalizers: null } })).toBe(200);
    expect(await asJane('PATCH', `${roles}/kept`, { metadata: { labels: { a: 'b' } } })).toEqual([403, expect.any(String)]);
  });

  test('only who has everything sets an aggregationRule', async () => {
    const rule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };
    const role = { metadata: { name: 'aggregated' }, aggregationRule: rule };
    const refusal = [
      403,
      'clusterroles.rbac.authorization.k8s.io "aggregated" is forbidden: must have cluster-admin privileges to use the aggregationRule',
    ];
    expect(await asJane('POST', clusterRoles, role)).toEqual(refusal);
    expect(outcome(await send('root', 'POST', clusterRoles, role))).toBe(201);
    expect(await asJane('PATCH', `${clusterRoles}/aggregated`, { aggregationRule: null })).toEqual(refusal);
  });

  test.each([
    ['a role that the writer covers', roleBindings, 'ClusterRole', 'reader', 201],
    ['a role that the writer does not cover', roleBindings, 'ClusterRole', 'deleter', 403],
    ['the same in the whole cluster', clusterRoleBindings, 'ClusterRole', 'deleter', 403],
    ['a role that does not exist yet', roleBindings, 'Role', 'later', 404],
    ['a cluster role that does not exist yet', clusterRoleBindings, 'ClusterRole', 'later', 404],
  ])('a binding to %s in %s', async (_, path, kind, name, status) => {
    const binding = {
      metadata: { name: `b-${kind.toLowerCase()}-${name}` },
      roleRef: roleRef(kind, name),
      subjects: [user('jane')],
    };
    const response = await send('jane', 'POST', path, binding);
    expect(response.status).toBe(status);
    const plural = path === roleBindings ? 'rolebindings' : 'clusterrolebindings';
    if (status === 403) {
      expect(response.json.message).toBe(
        `${plural}.rbac.authorization.k8s.io "${binding.metadata.name}" is forbidden: ${lacks('{APIGroups:[""], Resources:["pods"], Verbs:["delete"]}')}`,
      );
    }
    if (status === 404) {
      expect(response.json).toMatchObject({
        message: `${plural}.rbac.authorization.k8s.io "later" not found`,
        details: { name: 'later', kind: plural },
      });
    }
  });

  test('adding a subject to a binding is granting its role', async () => {
    const binding = { metadata: { name: 'grown' }, roleRef: roleRef('ClusterRole', 'deleter') };
    await send(undefined, 'POST', roleBindings, binding);
    expect(await asJane('PATCH', `${roleBindings}/grown`, { subjects: [user('jane')] })).toEqual([
      403,
      expect.stringContaining('rolebindings.rbac.authorization.k8s.io "grown" is forbidden'),
    ]);
  });

  test('the verbs escalate and bind allow it', async () => {
    const role = { metadata: { name: 'escalated' }, rules: [pods('*')] };
    expect(outcome(await send('escalator', 'POST', roles, role))).toBe(201);
    const binding = {
      metadata: { name: 'bound' },
      roleRef: roleRef('ClusterRole', 'cluster-admin'),
      subjects: [user('x')],
    };
    expect(outcome(await send('escalator', 'POST', clusterRoleBindings, binding))).toBe(201);
    const later = { metadata: { name: 'early' }, roleRef: roleRef('Role', 'not-there'), subjects: [user('x')] };
    expect(outcome(await send('escalator', 'POST', roleBindings, later))).toBe(201);
  });

  test('a role of very many combinations is refused within the time of a request', async () => {
    const names = Array.from({ length: 2_000 }, (_, at) => `r${at}`);
    const rules = [{ verbs: names.slice(0, 200), apiGroups: names.slice(0, 200), resources: names }];
    const { status, json } = await send('jane', 'POST', roles, { metadata: { name: 'many' }, rules });
    expect([status, json.reason]).toEqual([403, 'Forbidden']);
    expect(json.message.length).toBeLessThan(40_000);
    expect(json.message).toMatch(/\.\.\. \(\d+ more\)$/);
  });
});
