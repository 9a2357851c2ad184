import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { type RunningServer, type ServerOptions, startServer } from '../../runtime/index.ts';
import { HttpClient } from '../support/http-client.ts';
import { describeKubectl, Kubectl } from '../support/kubectl.ts';
import { ManualClock } from '../support/manual-clock.ts';

const issuer = 'https://kubernetes.default.svc.cluster.local';
const accountPath = '/api/v1/namespaces/default/serviceaccounts/robot';
const whoAmI = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

describe('tokens of service accounts', () => {
  let clock: ManualClock;
  let server: RunningServer;
  let admin: HttpClient;
  let stranger: HttpClient;
  let uid: string;

  const post = (path: string, body: object) => admin.send('POST', path, JSON.stringify(body), 'application/json');
  const tokenPath = `${accountPath}/token`;
  const issue = async (spec: object = {}): Promise<string> => (await post(tokenPath, { spec })).json.status.token;
  const asToken = (token: string) =>
    stranger.send('POST', whoAmI, '{}', 'application/json', { headers: { authorization: `Bearer ${token}` } });
  const review = async (spec: object) => (await post('/apis/authentication.k8s.io/v1/tokenreviews', { spec })).json.status;
  const create = async (resource: string, object: object) => (await post(`/api/v1/${resource}`, object)).json.metadata.uid as string;

  beforeEach(async () => {
    clock = new ManualClock();
    // certificates are checked against real time
    clock.advance(Math.max(0, Date.now() - clock.now()));
    server = await startServer({ clock });
    admin = HttpClient.for(server);
    stranger = HttpClient.withoutCertificate(server);
    uid = await create('namespaces/default/serviceaccounts', { metadata: { name: 'robot' } });
  });

  afterEach(async () => {
    admin?.close();
    stranger?.close();
    await server?.close();
  });

  test('after two spaces are ignored, with a warning', async () => {
    const response = await asToken(` ${await issue()}`);
    // without the token, the user is anonymous
    expect([response.status, response.headers.warning]).toEqual([
      403,
      '299 - "the provided Authorization header contains extra space before the bearer token, and is ignored"',
    ]);
  });

  test('are returned in the status of a TokenRequest', async () => {
    const { status, json } = await post(tokenPath, { spec: { expirationSeconds: 1200 } });
    expect(status).toBe(201);
    const time = (ms: number): string => new Date(Math.floor(ms / 1000) * 1000).toISOString().replace('.000Z', 'Z');
    const managed = {
      manager: 'unknown',
      operation: 'Update',
      apiVersion: 'authentication.k8s.io/v1',
      time: time(clock.now()),
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:expirationSeconds': {} } },
      subresource: 'token',
    };
    expect(json).toEqual({
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { name: 'robot', namespace: 'default', uid, creationTimestamp: time(clock.now()), managedFields: [managed] },
      spec: { audiences: [issuer], expirationSeconds: 1200, boundObjectRef: null },
      status: { token: expect.any(String), expirationTimestamp: time(clock.now() + 1200_000) },
    });
  });

  test('authenticate their service account until they expire', async () => {
    const token = await issue();
    const { status, json } = await asToken(token);
    expect(status).toBe(201);
    expect(json.status.userInfo).toEqual({
      username: 'system:serviceaccount:default:robot',
      uid,
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^JTI=/)] },
    });
    clock.advance(3600_000 + 60_001);
    expect((await asToken(token)).status).toBe(401);
  });

  test('that are tampered with, of other issuers or for other audiences are rejected', async () => {
    const token = await issue();
    const [head, payload, signature] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    claims['kubernetes.io'].serviceaccount.name = 'admin';
    const forged = Buffer.from(JSON.stringify(claims)).toString('base64url');
    const elsewhere = await startServer();
    const other = HttpClient.for(elsewhere);
    try {
      await other.send('POST', accountPath.slice(0, -6), '{"metadata":{"name":"robot"}}', 'application/json');
      const foreign = (await other.send('POST', tokenPath, '{}', 'application/json')).json.status.token;
      for (const bad of [`${head}.${forged}.${signature}`, foreign, 'x', await issue({ audiences: ['vault'] })]) {
        expect((await asToken(bad)).status).toBe(401);
      }
    } finally {
      other.close();
      await elsewhere.close();
    }
  });

  test('are invalid once the service account is deleted, also when another takes its name', async () => {
    const token = await issue();
    expect((await asToken(token)).status).toBe(201);
    await admin.send('DELETE', accountPath);
    expect((await asToken(token)).status).toBe(401);
    await create('namespaces/default/serviceaccounts', { metadata: { name: 'robot' } });
    expect((await asToken(token)).status).toBe(401);
  });

  test('bound to a pod name the pod and its node, and are invalid once it is deleted', async () => {
    const nodeUid = await create('nodes', { metadata: { name: 'n1' } });
    const podUid = await create('namespaces/default/pods', {
      metadata: { name: 'p' },
      spec: { serviceAccountName: 'robot', nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] },
    });
    const token = await issue({ boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: podUid } });
    expect((await asToken(token)).json.status.userInfo.extra).toMatchObject({
      'authentication.kubernetes.io/pod-name': ['p'],
      'authentication.kubernetes.io/pod-uid': [podUid],
      'authentication.kubernetes.io/node-name': ['n1'],
      'authentication.kubernetes.io/node-uid': [nodeUid],
    });
    await admin.send('DELETE', '/api/v1/namespaces/default/pods/p?gracePeriodSeconds=0');
    expect((await asToken(token)).status).toBe(401);
  });

  test.each([
    ['Secret', 'namespaces/default/secrets'],
    ['Node', 'nodes'],
  ])('bound to a %s are invalid once it is deleted', async (kind, resource) => {
    await create(resource, { metadata: { name: 'thing' } });
    const token = await issue({ boundObjectRef: { apiVersion: 'v1', kind, name: 'thing' } });
    expect((await asToken(token)).status).toBe(201);
    await admin.send('DELETE', `/api/v1/${resource}/thing`);
    expect((await asToken(token)).status).toBe(401);
  });

  test.each([
    [
      { spec: { expirationSeconds: 599 } },
      422,
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
    ],
    [
      { spec: { expirationSeconds: 2 ** 32 + 1 } },
      422,
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds',
    ],
    [
      { metadata: { name: 'other' } },
      422,
      'TokenRequest.authentication.k8s.io "robot" is invalid: metadata.name: Invalid value: "other": must match the service account name if specified',
    ],
    [{ metadata: { namespace: 'other' } }, 400, 'the namespace of the provided object does not match the namespace sent on the request'],
    [{ spec: { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'none' } } }, 404, 'pods "none" not found'],
    [{ spec: { boundObjectRef: { apiVersion: 'v1', kind: 'Pod' } } }, 400, 'Name parameter required.'],
    [{ spec: { boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: '' } } }, 400, 'Name parameter required.'],
    [
      { spec: { boundObjectRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'none' } } },
      400,
      'cannot bind token to object of type apps/v1, Kind=Deployment',
    ],
  ])('cannot be requested with %j', async (body, code, message) => {
    expect((await post(tokenPath, body)).json).toMatchObject({ code, message });
  });

  test('cannot be requested for pods of other accounts, for other uids, and for absent accounts', async () => {
    await create('namespaces/default/serviceaccounts', { metadata: { name: 'someone' } });
    await create('namespaces/default/pods', {
      metadata: { name: 'p' },
      spec: { serviceAccountName: 'someone', containers: [{ name: 'c', image: 'i' }] },
    });
    await create('namespaces/default/secrets', { metadata: { name: 's' } });
    const rejected = async (spec: object) => (await post(tokenPath, { spec })).json;
    expect(await rejected({ boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p' } })).toMatchObject({
      code: 400,
      message: 'cannot bind token for serviceaccount "robot" to pod running with different serviceaccount name.',
    });
    expect(await rejected({ boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 's', uid: 'x' } })).toMatchObject({
      code: 409,
      message:
        'Operation cannot be fulfilled on Secret "s": the UID in the bound object reference (x) does not match the UID in record. The object might have been deleted and then recreated',
    });
    expect((await post(tokenPath, { metadata: { uid: 'x' } })).json).toMatchObject({
      code: 409,
      message: `Operation cannot be fulfilled on TokenRequest.authentication.k8s.io "robot": the UID in the token request (x) does not match the UID of the service account (${uid})`,
    });
    expect((await post(tokenPath.replace('robot', 'none'), {})).json.message).toBe('serviceaccounts "none" not found');
  });

  test('are accepted by token reviews, with their audiences', async () => {
    const token = await issue({ audiences: ['vault', issuer] });
    const own = await review({ token });
    expect(own).toMatchObject({ authenticated: true, audiences: [issuer] });
    expect(own.user).toMatchObject({ username: 'system:serviceaccount:default:robot', uid });
    expect(own.user.groups).toContain('system:authenticated');
    expect(await review({ token, audiences: ['bank', 'vault'] })).toMatchObject({ audiences: ['vault'] });
    expect(await review({ token, audiences: ['bank'] })).toEqual({
      user: {},
      error: `[invalid bearer token, token audiences ["vault" "${issuer}"] is invalid for the target audiences ["bank"]]`,
    });
    expect(await review({ token: 'x' })).toEqual({ user: {}, error: 'invalid bearer token' });
  });

  test('can be verified with the published keys', async () => {
    const configuration = await admin.get('/.well-known/openid-configuration');
    expect(configuration.json).toMatchObject({ issuer, jwks_uri: `${server.url}/openid/v1/jwks` });
    expect(configuration.headers['cache-control']).toBe('public, max-age=3600');
    const { json, headers } = await admin.get('/openid/v1/jwks');
    expect(headers['content-type']).toBe('application/jwk-set+json');
    const options = { issuer, audience: 'vault', currentDate: new Date(clock.now()) };
    const { payload } = await jwtVerify(await issue({ audiences: ['vault'] }), createLocalJWKSet(json), options);
    expect(payload.sub).toBe('system:serviceaccount:default:robot');
  });
});

describe('the signing key', () => {
  let folder: string;
  const running: { close(): Promise<void> | void }[] = [];

  const start = async (options: ServerOptions) => {
    const server = await startServer({ certDir: folder, ...options });
    const client = HttpClient.for(server);
    running.push(client, server);
    return client;
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubeloom-sa-'));
  });

  afterEach(async () => {
    for (const one of running.splice(0)) await one.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('is created when first needed, stored beside the certificates and shared by servers', async () => {
    const clients = [await start({}), await start({})];
    await expect(stat(join(folder, 'sa.key'))).rejects.toThrow('ENOENT');
    const [one, two] = await Promise.all(clients.map((client) => client.get('/openid/v1/jwks')));
    expect(one.json).toEqual(two.json);
    expect((await stat(join(folder, 'sa.key'))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(folder, 'sa.pub'), 'utf8')).toContain('BEGIN PUBLIC KEY');
    expect((await (await start({})).get('/openid/v1/jwks')).json).toEqual(one.json);
  });

  test('must be a valid key', async () => {
    await writeFile(join(folder, 'sa.key'), 'nothing');
    await expect(startServer({ certDir: folder })).rejects.toThrow('sa.key');
  });
});

describeKubectl('kubectl with tokens', () => {
  let server: RunningServer;
  let admin: Kubectl;
  let stranger: Kubectl;

  beforeAll(async () => {
    server = await startServer();
    admin = await Kubectl.for(server.kubeconfig);
    const authority = Buffer.from(server.caCertificate).toString('base64');
    stranger = await Kubectl.for(
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'c',
        clusters: [{ name: 'c', cluster: { server: server.url, 'certificate-authority-data': authority } }],
        contexts: [{ name: 'c', context: { cluster: 'c', user: 'nobody' } }],
        users: [{ name: 'nobody', user: {} }],
      }),
    );
  });

  afterAll(async () => {
    await admin?.close();
    await stranger?.close();
    await server?.close();
  });

  test('creates them, authenticates with them, and is unauthorized once the account is deleted', async () => {
    await admin.ok(['create', 'serviceaccount', 'robot']);
    const role = ['--clusterrole=view', '--serviceaccount=default:robot'];
    await admin.ok(['create', 'rolebinding', 'robot', ...role]);
    const token = (await admin.ok(['create', 'token', 'robot', '--duration=10m'])).trim();
    expect(await stranger.ok([`--token=${token}`, 'auth', 'whoami'])).toContain('system:serviceaccount:default:robot');
    expect(await stranger.ok([`--token=${token}`, 'get', 'serviceaccounts', '-o', 'name'])).toContain('robot');
    expect((await stranger.run([`--token=${token}x`, 'get', 'pods'])).stderr).toContain('Unauthorized');
    await admin.ok(['delete', 'serviceaccount', 'robot']);
    expect((await stranger.run([`--token=${token}`, 'get', 'pods'])).stderr).toContain('Unauthorized');
    expect((await admin.run(['create', 'token', 'robot'])).stderr).toContain('serviceaccounts "robot" not found');
  });

  test('prints a warning for durations that are too short', async () => {
    await admin.ok(['create', 'serviceaccount', 'brief']);
    const { stderr } = await admin.run(['create', 'token', 'brief', '--duration=1m']);
    expect(stderr).toBe(
      'error: failed to create token: TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 60: may not specify a duration less than 10 minutes\n',
    );
  });
});
