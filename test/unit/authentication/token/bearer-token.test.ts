import { describe, expect, test } from '@jest/globals';
import { anonymousUser, withAnonymous } from '../../../../runtime/authentication/anonymous.ts';
import { type AnyRequest, AuthenticationError, unionAuthenticator } from '../../../../runtime/authentication/authenticator.ts';
import { bearerTokenAuthenticator } from '../../../../runtime/authentication/token/bearer-token.ts';
import { audienceAgnostic, unionTokenAuthenticator } from '../../../../runtime/authentication/token/token.ts';
import { parseTokens } from '../../../../runtime/authentication/token/token-file.ts';

const file = audienceAgnostic([], parseTokens('good,jane,u1'));
const authenticator = withAnonymous(unionAuthenticator([bearerTokenAuthenticator(file, [])]));
const who = async (headers: Record<string, string>) => {
  const user = await authenticator.authenticate({ headers } as unknown as AnyRequest);
  return user?.name;
};
const subprotocol = (token: string): string => `base64url.bearer.authorization.k8s.io.${token}`;

describe('bearer tokens', () => {
  test.each([
    ['Bearer good', 'jane'],
    ['bearer good', 'jane'],
    [' BEARER good trailing', 'jane'],
    ['Bearer  good', 'system:anonymous'],
    ['Bearer', 'system:anonymous'],
    ['Basic Zm9vOmJhcg==', 'system:anonymous'],
    ['', 'system:anonymous'],
  ])('Authorization: %j', async (authorization, want) => expect(await who({ authorization })).toBe(want));

  test.each([
    ['Bearer  good', ['the provided Authorization header contains extra space before the bearer token, and is ignored']],
    ['Bearer good', []],
    ['Bearer', []],
    ['Basic  good', []],
  ])('Authorization: %j causes the warnings %j', async (authorization, expected) => {
    const warnings: string[] = [];
    await authenticator.authenticate({ headers: { authorization } } as unknown as AnyRequest, {
      addWarnings: (...texts) => void warnings.push(...texts),
      requestInfo: { path: '/api' },
    });
    expect(warnings).toEqual(expected);
  });

  test('an unknown one is rejected, not anonymous', async () => {
    await expect(who({ authorization: 'Bearer bad' })).rejects.toThrow('invalid bearer token');
  });

  test('a very long one is rejected without being verified', async () => {
    const seen: string[] = [];
    const authenticator = { authenticateToken: (token: string) => void seen.push(token) as undefined };
    const request = { headers: { authorization: `Bearer ${'x'.repeat(64 * 1024 + 1)}` } } as unknown as AnyRequest;
    expect(() => bearerTokenAuthenticator(authenticator, []).authenticate(request)).toThrow('too long');
    expect(seen).toEqual([]);
  });

  test('one that an authenticator rejects may be accepted by the next; otherwise the error is returned', async () => {
    const rejecting = { authenticateToken: () => Promise.reject(new AuthenticationError('too late')) };
    const both = bearerTokenAuthenticator(unionTokenAuthenticator([rejecting, file]), []);
    const request = (token: string) => ({ headers: { authorization: `Bearer ${token}` } }) as unknown as AnyRequest;
    expect((await both.authenticate(request('good')))?.name).toBe('jane');
    await expect(both.authenticate(request('bad'))).rejects.toThrow('too late');
  });

  test('is removed from the request once accepted', async () => {
    const headers: Record<string, string> = { authorization: 'Bearer good' };
    await who(headers);
    expect(headers.authorization).toBeUndefined();
  });

  test('is read from a WebSocket subprotocol, and the other subprotocols are kept', async () => {
    const token = subprotocol(Buffer.from('good').toString('base64url'));
    const headers = { upgrade: 'websocket', 'sec-websocket-protocol': `v4, ${token}` };
    expect(await who(headers)).toBe('jane');
    expect(headers['sec-websocket-protocol']).toBe('v4');
    expect(await who({ 'sec-websocket-protocol': `v4, ${token}` })).toBe(anonymousUser.name);
  });

  test.each([subprotocol('!!'), `${subprotocol('Z29vZA')}`, `a,${subprotocol('Z29vZA')},${subprotocol('Z29vZA')}`])(
    'subprotocols %j are rejected',
    async (protocols) => {
      await expect(who({ upgrade: 'websocket', 'sec-websocket-protocol': protocols })).rejects.toThrow();
    },
  );
});
