import { beforeAll, describe, expect, test } from '@jest/globals';
import type { HttpResponse } from '../../support/http-client.ts';
import { TestServer } from '../../support/test-server.ts';

const configMaps = (namespace: string): string => `/api/v1/namespaces/${namespace}/configmaps`;
const named = (name: string, metadata: object = {}): string => JSON.stringify({ metadata: { name, ...metadata } });
const mergePatch = 'application/merge-patch+json';
const outcome = ({ status, json }: HttpResponse): unknown => (status < 300 ? status : [status, json.message]);

describe('AlwaysDeny', () => {
  const suite = TestServer.forSuite({ enableAdmissionPlugins: ['AlwaysDeny'] });
  const denied = (what: string): unknown => [403, `${what} is forbidden: admission control is denying all modifications`];

  test.each([
    ['POST', configMaps('default'), named('a'), 'configmaps "a"'],
    ['POST', '/api/v1/namespaces', named('b'), 'namespaces "b"'],
    ['DELETE', '/api/v1/namespaces/kube-node-lease', '', 'namespaces "kube-node-lease"'],
    [
      'POST',
      '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      '{"spec":{}}',
      'selfsubjectaccessreviews.authorization.k8s.io "Unknown"',
    ],
  ])('%s %s is refused', async (method, path, body, what) => {
    expect(outcome(await suite.http.send(method, path, body))).toEqual(denied(what));
  });

  test('PUT, PATCH and apply are refused', async () => {
    const path = '/api/v1/namespaces/default';
    const apply = `{"apiVersion":"v1","kind":"Namespace",${named('default').slice(1)}`;
    for (const [method, body, type] of [
      ['PUT', named('default'), 'application/json'],
      ['PATCH', '{}', mergePatch],
      ['PATCH', apply, 'application/apply-patch+yaml'],
    ]) {
      const { json, status } = await suite.http.send(method, `${path}?fieldManager=me`, body, type);
      expect([status, json.message]).toEqual(denied('namespaces "default"'));
    }
  });

  test('reads are not asked about', async () => {
    expect((await suite.http.get('/api/v1/namespaces/default')).status).toBe(200);
  });
});

describe('namespaces', () => {
  describe('by default', () => {
    const suite = TestServer.forSuite();

    test('an object in an absent one is not found, whether it is stored or not', async () => {
      const absent = [404, 'namespaces "nowhere" not found'];
      expect(outcome(await suite.http.send('POST', configMaps('nowhere'), named('a')))).toEqual(absent);
      expect(outcome(await suite.http.send('POST', `${configMaps('nowhere')}?dryRun=All`, named('a')))).toEqual(absent);
    });

    test('a review in an absent one does not tell that it is absent', async () => {
      const path = '/apis/authorization.k8s.io/v1/namespaces/nowhere/localsubjectaccessreviews';
      const spec = { user: 'jane', resourceAttributes: { namespace: 'nowhere', verb: 'get', resource: 'pods' } };
      expect((await suite.http.send('POST', path, JSON.stringify({ metadata: { namespace: 'nowhere' }, spec }))).status).toBe(201);
    });
  });

  describe('with NamespaceAutoProvision', () => {
    const suite = TestServer.forSuite({ enableAdmissionPlugins: ['NamespaceAutoProvision'] });

    test('an absent one is created with its first object', async () => {
      expect((await suite.http.send('POST', configMaps('made'), named('a'))).status).toBe(201);
      const { json } = await suite.http.get('/api/v1/namespaces/made');
      expect(json).toMatchObject({
        metadata: { name: 'made' },
        spec: { finalizers: ['kubernetes'] },
        status: { phase: 'Active' },
      });
    });

    test('a dry run creates none', async () => {
      expect((await suite.http.send('POST', `${configMaps('dry')}?dryRun=All`, named('a'))).status).toBe(404);
      expect((await suite.http.get('/api/v1/namespaces/dry')).status).toBe(404);
    });

    test('a name that no namespace can have is refused', async () => {
      const answer = outcome(await suite.http.send('POST', configMaps('Not_A_Name'), named('a')));
      expect(answer).toEqual([403, expect.stringMatching(/^configmaps "a" is forbidden: Namespace "Not_A_Name" is invalid: /)]);
    });
  });

  describe('without NamespaceLifecycle', () => {
    const suite = TestServer.forSuite({ disableAdmissionPlugins: ['NamespaceLifecycle'] });

    test('an object may be in an absent one', async () => {
      expect((await suite.http.send('POST', configMaps('nowhere'), named('a'))).status).toBe(201);
    });
  });

  describe('with NamespaceExists alone', () => {
    const disableAdmissionPlugins = ['NamespaceLifecycle'];
    const suite = TestServer.forSuite({ disableAdmissionPlugins, enableAdmissionPlugins: ['NamespaceExists'] });

    test('an object in an absent one is not found', async () => {
      const answer = outcome(await suite.http.send('POST', configMaps('nowhere'), named('a')));
      expect(answer).toEqual([404, 'namespaces "nowhere" not found']);
    });
  });
});

describe('OwnerReferencesPermissionEnforcement', () => {
  const suite = TestServer.forSuite({ enableAdmissionPlugins: ['OwnerReferencesPermissionEnforcement'] });
  const rules = [{ verbs: ['create', 'get', 'update', 'patch'], apiGroups: [''], resources: ['configmaps'] }];
  const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'u1' };
  const asJane = async (method: string, path: string, body: string): Promise<unknown> => {
    const type = method === 'PATCH' ? mergePatch : 'application/json';
    return outcome(await suite.http.send(method, path, body, type, { headers: { 'impersonate-user': 'jane' } }));
  };

  beforeAll(async () => {
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    await suite.http.send('POST', `${rbac}/clusterroles`, JSON.stringify({ metadata: { name: 'janes' }, rules }));
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'janes' };
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }];
    await suite.http.send('POST', `${rbac}/clusterrolebindings`, JSON.stringify({ metadata: { name: 'janes' }, roleRef, subjects }));
    await suite.http.send('POST', configMaps('default'), named('owned'));
  });

  test('who creates an object may say who owns it', async () => {
    expect(await asJane('POST', configMaps('default'), named('new', { ownerReferences: [owner] }))).toBe(201);
  });

  test('who may not delete an object may not change its owners, but everything else', async () => {
    const path = `${configMaps('default')}/owned`;
    expect(await asJane('PATCH', path, JSON.stringify({ data: { a: 'b' } }))).toBe(200);
    expect(await asJane('PATCH', path, JSON.stringify({ metadata: { ownerReferences: [owner] } }))).toEqual([
      403,
      'configmaps "owned" is forbidden: cannot set an ownerRef on a resource you can\'t delete: , <nil>',
    ]);
  });

  test.each([
    [
      'an owner whose finalizers one may not update',
      owner,
      "if an ownerReference refers to a resource you can't set finalizers on: , <nil>",
    ],
    [
      'an owner of no known kind',
      { ...owner, apiVersion: 'nowhere/v1', kind: 'Nothing' },
      'in this case because cannot find RESTMapping for APIVersion nowhere/v1 Kind Nothing: no matches for kind "Nothing" in version "nowhere/v1"',
    ],
  ])('nobody blocks the deletion of %s', async (_, reference, why) => {
    const blocking = { ...reference, blockOwnerDeletion: true };
    expect(await asJane('POST', configMaps('default'), named('blocking', { ownerReferences: [blocking] }))).toEqual([
      403,
      `configmaps "blocking" is forbidden: cannot set blockOwnerDeletion ${why}`,
    ]);
  });
});
