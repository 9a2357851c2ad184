import { expect, test } from '@jest/globals';
import { fnv64 } from '../../../../runtime/machinery/go/fnv.ts';

// the test vectors of FNV-1, as Go's hash/fnv has them
test.each([
  ['', 'cbf29ce484222325'],
  ['a', 'af63bd4c8601b7be'],
  ['foobar', '340d8765a4dda9c2'],
])('the hash of %j is %s', (text, want) => {
  expect(fnv64(text).toString('hex')).toBe(want);
});
