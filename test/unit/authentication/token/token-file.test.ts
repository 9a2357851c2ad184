import { describe, expect, test } from '@jest/globals';
import { parseTokens, readTokenFile } from '../../../../runtime/authentication/token/token-file.ts';

describe('token files', () => {
  test.each([
    ['t,jane,u1', { name: 'jane', uid: 'u1', groups: [] }],
    ['t,jane,u1,devs', { name: 'jane', uid: 'u1', groups: ['devs'] }],
    ['t,jane,u1,"devs,ops",more\n', { name: 'jane', uid: 'u1', groups: ['devs', 'ops'] }],
    ['\r\nt,"ja""ne",u1\r\n\r\nx,y,z\r\n', { name: 'ja"ne', uid: 'u1', groups: [] }],
    ['t,old,1\nt,new,2\n', { name: 'new', uid: '2', groups: [] }],
  ])('%j', (text, want) => {
    expect(parseTokens(text)('t')).toEqual({ ...want, extra: {} });
  });

  test('a line without a token authenticates no user', () => {
    expect(parseTokens(',jane,u1')('')).toBeUndefined();
  });

  test.each([
    ['t,jane', 'must have at least 3 columns (token, user name, user uid), found 2'],
    ['t,"jane,u1', 'a quoted field has no end'],
    ['t,"jane"x,u1', 'text behind a quoted field'],
    ['t,ja"ne,u1', 'a bare " in a field'],
  ])('%j is rejected', (text, message) => expect(() => parseTokens(text)).toThrow(message));

  test('an absent file is rejected', async () => {
    await expect(readTokenFile('/nonexistent/tokens')).rejects.toThrow('ENOENT');
  });
});
