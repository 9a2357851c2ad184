import { expect, test } from '@jest/globals';
import { linkLifetime, OneTimeLinks } from '../../../runtime/page/one-time-links.ts';
import { hasKey, Sessions, sessionLifetime } from '../../../runtime/page/sessions.ts';

const user = { name: 'jane', uid: '', groups: [], extra: {} };

test('a link opens one session, until its time is over', () => {
  let now = 0;
  const links = new OneTimeLinks(() => now);
  const [first, second, late] = [links.issue(user), links.issue(user), links.issue(user)];
  expect(new Set([first, second, late]).size).toBe(3);
  expect([links.redeem(first), links.redeem(first), links.redeem(`${second}x`)]).toEqual([user, undefined, undefined]);
  now = linkLifetime - 1;
  expect(links.redeem(second)).toBe(user);
  now = linkLifetime;
  expect(links.redeem(late)).toBeUndefined();
});

test('sessions end in time', () => {
  let now = 0;
  const sessions = new Sessions(() => now);
  const { id, key } = sessions.open(user);
  const found = sessions.find(id);
  expect(found?.user).toBe(user);
  expect([found && hasKey(found, key), found && hasKey(found, id)]).toEqual([true, false]);
  now = sessionLifetime;
  expect(sessions.find(id)).toBeUndefined();
});

test('the 65th pending link replaces the first, and the 257th session ends the first', () => {
  const links = new OneTimeLinks(() => 0);
  const pending = Array.from({ length: 65 }, () => links.issue(user));
  expect(pending.map((secret) => links.redeem(secret) === undefined).indexOf(false)).toBe(1);
  const sessions = new Sessions(() => 0);
  const opened = Array.from({ length: 257 }, () => sessions.open(user).id);
  expect(opened.filter((id) => sessions.find(id) === undefined)).toEqual(opened.slice(0, 1));
});
