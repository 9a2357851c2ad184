import { expect, test } from '@jest/globals';
import { isPadded } from '../../../../runtime/machinery/go/spaces.ts';

test.each([
  ['', false],
  ['a b', false],
  [' a', true],
  ['a\n', true],
  ['\t', true],
  ['a\u0085', true],
  ['\u3000a', true],
  ['\ufeffa', false],
])('whether %j is padded, as Go sees it: %s', (text, padded) => {
  expect(isPadded(text)).toBe(padded);
});
