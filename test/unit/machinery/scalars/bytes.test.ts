import { expect, test } from '@jest/globals';
import { canonicalBase64 } from '../../../../runtime/machinery/scalars/bytes.ts';

test.each([
  ['', ''],
  ['aGVsbG8=', 'aGVsbG8='],
  ['aGVs\nbG8=\n', 'aGVsbG8='],
  ['//8=', '//8='],
  ['//9=', '//8='],
  [Buffer.alloc(10_000, 7).toString('base64'), Buffer.alloc(10_000, 7).toString('base64')],
])('%s', (given, want) => {
  expect(canonicalBase64(given)).toBe(want);
});

test.each([
  ['not base64!', 3],
  ['aGVsbG8', 4],
  ['aGVsbG8==', 8],
  ['=', 0],
  ['a=', 1],
  ['ab=c', 3],
  ['__8=', 0],
])('%s is rejected at byte %i', (given, at) => {
  expect(() => canonicalBase64(given)).toThrow(`illegal base64 data at input byte ${at}`);
});
