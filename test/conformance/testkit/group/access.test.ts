import { describe, expect, test } from '@jest/globals';
import { startServer } from '../../../../runtime/index.ts';
import { HttpClient } from '../../../support/http-client.ts';
import { review, testGroup } from '../../../support/test-group.ts';
import { TestServer } from '../../../support/test-server.ts';

const json = 'application/json';

describe('testing.kubeloom.dev', () => {
  const suite = TestServer.forSuite({
    testControls: true,
    clock: 'manual',
    featureGates: ['CBORServingAndStorage=true'],
  });

  test('is in discovery and OpenAPI', async () => {
    const { json: discovery } = await suite.http.get(testGroup);
    const verbs = Object.fromEntries(discovery.resources.map((one: { name: string; verbs: string[] }) => [one.name, one.verbs]));
    expect(verbs).toMatchObject({ clockadvances: ['create'], requestlogreviews: ['create'] });
    const { json: openapi } = await suite.http.get(`/openapi/v3${testGroup}`);
    const { description } = openapi.components.schemas['dev.kubeloom.testing.v1alpha1.ClockAdvance'];
    expect(description).toMatch(/^ClockAdvance moves the clock/);
  });

  test.each([
    ['application/yaml', 200],
    ['application/cbor', 200],
    ['application/vnd.kubernetes.protobuf', 406],
  ])('answers a client that accepts only %s with %d', async (accept, status) => {
    const answer = await suite.http.get(`${testGroup}/snapshots`, { headers: { accept } });
    expect([answer.status, answer.headers['content-type']]).toEqual([status, accept]);
  });

  test('refuses whoever is not in system:masters, whatever RBAC says', async () => {
    const { http } = suite;
    const binding = {
      metadata: { name: 'jane-may-everything' },
      subjects: [{ kind: 'User', name: 'jane', apiGroup: 'rbac.authorization.k8s.io' }],
      roleRef: { kind: 'ClusterRole', name: 'cluster-admin', apiGroup: 'rbac.authorization.k8s.io' },
    };
    const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
    expect((await http.send('POST', bindings, JSON.stringify(binding), json)).status).toBe(201);
    const headers = { 'impersonate-user': 'jane' };
    expect((await http.get('/api/v1/secrets', { headers })).status).toBe(200);
    const refused = await review(http, 'clockadvances', { duration: '1s' }, { headers });
    expect([refused.status, refused.json.message]).toEqual([
      403,
      'clockadvances.testing.kubeloom.dev is forbidden: User "jane" cannot create resource "clockadvances" in API group "testing.kubeloom.dev" at the cluster scope',
    ]);
    const question = {
      spec: {
        user: 'jane',
        resourceAttributes: { group: 'testing.kubeloom.dev', resource: 'faultplans', verb: 'list' },
      },
    };
    const reviews = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
    const answer = await http.send('POST', reviews, JSON.stringify(question), json);
    expect(answer.json.status).toEqual({ allowed: false, denied: true });
    const masters = { ...headers, 'impersonate-group': 'system:masters' };
    expect((await review(http, 'clockadvances', { duration: '1s' }, { headers: masters })).status).toBe(201);
  });

  test('is served whatever webhooks refuse', async () => {
    const { http } = suite;
    const webhooks = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
    const webhook = {
      name: 'all.example.com',
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      clientConfig: { url: 'https://127.0.0.1:1/' },
      rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }],
    };
    await http.send('POST', webhooks, JSON.stringify({ metadata: { name: 'all' }, webhooks: [webhook] }), json);
    expect((await http.send('POST', '/api/v1/namespaces', '{"metadata":{"name":"refused"}}', json)).status).toBe(500);
    expect((await review(http, 'snapshotrestores', {})).status).toBe(201);
    expect((await http.send('POST', '/api/v1/namespaces', '{"metadata":{"name":"made"}}', json)).status).toBe(201);
  });
});

test('a server without test controls knows no testing.kubeloom.dev', async () => {
  const server = await startServer();
  const http = HttpClient.for(server);
  try {
    expect((await review(http, 'clockadvances', { duration: '1s' })).status).toBe(404);
    const { json: groups } = await http.get('/apis');
    expect(groups.groups.map(({ name }: { name: string }) => name)).not.toContain('testing.kubeloom.dev');
  } finally {
    http.close();
    await server.close();
  }
});
