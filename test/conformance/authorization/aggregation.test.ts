import { describe, expect, test } from '@jest/globals';
import { TestServer } from '../../support/test-server.ts';

const clusterRoles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const rule = (resource: string) => ({ verbs: ['get'], apiGroups: ['example.com'], resources: [resource] });

describe('the aggregation of cluster roles', () => {
  const suite = TestServer.forSuite();
  const post = (body: object) => suite.http.send('POST', clusterRoles, JSON.stringify(body), 'application/json');
  const role = async (name: string) => (await suite.http.get(`${clusterRoles}/${name}`)).json;
  const rulesOf = async (name: string): Promise<object[]> => (await role(name)).rules ?? [];

  /** Polls until the rules are as wanted, because the controller acts after the write. */
  async function expectRules(name: string, want: readonly object[]): Promise<void> {
    const deadline = Date.now() + 10_000;
    while (Date.now() < deadline && JSON.stringify(await rulesOf(name)) !== JSON.stringify(want)) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await rulesOf(name)).toEqual(want);
  }

  test('admin, edit and view have their rules as soon as the server is ready', async () => {
    const [view, edit, admin] = await Promise.all(['view', 'edit', 'admin'].map(rulesOf));
    expect([view.length, edit.length, admin.length]).toEqual([12, 27, 29]);
    expect(edit).toEqual(expect.arrayContaining(view));
    expect(admin).toEqual(expect.arrayContaining(edit));
    const { metadata } = await role('view');
    expect(metadata.managedFields).toMatchObject([
      { manager: 'clusterrole-aggregation-controller', operation: 'Apply', fieldsV1: { 'f:rules': {} } },
      { manager: 'kube-apiserver', operation: 'Update' },
    ]);
  });

  test('follows roles that come, change and go, in the order of their names and without repetitions', async () => {
    const labels = { 'example.com/part': 'true' };
    await post({
      metadata: { name: 'whole' },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: labels }] },
    });
    await expectRules('whole', []);
    await post({ metadata: { name: 'part-b', labels }, rules: [rule('b'), rule('a')] });
    await post({ metadata: { name: 'part-a', labels }, rules: [rule('a'), rule('c')] });
    await expectRules('whole', [rule('a'), rule('c'), rule('b')]);
    const patch = JSON.stringify({ metadata: { labels: { 'example.com/part': null } } });
    await suite.http.send('PATCH', `${clusterRoles}/part-a`, patch, 'application/merge-patch+json');
    await expectRules('whole', [rule('b'), rule('a')]);
    await suite.http.send('DELETE', `${clusterRoles}/part-b`);
    await expectRules('whole', []);
  });

  test('a role that is added to view is in edit and admin, too', async () => {
    await post({
      metadata: { name: 'things', labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
      rules: [rule('things')],
    });
    for (const name of ['view', 'edit', 'admin']) {
      const deadline = Date.now() + 10_000;
      while (Date.now() < deadline && !JSON.stringify(await rulesOf(name)).includes('things')) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(await rulesOf(name)).toContainEqual(rule('things'));
    }
  });
});
