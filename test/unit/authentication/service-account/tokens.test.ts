import { generateKeyPairSync } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { CompactSign } from 'jose/jws/compact/sign';
import type { TokenClaims } from '../../../../runtime/authentication/service-account/claims.ts';
import { claimsValidator, type TokenObject } from '../../../../runtime/authentication/service-account/claims-validator.ts';
import { JWTTokenAuthenticator } from '../../../../runtime/authentication/service-account/jwt.ts';
import {
  makeServiceAccountKey,
  parsePublicKeys,
  parseServiceAccountKey,
  publicKeyPem,
} from '../../../../runtime/authentication/service-account/key.ts';
import { openIdConfiguration, openIdKeys } from '../../../../runtime/authentication/service-account/openid.ts';
import { jwtTokenGenerator, type TokenParameters } from '../../../../runtime/authentication/service-account/token-generator.ts';
import { VerifiedTokens } from '../../../../runtime/authentication/service-account/verified-tokens.ts';
import type { TokenResult } from '../../../../runtime/authentication/token/token.ts';
import { privateKeyPem } from '../../../../runtime/machinery/x509/private-key.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const issuer = 'https://issuer.example';
const key = makeServiceAccountKey();
const payloadOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());

describe('service account tokens', () => {
  let clock: ManualClock;
  let made: JWTTokenAuthenticator<TokenClaims>;
  let objects: Map<string, TokenObject>;
  let authenticator: { authenticateToken(token: string, audiences?: readonly string[]): Promise<TokenResult> };

  const issue = async (order: Partial<TokenParameters> = {}, options: { issuer?: string; key?: typeof key } = {}) => {
    const facts = { issuer, audiences: ['own'], clock, ...options, key: async () => options.key ?? key };
    const defaults = { audiences: [], expirationSeconds: 600, binding: {} };
    const account = { name: 'robot', uid: 'u1' };
    return (await jwtTokenGenerator(facts)({ namespace: 'ns', account, ...defaults, ...order })).token;
  };
  /** Signs a custom payload like the server's tokens. */
  const sign = (claims: object, header: object = { kid: key.id }) =>
    new CompactSign(Buffer.from(JSON.stringify(claims))).setProtectedHeader({ alg: key.algorithm, ...header }).sign(key.privateKey);

  beforeEach(() => {
    clock = new ManualClock();
    objects = new Map([
      ['serviceaccounts/ns/robot', { uid: 'u1' }],
      ['pods/ns/p', { uid: 'u2' }],
      ['secrets/ns/s', { uid: 'u3' }],
      ['nodes//n', { uid: 'u4' }],
    ]);
    made = new JWTTokenAuthenticator({
      issuers: [issuer, 'https://former'],
      audiences: ['own', 'other'],
      keys: async () => [makeServiceAccountKey(), key],
      validator: claimsValidator((resource, namespace, name) => objects.get(`${resource}/${namespace}/${name}`)),
      clock,
    });
    authenticator = {
      authenticateToken: async (token, audiences = ['own', 'other']) => made.authenticateToken(token, audiences),
    };
  });

  test('have the claims that upstream writes', async () => {
    const now = clock.now() / 1000;
    expect(payloadOf(await issue({ binding: { pod: { name: 'p', uid: 'u2' }, node: { name: 'n' } } }))).toEqual({
      iss: issuer,
      sub: 'system:serviceaccount:ns:robot',
      aud: ['own'],
      iat: now,
      nbf: now,
      exp: now + 600,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      'kubernetes.io': {
        namespace: 'ns',
        serviceaccount: { name: 'robot', uid: 'u1' },
        pod: { name: 'p', uid: 'u2' },
        node: { name: 'n' },
      },
    });
  });

  test('authenticate the service account, its groups, and the bound object', async () => {
    const token = await issue({ binding: { pod: { name: 'p', uid: 'u2' }, node: { name: 'n', uid: 'u9' } } });
    expect((await authenticator.authenticateToken(token))?.user).toEqual({
      name: 'system:serviceaccount:ns:robot',
      uid: 'u1',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:ns'],
      extra: {
        'authentication.kubernetes.io/credential-id': [`JTI=${payloadOf(token).jti}`],
        'authentication.kubernetes.io/pod-name': ['p'],
        'authentication.kubernetes.io/pod-uid': ['u2'],
        'authentication.kubernetes.io/node-name': ['n'],
        'authentication.kubernetes.io/node-uid': ['u9'],
      },
    });
  });

  test('return the same user object every time, so that values cached by user are found', async () => {
    const token = await issue();
    expect((await authenticator.authenticateToken(token))?.user).toBe((await authenticator.authenticateToken(token))?.user);
  });

  test.each([['opaque'], ['a.b.c'], ['a.b'], [''], ['a.bnVsbA.c']])('%j is not a service account token', async (token) =>
    expect(await authenticator.authenticateToken(token)).toBeUndefined(),
  );

  test('of other issuers are left to other authenticators', async () => {
    expect(await authenticator.authenticateToken(await issue({}, { issuer: 'https://foreign' }))).toBeUndefined();
  });

  test('of each issuer of the server are accepted', async () => {
    expect(await authenticator.authenticateToken(await issue({}, { issuer: 'https://former' }))).toBeDefined();
  });

  test('are for the audiences of the server if they name none', async () => {
    const { aud, ...claims } = payloadOf(await issue());
    expect((await authenticator.authenticateToken(await sign(claims), ['other', 'x']))?.audiences).toEqual(['other']);
    expect(aud).toEqual(['own']);
  });

  test('seen before are answered at once', async () => {
    const token = await issue({ binding: { pod: { name: 'p', uid: 'u2' } } });
    await made.authenticateToken(token, ['own']);
    expect(made.authenticateToken(token, ['own'])).toMatchObject({ user: { name: 'system:serviceaccount:ns:robot' } });
  });

  test('expire a minute after their time', async () => {
    const token = await issue();
    clock.advance(660_000);
    expect(await authenticator.authenticateToken(token)).toBeDefined();
    clock.advance(1);
    await expect(authenticator.authenticateToken(token)).rejects.toThrow('service account token has expired');
    await expect(authenticator.authenticateToken(token)).rejects.toThrow('service account token has expired');
  });

  test.each(['nbf', 'iat'])('are not valid before %s', async (claim) => {
    const want = 'service account token claims could not be validated';
    const claims = payloadOf(await issue());
    await expect(authenticator.authenticateToken(await sign({ ...claims, [claim]: claims[claim] + 61 }))).rejects.toThrow(want);
    expect(await authenticator.authenticateToken(await sign({ ...claims, [claim]: claims[claim] + 60 }))).toBeDefined();
  });

  test('without a valid signature are rejected', async () => {
    const foreign = makeServiceAccountKey();
    await expect(authenticator.authenticateToken(await issue({}, { key: foreign }))).rejects.toThrow('no keys found');
    await expect(authenticator.authenticateToken(await issue({}, { key: { ...foreign, id: key.id } }))).rejects.toThrow('signature');
    const [head, , signature] = (await issue()).split('.');
    const claims = { ...payloadOf(await issue()), exp: 1e12 };
    const tampered = Buffer.from(JSON.stringify(claims)).toString('base64url');
    await expect(authenticator.authenticateToken(`${head}.${tampered}.${signature}`)).rejects.toThrow('signature');
    const unsigned = Buffer.from('{"alg":"none"}').toString('base64url');
    await expect(authenticator.authenticateToken(`${unsigned}.${tampered}.`)).rejects.toMatchObject({
      isAuthenticationError: true,
    });
  });

  test.each([
    [{ 'kubernetes.io': undefined }],
    [{ 'kubernetes.io': { namespace: 'ns' } }],
    [{ exp: 'never' }],
    [{ exp: undefined }],
    [{ aud: [1] }],
  ])('with claims changed by %j are rejected', async (change) => {
    const token = await sign({ ...payloadOf(await issue()), ...change });
    await expect(authenticator.authenticateToken(token)).rejects.toThrow('service account token claims could not be validated');
  });

  test('without a key id are tried with all keys', async () => {
    expect(await authenticator.authenticateToken(await sign(payloadOf(await issue()), {}))).toBeDefined();
  });

  test('are valid for their audiences only', async () => {
    const token = await issue({ audiences: ['other', 'vault'] });
    expect(await authenticator.authenticateToken(token)).toBeDefined();
    expect((await authenticator.authenticateToken(token, ['vault', 'x', 'other']))?.audiences).toEqual(['other', 'vault']);
    await expect(authenticator.authenticateToken(await issue({ audiences: ['vault', 'bank'] }))).rejects.toThrow(
      'token audiences ["vault" "bank"] is invalid for the target audiences ["own" "other"]',
    );
  });

  test.each([
    ['serviceaccounts/ns/robot', {}, 'serviceaccounts "robot" not found', 'service account UID (new) does not match claim (u1)'],
    ['pods/ns/p', { pod: { name: 'p', uid: 'u2' } }, 'service account token has been invalidated', 'pod UID (new)'],
    ['secrets/ns/s', { secret: { name: 's', uid: 'u3' } }, 'service account token has been invalidated', 'secret UID (new)'],
    ['nodes//n', { node: { name: 'n', uid: 'u4' } }, 'service account token has been invalidated', 'node UID (new)'],
  ])('are invalid after %s', async (path, binding, gone, replaced) => {
    const token = await issue({ binding });
    expect(await authenticator.authenticateToken(token)).toBeDefined();
    const { uid } = objects.get(path) as TokenObject;
    objects.set(path, { uid, deletedAt: clock.now() - 60_000 });
    expect(await authenticator.authenticateToken(token)).toBeDefined();
    objects.set(path, { uid, deletedAt: clock.now() - 60_001 });
    await expect(authenticator.authenticateToken(token)).rejects.toMatchObject({ isAuthenticationError: true });
    objects.set(path, { uid: 'new' });
    await expect(authenticator.authenticateToken(token)).rejects.toThrow(replaced);
    objects.delete(path);
    await expect(authenticator.authenticateToken(token)).rejects.toThrow(gone);
  });

  test('of a pod are valid after its node is deleted', async () => {
    const token = await issue({ binding: { pod: { name: 'p', uid: 'u2' }, node: { name: 'n', uid: 'u4' } } });
    objects.delete('nodes//n');
    expect(await authenticator.authenticateToken(token)).toBeDefined();
  });
});

describe('keys', () => {
  test.each([
    ['RS256', () => generateKeyPairSync('rsa', { modulusLength: 2048 }), 'pkcs1'],
    ['ES256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' }), 'sec1'],
    ['ES384', () => generateKeyPairSync('ec', { namedCurve: 'P-384' }), 'pkcs8'],
    ['ES512', () => generateKeyPairSync('ec', { namedCurve: 'P-521' }), 'pkcs8'],
  ] as const)('of %s are read and can sign', async (algorithm, make, type) => {
    const given = parseServiceAccountKey(make().privateKey.export({ type, format: 'pem' } as never) as string);
    expect(given.algorithm).toBe(algorithm);
    const clock = new ManualClock();
    const common = { audiences: ['own'], clock };
    const order = { namespace: 'ns', account: { name: 'a', uid: 'u' }, audiences: [], binding: {} };
    const generate = jwtTokenGenerator({ ...common, issuer, key: async () => given });
    const { token } = await generate({ ...order, expirationSeconds: 600 });
    const validator = claimsValidator(() => ({ uid: 'u' }));
    const keys = async () => parsePublicKeys(publicKeyPem(given));
    const authenticator = new JWTTokenAuthenticator({ ...common, issuers: [issuer], keys, validator });
    expect(await authenticator.authenticateToken(token, ['own'])).toBeDefined();
  });

  test('keep their id when written and read', () => {
    expect(parseServiceAccountKey(privateKeyPem(key.privateKey)).id).toBe(key.id);
  });

  test('of other kinds are rejected', () => {
    const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    expect(() => parseServiceAccountKey(pem)).toThrow('the key must be RSA');
    expect(() => parseServiceAccountKey('no key')).toThrow();
  });

  test('are published without their private half', () => {
    const facts = { crv: 'P-256', x: expect.any(String), y: expect.any(String) };
    expect(openIdKeys([key])).toEqual({ keys: [{ use: 'sig', kty: 'EC', kid: key.id, alg: 'ES256', ...facts }] });
    expect(openIdConfiguration(issuer, 'https://h/openid/v1/jwks', [key])).toEqual({
      issuer,
      jwks_uri: 'https://h/openid/v1/jwks',
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    });
  });
});

test('the cache of verified tokens is bounded, and keeps the latest', () => {
  const tokens = new VerifiedTokens(2);
  const proven = { claims: {}, user: {} } as never;
  tokens.add('a', proven);
  tokens.add('b', proven);
  tokens.get('a');
  tokens.add('c', proven);
  expect([tokens.size, tokens.get('a'), tokens.get('b'), tokens.get('c')]).toEqual([2, proven, undefined, proven]);
});
