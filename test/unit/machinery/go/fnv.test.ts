import { expect, test } from '@jest/globals';
import { fnv32, fnv32a, fnv64 } from '../../../../runtime/machinery/go/fnv.ts';

test.each([
  ['', 0x811c9dc5],
  ['a', 0xe40c292c],
  ['foobar', 0xbf9cf968],
])('the short hash of %j, each byte first, is %i', (text, want) => {
  expect(fnv32a(text)).toBe(want);
});

test.each([
  ['', 0x811c9dc5],
  ['a', 0x050c5d7e],
  ['foobar', 0x31f0b262],
])('the short hash of %j, each byte last, is %i', (text, want) => {
  expect(fnv32(text)).toBe(want);
});

// the test vectors of FNV-1 in Go's hash/fnv
test.each([
  ['', 'cbf29ce484222325'],
  ['a', 'af63bd4c8601b7be'],
  ['foobar', '340d8765a4dda9c2'],
])('the hash of %j is %s', (text, want) => {
  expect(fnv64(text).toString('hex')).toBe(want);
});
