import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningServer, startServer } from '../../runtime/index.ts';
import { HttpClient } from '../support/http-client.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { OidcIssuer } from '../support/oidc-issuer.ts';

const whoAmI = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const now = Math.floor(Date.now() / 1000);

/** Returns the user of a token, or the status of a refused request. */
async function asToken(client: HttpClient, token: string): Promise<Record<string, unknown> | number> {
  const headers = { authorization: `Bearer ${token}` };
  const { status, json } = await client.send('POST', whoAmI, '{}', 'application/json', { headers });
  return status === 201 ? json.status.userInfo : status;
}

describe('the issuer of --oidc flags', () => {
  const clock = new ManualClock();
  let folder: string;
  let issuer: OidcIssuer;
  let server: RunningServer;
  let stranger: HttpClient;

  beforeAll(async () => {
    clock.advance(Date.now() - clock.now());
    folder = await mkdtemp(join(tmpdir(), 'oidc-'));
    issuer = await OidcIssuer.open();
    const oidcCaFile = join(folder, 'ca.pem');
    await writeFile(oidcCaFile, issuer.server.authority.certificate);
    server = await startServer({
      clock,
      oidcCaFile,
      oidcIssuerUrl: issuer.url,
      oidcClientId: 'client',
      oidcGroupsClaim: 'roles',
      oidcGroupsPrefix: 'oidc:',
      oidcRequiredClaims: ['hd=example.org'],
      oidcSigningAlgs: ['RS256', 'ES256'],
    });
    stranger = HttpClient.withoutCertificate(server);
  });
  afterAll(async () => {
    stranger?.close();
    await server?.close();
    await issuer.close();
    await rm(folder, { recursive: true });
  });

  const sign = (claims: object = {}, ...rest: [object?, OidcIssuer['keys'][number]?]) =>
    issuer.sign({ hd: 'example.org', ...claims }, ...rest);

  test('names users and their groups', async () => {
    expect(await asToken(stranger, await sign({ roles: ['a', 'b'], jti: 'x' }))).toEqual({
      username: `${issuer.url}#jane`,
      groups: ['oidc:a', 'oidc:b', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': ['JTI=x'] },
    });
    expect(await asToken(stranger, await sign({ roles: 'one', aud: ['x', 'client'] }))).toMatchObject({
      groups: ['oidc:one', 'system:authenticated'],
    });
  });

  test.each<[string, object]>([
    ['has expired', { exp: now - 1 }],
    ['has no expiration', { exp: undefined }],
    ['has an expiration that is no number', { exp: `${now + 600}` }],
    ['is not valid yet', { nbf: now + 400 }],
    ['is for another audience', { aud: 'other' }],
    ['is for no audience', { aud: [] }],
    ['is of another issuer', { iss: 'https://127.0.0.1:1' }],
    ['lacks the name', { sub: undefined }],
    ['has a name that is no text', { sub: 1 }],
    ['has an empty name', { sub: '' }],
    ['has groups that are none', { roles: { a: 1 } }],
    ['lacks a required claim', { hd: undefined }],
    ['has another value of a required claim', { hd: 'evil.org' }],
  ])('refuses a token that %s', async (_, claims) => {
    expect(await asToken(stranger, await sign(claims))).toBe(401);
  });

  test('refuses tokens without a signature of its keys', async () => {
    const [head, payload, signature] = (await sign({ roles: ['a'] })).split('.');
    const claims = base64({ iss: issuer.url, aud: 'client', sub: 'admin', exp: now + 600, hd: 'example.org' });
    const { kid, publicKey } = issuer.keys[0];
    const signedWithPublicKey = (alg: string): string => {
      const text = `${base64({ alg, kid })}.${claims}`;
      const secret = publicKey.export({ type: 'spki', format: 'pem' });
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
    };
    const stolen = OidcIssuer.newKey('RS256');
    const tokens = [
      `${base64({ alg: 'none', kid })}.${claims}.`,
      `${base64({ alg: 'None' })}.${claims}.x`,
      `${head}.${claims}.${signature}`,
      `${head}.${payload}.`,
      signedWithPublicKey('HS256'),
      signedWithPublicKey('RS256'),
      await sign({}, {}, { ...stolen, kid }),
      await sign({}, { jwk: stolen.publicKey.export({ format: 'jwk' }) }, { ...stolen, kid }),
      await sign({}, { jku: `${issuer.url}/keys` }, stolen),
    ];
    for (const token of tokens) expect(await asToken(stranger, token)).toBe(401);
    expect(await asToken(stranger, `${head}.${payload}.${signature}`)).toMatchObject({
      username: `${issuer.url}#jane`,
    });
  });

  test('is asked for its keys when they change, but not for each unknown one', async () => {
    clock.advance(10_000);
    const before = issuer.keyRequests;
    for (let at = 0; at < 20; at++) await asToken(stranger, await sign({}, { kid: `unknown-${at}` }));
    expect(issuer.keyRequests).toBe(before + 1);
    issuer.keys = [OidcIssuer.newKey('ES256'), issuer.keys[0]];
    expect(await asToken(stranger, await sign())).toBe(401);
    clock.advance(10_000);
    expect(await asToken(stranger, await sign())).toMatchObject({ username: `${issuer.url}#jane` });
    expect(issuer.keyRequests).toBe(before + 2);
  });

  test('may break or send keys of all kinds', async () => {
    const [key] = issuer.keys;
    const jwk = { kid: 'new', ...key.publicKey.export({ format: 'jwk' }) };
    const many = [null, 1, {}, { kty: 'oct', k: 'AAAA', kid: 'new' }, { kty: 'EC', crv: 'P-256', x: '!', y: '!' }, { ...jwk, use: 'enc' }];
    for (const [keys, want] of [
      [{ status: 500 }, 401],
      [{ body: 'no' }, 401],
      [{ body: { keys: {} } }, 401],
      [{ body: { keys: many } }, 401],
      [{ body: { keys: [...many, jwk] } }, expect.anything()],
    ] as const) {
      issuer.respondKeys = () => keys;
      clock.advance(10_000);
      expect(await asToken(stranger, await sign({}, { kid: 'new' }))).toEqual(want);
    }
    expect(await asToken(stranger, await sign({ jti: 'again' }, { kid: 'new' }))).toMatchObject({
      username: `${issuer.url}#jane`,
    });
    issuer.respondKeys = undefined;
  });
});

describe('an AuthenticationConfiguration', () => {
  let folder: string;
  let issuer: OidcIssuer;
  const open: { close(): unknown }[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'oidc-'));
    issuer = await OidcIssuer.open();
  });
  afterAll(async () => {
    for (const each of open.reverse()) await each.close();
    await issuer.close();
    await rm(folder, { recursive: true });
  });

  const jwt = (mappings: object = {}, more: object = {}) => ({
    issuer: {
      url: issuer.url,
      discoveryURL: `${issuer.url}/other/discovery`,
      audiences: ['client', 'second'],
      audienceMatchPolicy: 'MatchAny',
      certificateAuthority: issuer.server.authority.certificate,
    },
    claimMappings: { username: { claim: 'sub', prefix: '' }, ...mappings },
    ...more,
  });
  const start = async (config: object, name = 'config.json'): Promise<[HttpClient, RunningServer, ManualClock]> => {
    const authenticationConfig = join(folder, name);
    const kind = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthenticationConfiguration' };
    await writeFile(authenticationConfig, JSON.stringify({ ...kind, ...config }));
    const clock = new ManualClock();
    clock.advance(Date.now() - clock.now());
    const server = await startServer({ authenticationConfig, clock });
    const client = HttpClient.withoutCertificate(server);
    open.push(server, client);
    return [client, server, clock];
  };

  test('maps and checks claims with expressions', async () => {
    const [client] = await start({
      jwt: [
        jwt(
          {
            username: { expression: 'claims.email_verified ? claims.email : ""' },
            groups: { expression: 'claims.teams.map(t, "team:" + t) + (has(claims.admin) ? ["admins"] : [])' },
            uid: { expression: 'string(claims.number)' },
            extra: [
              { key: 'acme.io/scopes', valueExpression: 'claims.scope.split(" ")' },
              { key: 'acme.io/none', valueExpression: 'claims.?missing.orValue("")' },
            ],
          },
          {
            claimValidationRules: [
              { claim: 'hd', requiredValue: 'example.org' },
              { expression: 'claims.exp - claims.iat <= 86400', message: 'too long' },
            ],
            userValidationRules: [{ expression: '!user.username.startsWith("system:")', message: 'reserved' }],
          },
        ),
      ],
    });
    const good = {
      email: 'j@x',
      email_verified: true,
      teams: ['a'],
      number: 7,
      scope: 'r w',
      hd: 'example.org',
      aud: 'second',
    };
    expect(await asToken(client, await issuer.sign(good))).toEqual({
      username: 'j@x',
      uid: '7',
      groups: ['team:a', 'system:authenticated'],
      extra: { 'acme.io/scopes': ['r', 'w'] },
    });
    for (const bad of [
      { email_verified: false },
      { email_verified: 'true' },
      { email: 1 },
      { email: 'system:admin' },
      { teams: [1] },
      { teams: undefined },
      { hd: 'x' },
      { exp: now + 100_000 },
      { scope: [['r']] },
    ]) {
      expect(await asToken(client, await issuer.sign({ ...good, ...bad }))).toBe(401);
    }
  });

  test('says on which paths users may be anonymous', async () => {
    const [client] = await start({ anonymous: { enabled: true, conditions: [{ path: '/livez' }] } });
    const statuses = await Promise.all(['/livez', '/readyz', '/livez/ping', '/version'].map((path) => client.get(path)));
    expect(statuses.map(({ status }) => status)).toEqual([200, 401, 401, 401]);
    const [nobody] = await start({ anonymous: { enabled: false } });
    expect((await nobody.get('/livez')).status).toBe(401);
  });

  test('is read again when it changes', async () => {
    const [client, , clock] = await start({ jwt: [] }, 'changing.json');
    const token = await issuer.sign();
    expect(await asToken(client, token)).toBe(401);
    const kind = { apiVersion: 'apiserver.config.k8s.io/v1beta1', kind: 'AuthenticationConfiguration' };
    const changeTo = async (text: string, want: unknown): Promise<void> => {
      await writeFile(join(folder, 'changing.json'), text);
      clock.advance(10_000);
      for (;;) {
        const got = await asToken(client, await issuer.sign({ jti: Math.random().toString() }));
        if (typeof got === typeof want) break;
      }
    };
    await changeTo(JSON.stringify({ ...kind, jwt: [jwt()] }), {});
    expect(await asToken(client, token)).toMatchObject({ username: 'jane' });
    await writeFile(join(folder, 'changing.json'), JSON.stringify({ ...kind, jwt: [{}] }));
    clock.advance(10_000);
    expect(await asToken(client, await issuer.sign({ jti: 'kept' }))).toMatchObject({ username: 'jane' });
    await changeTo(JSON.stringify({ ...kind, jwt: [] }), 401);
    expect(await asToken(client, token)).toBe(401);
  });

  test.each<[object, string]>([
    [{ jwt: [{}] }, 'jwt[0].issuer.url: Required value'],
    [{ jwt: 1 }, 'AuthenticationConfiguration.jwt'],
    [{ other: 1 }, 'strict decoding error: unknown field "other"'],
    [{ anonymous: { enabled: false, conditions: [{ path: '/x' }] } }, 'enabled should be set to true when conditions are defined'],
  ])('%j is refused', async (config, why) => {
    await expect(start(config)).rejects.toThrow(why);
  });

  test.each<[object, string]>([
    [{ oidcIssuerUrl: 'https://x' }, 'oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set'],
    [{ oidcIssuerUrl: 'http://x', oidcClientId: 'c' }, 'URL scheme must be https'],
    [{ oidcIssuerUrl: 'https://kubernetes.default.svc.cluster.local', oidcClientId: 'c' }, 'URL must not overlap with disallowed issuers'],
    [{ oidcIssuerUrl: 'https://x', oidcClientId: 'c', oidcSigningAlgs: ['HS256'] }, 'oidc: unsupported signing alg: "HS256"'],
    [
      { oidcIssuerUrl: 'https://x', oidcClientId: 'c', authenticationConfig: '/x' },
      'authentication-config file and oidc-* flags are mutually exclusive',
    ],
    [{ authenticationConfig: '/nonexistent' }, '--authentication-config: ENOENT'],
    [{ oidcIssuerUrl: 'https://x', oidcClientId: 'c', oidcRequiredClaims: ['x'] }, 'malformed pair, expect string=string: x'],
  ])('the options %j are refused', async (options, why) => {
    await expect(startServer(options)).rejects.toThrow(why);
  });
});
