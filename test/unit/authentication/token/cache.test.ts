import { beforeEach, describe, expect, test } from '@jest/globals';
import { AuthenticationError } from '../../../../runtime/authentication/authenticator.ts';
import { CachedTokenAuthenticator } from '../../../../runtime/authentication/token/cache.ts';
import type { TokenResult } from '../../../../runtime/authentication/token/token.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const clock = new ManualClock();
const user = { name: 'jane', uid: '', groups: [], extra: {} };
let calls: string[];
let answer: (token: string) => TokenResult | Promise<TokenResult>;
let cached: CachedTokenAuthenticator;

beforeEach(() => {
  calls = [];
  answer = async (token) => (token === 'good' ? { user, audiences: ['a'] } : undefined);
  const authenticator = {
    authenticateToken(token: string, audiences: readonly string[]) {
      calls.push([token, ...audiences].join('/'));
      return answer(token);
    },
  };
  cached = new CachedTokenAuthenticator(authenticator, { successTtl: 1000, failureTtl: 500, clock });
});

describe('the token cache', () => {
  test('answers at once what it knows, for the same audiences', async () => {
    await cached.authenticateToken('good', ['a', 'b']);
    expect(cached.authenticateToken('good', ['a', 'b'])).toEqual({ user, audiences: ['a'] });
    await cached.authenticateToken('good', ['ab']);
    await cached.authenticateToken('good', ['b', 'a']);
    expect(calls).toEqual(['good/a/b', 'good/ab', 'good/b/a']);
  });

  test.each<[string, number, number]>([
    ['good', 1000, 2],
    ['good', 999, 1],
    ['bad', 500, 2],
    ['bad', 499, 1],
  ])('asks about the token %s after %d ms: %d calls', async (token, ms, want) => {
    await cached.authenticateToken(token, []);
    clock.advance(ms);
    await cached.authenticateToken(token, []);
    expect(calls).toHaveLength(want);
  });

  test('asks once for requests at the same time', async () => {
    const both = await Promise.all([cached.authenticateToken('good', []), cached.authenticateToken('good', [])]);
    expect(both).toEqual([expect.objectContaining({ user }), expect.objectContaining({ user })]);
    expect(calls).toHaveLength(1);
  });

  test('does not remember errors', async () => {
    answer = async () => {
      throw new AuthenticationError('unreachable');
    };
    await expect(cached.authenticateToken('good', [])).rejects.toThrow('unreachable');
    await expect(cached.authenticateToken('good', [])).rejects.toThrow('unreachable');
    expect(calls).toHaveLength(2);
  });
});
