import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeServiceAccountKey } from '../../runtime/authentication/service-account/key.ts';
import { legacyClaims } from '../../runtime/authentication/service-account/legacy.ts';
import { signClaims } from '../../runtime/authentication/service-account/token-generator.ts';
import { type RunningServer, startServer } from '../../runtime/index.ts';
import { privateKeyPem } from '../../runtime/machinery/x509/private-key.ts';
import { HttpClient } from '../support/http-client.ts';

const accounts = '/api/v1/namespaces/default/serviceaccounts';
const secrets = '/api/v1/namespaces/default/secrets';
const whoAmI = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

describe('options of service accounts', () => {
  const signing = makeServiceAccountKey();
  const former = makeServiceAccountKey();
  let folder: string;
  let server: RunningServer;
  let admin: HttpClient;
  let stranger: HttpClient;
  let uid: string;
  const post = (path: string, body: object) => admin.send('POST', path, JSON.stringify(body), 'application/json');
  const asToken = (token: string) =>
    stranger.send('POST', whoAmI, '{}', 'application/json', { headers: { authorization: `Bearer ${token}` } });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sa-'));
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
    await writeFile(join(folder, 'signing.key'), privateKeyPem(signing.privateKey));
    await writeFile(
      join(folder, 'further.pem'),
      `${privateKeyPem(former.privateKey)}${rsa.publicKey.export({ type: 'pkcs1', format: 'pem' })}`,
    );
    server = await startServer({
      serviceAccountSigningKeyFile: join(folder, 'signing.key'),
      serviceAccountKeyFiles: [join(folder, 'further.pem')],
      serviceAccountIssuers: ['https://new.example', 'https://old.example'],
      apiAudiences: ['api', 'other'],
      serviceAccountJwksUri: 'https://keys.example/jwks',
      serviceAccountMaxTokenExpiration: 2 * 3600_000,
      controllers: ['*', 'serviceaccount-token-controller'],
    });
    admin = HttpClient.for(server);
    stranger = HttpClient.withoutCertificate(server);
    uid = (await post(accounts, { metadata: { name: 'robot' } })).json.metadata.uid;
  });
  afterAll(async () => {
    admin?.close();
    stranger?.close();
    await server?.close();
    await rm(folder, { recursive: true });
  });

  const claims = (iss: string) => {
    const now = Math.floor(Date.now() / 1000);
    return {
      iss,
      aud: ['other'],
      iat: now,
      nbf: now,
      exp: now + 600,
      sub: 'system:serviceaccount:default:robot',
      'kubernetes.io': { namespace: 'default', serviceaccount: { name: 'robot', uid } },
    };
  };

  test.each<[string, string, typeof signing, number]>([
    ['the signing key', 'https://new.example', signing, 201],
    ['a further key', 'https://new.example', former, 201],
    ['the former issuer', 'https://old.example', former, 201],
    ['an unknown key', 'https://new.example', makeServiceAccountKey(), 401],
    ['an unknown issuer', 'https://kubernetes.default.svc.cluster.local', signing, 401],
  ])('a token of %s', async (_, issuer, key, want) => {
    expect((await asToken(await signClaims(claims(issuer), key))).status).toBe(want);
  });

  test('requested tokens are of the first issuer, for the audiences, and not valid for too long', async () => {
    const { json, headers } = await post(`${accounts}/robot/token`, { spec: { expirationSeconds: 7201 } });
    expect(json.spec).toMatchObject({ audiences: ['api', 'other'], expirationSeconds: 7200 });
    expect(headers.warning).toContain('requested expiration of 7201 seconds shortened to 7200 seconds');
    const payload = JSON.parse(Buffer.from(json.status.token.split('.')[1], 'base64url').toString());
    expect(payload).toMatchObject({ iss: 'https://new.example', exp: payload.iat + 7200 });
  });

  test('tokens that a kubelet asks for are valid for a year', async () => {
    await post('/api/v1/namespaces/default/pods', {
      metadata: { name: 'p' },
      spec: { serviceAccountName: 'robot', containers: [{ name: 'c', image: 'i' }] },
    });
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'p' };
    const ask = async (spec: object) => {
      const { json } = await post(`${accounts}/robot/token`, { spec: { boundObjectRef, ...spec } });
      const payload = JSON.parse(Buffer.from(json.status.token.split('.')[1], 'base64url').toString());
      return [payload.exp - payload.iat, payload['kubernetes.io'].warnafter - payload.iat, json.spec.expirationSeconds];
    };
    expect(await ask({ expirationSeconds: 3607 })).toEqual([365 * 24 * 3600, 3607, 3607]);
    expect(await ask({ expirationSeconds: 3600 })).toEqual([3600, Number.NaN, 3600]);
    expect(await ask({ expirationSeconds: 3607, audiences: ['vault'] })).toEqual([3607, Number.NaN, 3607]);
  });

  test('the discovery documents have all keys', async () => {
    expect((await admin.get('/.well-known/openid-configuration')).json).toMatchObject({
      issuer: 'https://new.example',
      jwks_uri: 'https://keys.example/jwks',
      id_token_signing_alg_values_supported: ['ES256', 'RS256'],
    });
    const { keys } = (await admin.get('/openid/v1/jwks')).json;
    expect(keys.map(({ kid }: { kid: string }) => kid)).toEqual([signing.id, former.id, expect.any(String)]);
  });

  const read = async (name: string) => (await admin.get(`${secrets}/${name}`)).json;
  const until = async (name: string, holds: (secret: ReturnType<typeof JSON.parse>) => boolean) => {
    for (;;) {
      const secret = await read(name);
      if (holds(secret)) return secret;
    }
  };
  const annotations = { 'kubernetes.io/service-account.name': 'robot' };
  const type = 'kubernetes.io/service-account-token';

  test('a Secret gets a token, which is valid until the Secret is deleted', async () => {
    await post(secrets, { metadata: { name: 'robot-token', annotations }, type });
    const { data, metadata } = await until('robot-token', (secret) => secret.data?.token !== undefined);
    const decoded = (key: string): string => Buffer.from(data[key], 'base64').toString();
    expect([decoded('namespace'), decoded('ca.crt')]).toEqual(['default', server.caCertificate]);
    expect(metadata.annotations['kubernetes.io/service-account.uid']).toBe(uid);
    const token = decoded('token');
    const { status, json } = await asToken(token);
    expect([status, json.status.userInfo.username]).toEqual([201, 'system:serviceaccount:default:robot']);
    const label = 'kubernetes.io/legacy-token-last-used';
    const used = await until('robot-token', (secret) => secret.metadata.labels?.[label] !== undefined);
    expect(used.metadata.labels[label]).toMatch(/^\d{4}-\d\d-\d\d$/);
    await admin.send('DELETE', `${secrets}/robot-token`);
    expect((await asToken(token)).status).toBe(401);
    const forged = await signClaims(legacyClaims({ namespace: 'default', name: 'robot', uid }, 'robot-token'), signing);
    expect((await asToken(forged)).status).toBe(401);
  });

  test('a Secret without its service account is deleted', async () => {
    await post(secrets, {
      metadata: { name: 'lost', annotations: { 'kubernetes.io/service-account.name': 'nobody' } },
      type,
    });
    expect(await until('lost', (secret) => secret.kind === 'Status')).toMatchObject({ code: 404 });
  });

  test.each<[object, string]>([
    [{ serviceAccountIssuers: [''] }, 'service-account-issuer should not be an empty string'],
    [{ serviceAccountIssuers: ['a', 'a'] }, 'service-account-issuer "a" is already specified'],
    [{ serviceAccountIssuers: ['https:// x'] }, "contained a ':' but was not a valid URL"],
    [{ serviceAccountJwksUri: 'http://x' }, 'service-account-jwks-uri requires https scheme, parsed as: http://x'],
    [{ serviceAccountMaxTokenExpiration: 1000 }, 'must be between 1 hour and 2^32 seconds'],
    [{ serviceAccountKeyFiles: ['/nonexistent'] }, '--service-account-key-file: /nonexistent: ENOENT'],
    [{ serviceAccountSigningKeyFile: '/nonexistent' }, '--service-account-signing-key-file: /nonexistent: ENOENT'],
  ])('%j are refused', async (options, why) => {
    await expect(startServer(options)).rejects.toThrow(why);
  });
});
