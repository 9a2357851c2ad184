import { expect, test } from '@jest/globals';
import { isMailAddress } from '../../../../runtime/machinery/go/mail-address.ts';

/** The results of net/mail ParseAddress. */
test.each([
  ['a@b', true],
  ['a.b+c@d.e', true],
  ['"a b"@c', true],
  ['"a\\"b"@c', true],
  ['a@[127.0.0.1]', true],
  [' a@b ', true],
  ['a@b (c)', true],
  ['A B <a@b>', true],
  ['"A, B" <a@b>', true],
  ['<a@b>', true],
  ['', false],
  ['a', false],
  ['@b', false],
  ['a@', false],
  ['a..b@c', false],
  ['.a@b', false],
  ['a@b.', false],
  ['""@b', false],
  ['a@[b]', false],
  ['a@b c', false],
  ['a@b, c@d', false],
  ['A <a@b', false],
  ['A <a@b> c', false],
])('%j: %p', (text, want) => expect(isMailAddress(text)).toBe(want));
