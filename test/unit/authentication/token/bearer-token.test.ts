import { describe, expect, test } from '@jest/globals';
import { anonymousUser, withAnonymous } from '../../../../runtime/authentication/anonymous.ts';
import { type AnyRequest, AuthenticationError, unionAuthenticator } from '../../../../runtime/authentication/authenticator.ts';
import { bearerTokenAuthenticator, subprotocolAuthenticator } from '../../../../runtime/authentication/token/bearer-token.ts';
import { audienceAgnostic, unionTokenAuthenticator } from '../../../../runtime/authentication/token/token.ts';
import { parseTokens } from '../../../../runtime/authentication/token/token-file.ts';

const file = audienceAgnostic([], parseTokens('good,jane,u1'));
const authenticator = withAnonymous(unionAuthenticator([bearerTokenAuthenticator(file, []), subprotocolAuthenticator(file, [])]));
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

  const upgrade = { upgrade: 'websocket', connection: 'Upgrade' };

  test('is read from a WebSocket subprotocol, and the other subprotocols are kept', async () => {
    const token = subprotocol(Buffer.from('good').toString('base64url'));
    const headers = { ...upgrade, 'sec-websocket-protocol': `v4, ${token}` };
    expect(await who(headers)).toBe('jane');
    expect(headers['sec-websocket-protocol']).toBe('v4');
    expect(await who({ 'sec-websocket-protocol': `v4, ${token}` })).toBe(anonymousUser.name);
    expect(await who({ upgrade: 'websocket', 'sec-websocket-protocol': `v4, ${token}` })).toBe(anonymousUser.name);
  });

  test.each([
    ['a', anonymousUser.name],
    [`a,${subprotocol('')}`, anonymousUser.name],
    [subprotocol(''), anonymousUser.name],
    [`a,${subprotocol('Z29vZA')}`, 'jane'],
    [`,${subprotocol('Z29vZA')}`, 'jane'],
  ])('subprotocols %j are of %s', async (protocols, want) => {
    expect(await who({ ...upgrade, 'sec-websocket-protocol': protocols })).toBe(want);
  });

  test('is read from a WebSocket subprotocol if the one in the header is unknown', async () => {
    const protocols = `a,${subprotocol('Z29vZA')}`;
    expect(await who({ ...upgrade, authorization: 'Bearer bad', 'sec-websocket-protocol': protocols })).toBe('jane');
  });

  test.each([
    [subprotocol('!!'), 'invalid base64.bearer.authorization token encoding'],
    [`a,${subprotocol('Z29vZ')}`, 'invalid base64.bearer.authorization token encoding'],
    [`a,${subprotocol('Z29vZA==')}`, 'invalid base64.bearer.authorization token encoding'],
    [`a,${subprotocol('_w')}`, 'invalid base64.bearer.authorization token'],
    [subprotocol('Z29vZA'), 'missing additional subprotocol'],
    [`a,${subprotocol('Z29vZA')},${subprotocol('Z29vZA')}`, 'multiple base64.bearer.authorization tokens specified'],
    [`a,${subprotocol('YmFk')}`, 'invalid bearer token'],
  ])('subprotocols %j are rejected: %s', async (protocols, message) => {
    await expect(who({ ...upgrade, 'sec-websocket-protocol': protocols })).rejects.toThrow(message);
  });
});
