import { describe, expect, test } from '@jest/globals';
import { formatDuration, parseDuration, parseMilliseconds } from '../../../../runtime/machinery/go/duration.ts';

describe('durations in milliseconds', () => {
  test.each([
    ['1h15m30.5s', 4_530_500],
    ['300ms', 300],
    ['-1.5h', -5_400_000],
    ['0', 0],
    ['.5s', 500],
    ['1us', 0.001],
  ])('%s', (text, want) => expect(parseMilliseconds(text)).toBeCloseTo(want));

  test.each([
    ['', 'time: invalid duration ""'],
    ['abc', 'time: invalid duration "abc"'],
  ])('%j is rejected', (text, message) => expect(() => parseMilliseconds(text)).toThrow(message));
});

test.each([
  ['0', 0n, '0s'],
  ['1h30m', 5_400_000_000_000n, '1h30m0s'],
  ['90s', 90_000_000_000n, '1m30s'],
  ['1.5h', 5_400_000_000_000n, '1h30m0s'],
  ['.5s', 500_000_000n, '500ms'],
  ['1500us', 1_500_000n, '1.5ms'],
  ['1µs', 1_000n, '1µs'],
  ['15ns', 15n, '15ns'],
  ['-2m', -120_000_000_000n, '-2m0s'],
  ['+5s', 5_000_000_000n, '5s'],
  ['100h0.25s', 360_000_250_000_000n, '100h0m0.25s'],
  ['9223372036854775807ns', 2n ** 63n - 1n, '2562047h47m16.854775807s'],
  ['-9223372036854775808ns', -(2n ** 63n), '-2562047h47m16.854775808s'],
])('%s', (text, nanoseconds, canonical) => {
  expect(parseDuration(text)).toBe(nanoseconds);
  expect(formatDuration(nanoseconds)).toBe(canonical);
});

test.each([
  ['', 'time: invalid duration ""'],
  ['-', 'time: invalid duration "-"'],
  ['5', 'time: missing unit in duration "5"'],
  ['9223372036854775808', 'time: missing unit in duration "9223372036854775808"'],
  ['9223372036854775809', 'time: invalid duration "9223372036854775809"'],
  ['99999999999999999999x', 'time: invalid duration "99999999999999999999x"'],
  ['1d', 'time: unknown unit "d" in duration "1d"'],
  ['1constructor', 'time: unknown unit "constructor" in duration "1constructor"'],
  ['.s', 'time: invalid duration ".s"'],
  ['9223372036854775808ns', 'time: invalid duration "9223372036854775808ns"'],
])('%s is rejected', (text, want) => {
  expect(() => parseDuration(text)).toThrow(want);
});
