import { describe, expect, test } from '@jest/globals';
import type { Authorizer, AuthorizerAttributes, AuthorizerDecision } from '../../../../runtime/authorization/authorizer.ts';
import type { RoleRef } from '../../../../runtime/authorization/rbac/objects.ts';
import { Policy } from '../../../../runtime/authorization/rbac/policy.ts';
import { RBACAuthorizer } from '../../../../runtime/authorization/rbac/rbac-authorizer.ts';
import { unionAuthorizer } from '../../../../runtime/authorization/union.ts';

const noOpinion: AuthorizerDecision = { decision: 'no-opinion', reason: '' };
const noRules = { resourceRules: [], nonResourceRules: [], incomplete: false };

const roleRef = (kind: string, name: string): RoleRef => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name });

const getPods: AuthorizerAttributes = {
  user: { name: 'system:serviceaccount:red:bot', uid: '', groups: ['dev'], extra: {} },
  verb: 'get',
  isResourceRequest: true,
  path: '',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'red',
  name: 'x',
};
const pods = [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }];

describe('the reasons of the RBAC authorizer', () => {
  test.each([
    [
      'a user',
      { kind: 'User', name: 'system:serviceaccount:red:bot' },
      'RoleBinding "b/red" of Role "r" to User "system:serviceaccount:red:bot"',
    ],
    ['a group', { kind: 'Group', name: 'dev' }, 'RoleBinding "b/red" of Role "r" to Group "dev"'],
    [
      'a service account of the same namespace',
      { kind: 'ServiceAccount', name: 'bot' },
      'RoleBinding "b/red" of Role "r" to ServiceAccount "bot/red"',
    ],
  ])('name a RoleBinding and %s', (_, subject, want) => {
    const policy = new Policy();
    policy.setRole({ metadata: { namespace: 'red', name: 'r' }, rules: pods });
    policy.setBinding({
      metadata: { namespace: 'red', name: 'b' },
      roleRef: roleRef('Role', 'r'),
      subjects: [{ kind: 'User', name: 'somebody' }, subject],
    });
    expect(new RBACAuthorizer(policy).authorize(getPods)).toEqual({
      decision: 'allow',
      reason: `RBAC: allowed by ${want}`,
    });
  });

  test('name a ClusterRoleBinding, and the first of its subjects that applies', () => {
    const policy = new Policy();
    policy.setClusterRole({ metadata: { name: 'r' }, rules: pods });
    const subjects = [
      { kind: 'Group', name: 'dev' },
      { kind: 'ServiceAccount', namespace: 'red', name: 'bot' },
    ];
    policy.setBinding({ metadata: { name: 'b' }, roleRef: roleRef('ClusterRole', 'r'), subjects });
    expect(new RBACAuthorizer(policy).authorize(getPods).reason).toBe(
      'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "r" to Group "dev"',
    );
  });

  test('of a refusal name the roles that do not exist, each once', async () => {
    const policy = new Policy();
    const subjects = [{ kind: 'Group', name: 'dev' }];
    for (const name of ['b1', 'b2']) {
      policy.setBinding({ metadata: { name }, roleRef: roleRef('ClusterRole', 'gone'), subjects });
    }
    const authorizer = new RBACAuthorizer(policy);
    const one = 'clusterrole.rbac.authorization.k8s.io "gone" not found';
    expect(authorizer.authorize(getPods)).toEqual({ decision: 'no-opinion', reason: `RBAC: ${one}` });
    policy.setBinding({ metadata: { namespace: 'red', name: 'b' }, roleRef: roleRef('Role', 'none'), subjects });
    const both = `[${one}, role.rbac.authorization.k8s.io "none" not found]`;
    expect(authorizer.authorize(getPods).reason).toBe(`RBAC: ${both}`);
    expect(authorizer.rulesFor(getPods.user, 'red')).toEqual({
      resourceRules: [],
      nonResourceRules: [],
      incomplete: false,
      evaluationError: both,
      evaluationErrors: [one, one, 'role.rbac.authorization.k8s.io "none" not found'],
    });
    const node: Authorizer = { authorize: () => noOpinion, rulesFor: () => ({ ...noRules, evaluationError: 'not supported' }) };
    expect(await unionAuthorizer([node, authorizer]).rulesFor?.(getPods.user, 'red')).toEqual({
      ...noRules,
      evaluationError: `[not supported, ${one}, role.rbac.authorization.k8s.io "none" not found]`,
    });
  });
});

describe('the rules of a user', () => {
  test('are those of the bindings of the cluster, then of the namespace, in the order of their names', () => {
    const policy = new Policy();
    const rule = (verb: string) => ({ verbs: [verb], apiGroups: [''], resources: ['pods'] });
    const healthz = { verbs: ['get'], nonResourceURLs: ['/healthz'] };
    policy.setClusterRole({ metadata: { name: 'late' }, rules: [rule('list'), healthz] });
    policy.setClusterRole({ metadata: { name: 'early' }, rules: [rule('get')] });
    policy.setRole({ metadata: { namespace: 'red', name: 'r' }, rules: [rule('watch')] });
    const subjects = [
      { kind: 'Group', name: 'dev' },
      { kind: 'User', name: 'jane' },
    ];
    const bindings = [
      { metadata: { namespace: 'red', name: 'a' }, roleRef: roleRef('Role', 'r'), subjects },
      { metadata: { name: 'z' }, roleRef: roleRef('ClusterRole', 'late'), subjects },
      { metadata: { name: 'b' }, roleRef: roleRef('ClusterRole', 'early'), subjects },
    ];
    for (const binding of bindings) policy.setBinding(binding);
    const user = { name: 'jane', uid: '', groups: ['dev'], extra: {} };
    const { resourceRules, nonResourceRules } = new RBACAuthorizer(policy).rulesFor(user, 'red');
    expect(resourceRules.map(({ verbs }) => verbs[0])).toEqual(['get', 'list', 'watch']);
    expect(nonResourceRules).toEqual([healthz]);
    expect(new RBACAuthorizer(policy).rulesFor(user, 'blue').resourceRules).toHaveLength(2);
  });
});
