import { beforeEach, describe, expect, test } from '@jest/globals';
import type { TokenObject } from '../../../../runtime/authentication/service-account/claims-validator.ts';
import { JWTTokenAuthenticator } from '../../../../runtime/authentication/service-account/jwt.ts';
import { makeServiceAccountKey } from '../../../../runtime/authentication/service-account/key.ts';
import {
  legacyClaims,
  legacyIssuer,
  legacyValidator,
  type TokenSecret,
} from '../../../../runtime/authentication/service-account/legacy.ts';
import { signClaims } from '../../../../runtime/authentication/service-account/token-generator.ts';
import type { TokenAuthenticator } from '../../../../runtime/authentication/token/token.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const key = makeServiceAccountKey();
const robot = { namespace: 'ns', name: 'robot', uid: 'u1' };
const used: string[] = [];
let token: string;
let secret: TokenSecret | undefined;
let account: TokenObject | undefined;

const authenticatorWith = (lookup: boolean): TokenAuthenticator =>
  new JWTTokenAuthenticator({
    issuers: [legacyIssuer],
    audiences: ['api'],
    clock: new ManualClock(),
    keys: async () => [key],
    validator: legacyValidator({
      lookup,
      getAccount: () => account,
      getSecret: () => secret,
      onUse: (...call) => void used.push(call.join('/')),
    }),
  });
const authenticate = async (given = token, lookup = true) => authenticatorWith(lookup).authenticateToken(given, ['api']);

beforeEach(async () => {
  used.length = 0;
  token = await signClaims(legacyClaims(robot, 'robot-token'), key);
  secret = { token: Buffer.from(token), isDeleted: false, isInvalid: false, lastUsed: '' };
  account = { uid: 'u1' };
});

describe('tokens of Secrets', () => {
  test('are their service account, and the Secret is told', async () => {
    expect(await authenticate()).toEqual({
      audiences: ['api'],
      user: {
        name: 'system:serviceaccount:ns:robot',
        uid: 'u1',
        extra: {},
        groups: ['system:serviceaccounts', 'system:serviceaccounts:ns'],
      },
    });
    expect(used).toEqual(['ns/robot-token/2026-01-01']);
  });

  test('tell the Secret once a day', async () => {
    secret = { ...(secret as TokenSecret), lastUsed: '2026-01-01' };
    await authenticate();
    expect(used).toEqual([]);
  });

  test('cause a warning if a controller made them for each service account', async () => {
    account = { uid: 'u1', secrets: ['robot-token'] };
    expect((await authenticate())?.warnings).toEqual([expect.stringMatching(/^Use tokens from the TokenRequest API/)]);
  });

  test.each<[string, () => void, string]>([
    ['the Secret is gone', () => (secret = undefined), 'service account token has been invalidated'],
    [
      'the Secret is being deleted',
      () => (secret = { ...(secret as TokenSecret), isDeleted: true }),
      'service account token has been invalidated',
    ],
    [
      'the Secret is invalid',
      () => (secret = { ...(secret as TokenSecret), isInvalid: true }),
      'service account token has been invalidated',
    ],
    [
      'the Secret has another token',
      () => (secret = { ...(secret as TokenSecret), token: Buffer.from(`${token}x`) }),
      "service account token does not match server's copy",
    ],
    ['the account is gone', () => (account = undefined), 'serviceaccounts "robot" not found'],
    ['the account is being deleted', () => (account = { uid: 'u1', deletedAt: 1 }), 'service account ns/robot has been deleted'],
    ['the account was made anew', () => (account = { uid: 'u2' }), 'service account UID (u2) does not match claim (u1)'],
  ])('are refused when %s', async (_, change, why) => {
    change();
    await expect(authenticate()).rejects.toThrow(why);
  });

  test('need neither the Secret nor the account without --service-account-lookup', async () => {
    secret = undefined;
    account = undefined;
    expect(await authenticate(token, false)).toMatchObject({ user: { uid: 'u1' } });
  });

  test.each<[object, string]>([
    [{ sub: undefined }, 'sub claim is missing'],
    [{ 'kubernetes.io/serviceaccount/namespace': '' }, 'namespace claim is missing'],
    [{ 'kubernetes.io/serviceaccount/secret.name': 1 }, 'secretName claim is missing'],
    [{ 'kubernetes.io/serviceaccount/service-account.name': undefined }, 'serviceAccountName claim is missing'],
    [{ 'kubernetes.io/serviceaccount/service-account.uid': undefined }, 'serviceAccountUID claim is missing'],
    [{ sub: 'system:serviceaccount:ns:admin' }, 'sub claim is invalid'],
  ])('with the claims %j are refused', async (change, why) => {
    await expect(authenticate(await signClaims({ ...legacyClaims(robot, 's'), ...change }, key))).rejects.toThrow(why);
  });

  test('for other audiences are refused', async () => {
    await expect((async () => authenticatorWith(true).authenticateToken(token, ['vault']))()).rejects.toThrow(
      'token audiences ["api"] is invalid for the target audiences ["vault"]',
    );
  });
});
