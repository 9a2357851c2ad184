import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { HttpClient } from '../../support/http-client.ts';
import { ObjectFixture } from '../../support/object-fixture.ts';
import { patchTypes } from '../../support/write-fixture.ts';

// openssl req -new -subj /CN=a, with an Ed25519 key
const request = Buffer.from(`-----BEGIN CERTIFICATE REQUEST-----
MIGLMD8CAQAwDDEKMAgGA1UEAwwBYTAqMAUGAytlcAMhAFLlGEP0JQEUraxJ4UNb
eYInlxU9NbdIYWLmCJqRnHMfoAAwBQYDK2VwA0EAgqryEe4IYYcSD96l+bd5Nrn7
p16c/kgghKsaFp2Zyy0R2Bnmb524yvmgYWboJJ3r6RC5uQePA33oVdYUj+vtCQ==
-----END CERTIFICATE REQUEST-----
`).toString('base64');

/** Upstream's conformance tests of access, with their titles. */
describe('access', () => {
  let fixture: ObjectFixture;
  let stranger: HttpClient;

  beforeAll(async () => {
    fixture = await ObjectFixture.open('memory');
    stranger = HttpClient.withoutCertificate(fixture.server);
  });
  afterAll(async () => {
    stranger?.close();
    await fixture?.close();
  });

  const send = (method: string, path: string, body?: object, type = 'application/json') =>
    fixture.client.send(method, path, body && JSON.stringify(body), body && type);
  const good = async (...sent: Parameters<typeof send>) => {
    const { status, body, json } = await send(...sent);
    if (status > 202) throw new Error(`${sent[0]} ${sent[1]}: ${status} ${body}`);
    return json;
  };

  test('[sig-auth] Certificates API should support CSR API operations', async () => {
    const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
    const usages = ['digital signature', 'key encipherment', 'server auth'];
    const spec = { request, signerName: 'example.com/conformance', expirationSeconds: 3600, usages };
    const watch = await fixture.watch(path, { labelSelector: 'csr=mine' });
    const made = await good('POST', path, { metadata: { generateName: 'csr-', labels: { csr: 'mine' } }, spec });
    const own = `${path}/${made.metadata.name}`;
    expect(await good('GET', own)).toMatchObject({ spec: { ...spec, username: expect.any(String) } });
    expect((await good('GET', `${path}?labelSelector=csr%3Dmine`)).items).toHaveLength(1);
    await good('PATCH', own, { metadata: { annotations: { patched: 'true' } } }, patchTypes.merge);

    const conditions = [{ type: 'Approved', status: 'True', reason: 'E2E', message: 'Set from an e2e test' }];
    const current = await good('GET', `${own}/approval`);
    const approved = await good('PUT', `${own}/approval`, { ...current, status: { conditions } });
    expect(approved.status.conditions).toMatchObject(conditions);
    const changes = [{ metadata: { annotations: { patchedapproval: 'true' } } }, patchTypes.merge] as const;
    expect((await good('PATCH', `${own}/approval`, ...changes)).metadata.annotations).toMatchObject({
      patched: 'true',
      patchedapproval: 'true',
    });

    const issued = await good('GET', `${own}/status`);
    const certificate = Buffer.from(fixture.server.caCertificate).toString('base64');
    await good('PUT', `${own}/status`, { ...issued, status: { ...issued.status, certificate } });
    const failure = { type: 'StatusUpdate', status: 'True', reason: 'E2E', message: 'Set from an e2e test' };
    const patched = { status: { conditions: [...approved.status.conditions, failure] } };
    const final = await good('PATCH', `${own}/status`, patched, patchTypes.merge);
    expect(final.status).toMatchObject({ certificate, conditions: [...conditions, failure] });

    await good('DELETE', own);
    expect((await send('GET', own)).status).toBe(404);
    await good('POST', path, { metadata: { generateName: 'csr-', labels: { csr: 'mine' } }, spec });
    await good('DELETE', `${path}?labelSelector=csr%3Dmine`);
    expect((await good('GET', `${path}?labelSelector=csr%3Dmine`)).items).toEqual([]);
    const types: string[] = [];
    while (types.filter((type) => type === 'DELETED').length < 2) types.push((await watch.take(1))[0]?.type ?? '');
    expect(new Set(types)).toEqual(new Set(['ADDED', 'MODIFIED', 'DELETED']));
    watch.close();
  });

  test('[sig-auth] ServiceAccounts should run through the lifecycle of a ServiceAccount', async () => {
    const path = await fixture.fresh('/api/v1', 'serviceaccounts');
    const watch = await fixture.watch(path, { labelSelector: 'test-serviceaccount-static=true' });
    const labels = { 'test-serviceaccount-static': 'true' };
    await good('POST', path, { metadata: { name: 'testserviceaccount', labels } });
    await good('PATCH', `${path}/testserviceaccount`, { automountServiceAccountToken: false }, patchTypes.strategic);
    const { items } = await good('GET', '/api/v1/serviceaccounts?labelSelector=test-serviceaccount-static%3Dtrue');
    expect(items).toMatchObject([{ metadata: { name: 'testserviceaccount' }, automountServiceAccountToken: false }]);
    await good('DELETE', `${path}?labelSelector=test-serviceaccount-static%3Dtrue`);
    expect((await watch.take(3)).map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
    watch.close();
  });

  test('[sig-auth] ServiceAccounts should update a ServiceAccount', async () => {
    const path = await fixture.fresh('/api/v1', 'serviceaccounts');
    const made = await good('POST', path, { metadata: { name: 'sa' }, automountServiceAccountToken: false });
    await good('PUT', `${path}/sa`, { ...made, automountServiceAccountToken: true });
    expect(await good('GET', `${path}/sa`)).toMatchObject({ automountServiceAccountToken: true });
  });

  test('[sig-auth] ServiceAccounts should create a serviceAccountToken and ensure a successful TokenReview', async () => {
    const path = await fixture.fresh('/api/v1', 'serviceaccounts');
    const namespace = path.split('/').at(-2);
    await good('POST', path, { metadata: { name: 'e2e-sa' } });
    const { status } = await good('POST', `${path}/e2e-sa/token`, { spec: { expirationSeconds: 3600 } });
    const review = { spec: { token: status.token } };
    const reviewed = await good('POST', '/apis/authentication.k8s.io/v1/tokenreviews', review);
    expect(reviewed.status).toMatchObject({
      authenticated: true,
      user: { username: `system:serviceaccount:${namespace}:e2e-sa` },
    });
    expect(reviewed.status.error).toBeUndefined();
  });

  test('[sig-auth] ServiceAccounts ServiceAccountIssuerDiscovery should support OIDC discovery of service account issuer', async () => {
    const path = await fixture.fresh('/api/v1', 'serviceaccounts');
    await good('POST', path, { metadata: { name: 'verifier' } });
    const tokenFor = async (...audiences: readonly string[]): Promise<string> =>
      (await good('POST', `${path}/verifier/token`, { spec: { audiences } })).status.token;
    const token = await tokenFor('oidc');
    // a pod sends the token for this server
    const own = await tokenFor();
    const asVerifier = (url: string) => stranger.get(url, { headers: { authorization: `Bearer ${own}` } });
    const { json: configuration } = await asVerifier('/.well-known/openid-configuration');
    expect(configuration.issuer).toBe(decodeJwt(token).iss);
    const { json: keys } = await asVerifier(new URL(configuration.jwks_uri).pathname);
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
      issuer: configuration.issuer,
      audience: 'oidc',
    });
    expect(payload.sub).toBe(`system:serviceaccount:${path.split('/').at(-2)}:verifier`);
  });

  test('[sig-auth] SubjectReview should support SubjectReview API operations', async () => {
    const path = await fixture.fresh('/api/v1', 'serviceaccounts');
    const namespace = path.split('/').at(-2) as string;
    await good('POST', path, { metadata: { name: 'e2e' } });
    const roles = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }];
    await good('POST', `${roles}/roles`, { metadata: { name: 'lister' }, rules });
    const user = `system:serviceaccount:${namespace}:e2e`;
    await good('POST', `${roles}/rolebindings`, {
      metadata: { name: 'lister' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'lister' },
      subjects: [{ kind: 'ServiceAccount', name: 'e2e', namespace }],
    });
    for (const [resource, allowed] of [
      ['configmaps', true],
      ['secrets', false],
    ] as const) {
      const spec = { user, resourceAttributes: { verb: 'list', resource, namespace, version: 'v1' } };
      const reviews = '/apis/authorization.k8s.io/v1';
      const review = await good('POST', `${reviews}/subjectaccessreviews`, { spec });
      const local = await good('POST', `${reviews}/namespaces/${namespace}/localsubjectaccessreviews`, { spec });
      expect([review.status.allowed, local.status.allowed]).toEqual([allowed, allowed]);
      const headers = { 'impersonate-user': user };
      const { status } = await fixture.client.get(`/api/v1/namespaces/${namespace}/${resource}`, { headers });
      expect(status).toBe(allowed ? 200 : 403);
    }
  });
});
