import { beforeAll, expect, test } from '@jest/globals';
import { describeKubectl } from '../support/kubectl.ts';
import { TestServer } from '../support/test-server.ts';

describeKubectl('kubectl auth', () => {
  const suite = TestServer.withKubectl();
  const run = (...args: string[]) => suite.kubectl.run(args);
  const ok = (...args: string[]) => suite.kubectl.ok(args);

  beforeAll(async () => {
    await ok('create', 'namespace', 'red');
    await ok('create', 'role', 'reader', '-n', 'red', '--verb=get,list', '--resource=pods,pods/log', '--resource-name=a');
    await ok('create', 'clusterrole', 'scaler', '--verb=update', '--resource=deployments.apps/scale');
    await ok('create', 'clusterrole', 'prober', '--verb=get', '--non-resource-url=/livez/*');
    await ok('create', 'rolebinding', 'readers', '-n', 'red', '--role=reader', '--user=jane', '--group=devs');
    await ok('create', 'rolebinding', 'scalers', '-n', 'red', '--clusterrole=scaler', '--serviceaccount=red:bot');
    await ok('create', 'clusterrolebinding', 'probers', '--clusterrole=prober', '--user=jane');
  });

  test.each([
    ['yes', ['get', 'pods/a', '-n', 'red', '--as=jane']],
    ['yes', ['get', 'pods/a', '--subresource=log', '-n', 'red', '--as=x', '--as-group=devs']],
    ['no', ['get', 'pods/b', '-n', 'red', '--as=jane']],
    ['no', ['get', 'pods/a', '-n', 'default', '--as=jane']],
    ['yes', ['update', 'deployments.apps', '--subresource=scale', '-n', 'red', '--as=system:serviceaccount:red:bot']],
    ['yes', ['get', '/livez/ping', '--as=jane']],
    ['no', ['get', '/metrics', '--as=jane']],
    ['yes', ['*', '*', '--all-namespaces']],
  ])('can-i: %s, %j', async (want, args) => {
    const { stdout, code } = await run('auth', 'can-i', ...args);
    expect([stdout.trim().split(' ')[0], code]).toEqual([want, want === 'yes' ? 0 : 1]);
  });

  test('can-i --list lists the rules of a user', async () => {
    const lines = (await ok('auth', 'can-i', '--list', '-n', 'red', '--as=jane')).split('\n').map((line) => line.trim());
    const cells = lines.map((line) => line.split(/ {2,}/));
    expect(cells).toContainEqual(['pods/log', '[]', '[a]', '[get list]']);
    expect(cells).toContainEqual(['[/livez/*]', '[]', '[get]']);
    expect(cells).toContainEqual(['selfsubjectreviews.authentication.k8s.io', '[]', '[]', '[create]']);
  });

  test('whoami names the user and the groups', async () => {
    const text = await ok('auth', 'whoami', '--as=jane', '--as-group=devs');
    expect(text.replace(/ +/g, ' ')).toContain('Username jane\nGroups [devs system:authenticated]');
  });

  test('reconcile adds what is missing, and keeps the rest', async () => {
    const manifest = (rules: string): string => `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reconciled}
rules: [${rules}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: reconciled}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reconciled}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: joe}]
`;
    const rule = (verb: string): string => `{apiGroups: [""], resources: [pods], verbs: [${verb}]}`;
    const reconcile = (rules: string) => suite.kubectl.ok(['auth', 'reconcile', '-f', '-'], { stdin: manifest(rules) });
    expect(await reconcile(rule('get'))).toContain('clusterrole.rbac.authorization.k8s.io/reconciled reconciled');
    await reconcile(rule('list'));
    expect(await ok('get', 'clusterrole', 'reconciled', '-o', 'jsonpath={.rules[*].verbs}')).toBe('["get"] ["list"]');
    expect((await run('auth', 'can-i', 'list', 'pods', '--as=joe')).stdout.trim()).toBe('yes');
  });

  test('get shows the roles of the bootstrap policy', async () => {
    const names = (await ok('get', 'clusterroles', '-l', 'kubernetes.io/bootstrapping=rbac-defaults', '-o', 'name')).trim();
    // four belong to the feature gates that this server has on
    expect(names.split('\n')).toHaveLength(72);
    const bindings = await ok('get', 'clusterrolebindings', '-l', 'kubernetes.io/bootstrapping=rbac-defaults', '-o', 'name');
    expect(bindings.trim().split('\n')).toHaveLength(53);
    expect(
      (await ok('get', 'roles,rolebindings', '-A', '-l', 'kubernetes.io/bootstrapping=rbac-defaults', '-o', 'name')).trim().split('\n'),
    ).toHaveLength(14);
  });

  test('a refusal says who may not do what', async () => {
    const { stderr } = await run('get', 'secrets', '-n', 'red', '--as=jane');
    expect(stderr).toBe(
      'Error from server (Forbidden): secrets is forbidden: User "jane" cannot list resource "secrets" in API group "" in the namespace "red"\n',
    );
  });
});
