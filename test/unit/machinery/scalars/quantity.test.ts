import { describe, expect, test } from '@jest/globals';
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  roundUpQuantity,
  scaledQuantityValue,
  subtractQuantities,
} from '../../../../runtime/machinery/scalars/quantity.ts';

describe('canonical text', () => {
  test.each([
    // Whole numbers with the largest suffix.
    ['0', '0'],
    ['00', '0'],
    ['0Mi', '0'],
    ['1024Mi', '1Gi'],
    ['307200Ki', '300Mi'],
    ['1025024Mi', '1001Gi'],
    ['5000m', '5'],
    ['1000M', '1G'],
    ['0.001T', '1G'],
    ['1000000k', '1G'],
    ['1000u', '1m'],
    ['1.08', '1080m'],
    ['1080000000n', '1080m'],
    ['50k', '50k'],
    ['0.5', '500m'],
    ['.001', '1m'],
    ['100.0355k', '100035500m'],
    ['1.01E', '1010P'],
    ['-0.5', '-500m'],
    // Binary suffixes need whole numbers of 1024 or more.
    ['0.5Mi', '512Ki'],
    ['0.5Ki', '512'],
    ['1.5Gi', '1536Mi'],
    ['0.05Gi', '53687091200m'],
    ['100.035Ki', '102435840m'],
    ['8Ki', '8Ki'],
    // Exponents stay exponents.
    ['.001e12', '1e9'],
    ['0.001e0', '1e-3'],
    ['1000e-12', '1e-9'],
    ['1.2e3', '1200'],
    ['1.3E+6', '1300e3'],
    // Below a nano everything is rounded up.
    ['3.001n', '4n'],
    ['0.0000000001', '1n'],
    ['-0.0000000001', '-1n'],
    ['0.00000012345', '124n'],
    ['1.1E-9', '2e-9'],
    ['0.000000000001Ki', '2n'],
    // Binary quantities stop at 2^63-1.
    ['9Ei', '9223372036854775807'],
    ['9223372036854775807Ki', '9223372036854775807'],
    // Some texts stay unchanged.
    ['+1', '+1'],
    ['1.500', '1.500'],
    ['01Ki', '01Ki'],
    ['1.G', '1.G'],
    ['100.035k', '100.035k'],
    ['1E-3', '1E-3'],
    ['12E', '12E'],
    // A bare sign, point or suffix is zero.
    ['.', '0'],
    ['+', '0'],
    ['k', '0'],
  ])('%s -> %s', (given, want) => {
    expect(canonicalQuantity(given)).toBe(want);
  });

  test.each(['1', '500m', '1Gi', '9e300', '123456789012345678901234567890', '1e-9', '7Ei'])('%s does not change', (text) => {
    expect(canonicalQuantity(canonicalQuantity(text))).toBe(canonicalQuantity(text));
  });
});

describe('rejected', () => {
  const format = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  test.each([
    ['', format],
    ['abc', format],
    ['1 Gi', format],
    ['1.2.3', format],
    ['1Qi', format],
    ['٣', format],
    ['1'.repeat(2_000), format],
    ['--1', "unable to parse quantity's suffix"],
    ['1mi', "unable to parse quantity's suffix"],
    ['1i', "unable to parse quantity's suffix"],
    ['1KiKi', "unable to parse quantity's suffix"],
    ['1e99999999999999999999', "unable to parse quantity's suffix"],
    ['1234567890123456789e2000', 'unable to parse numeric part of quantity'],
    ['.e-20', 'unable to parse numeric part of quantity'],
  ])('%s', (given, want) => {
    expect(() => parseQuantity(given)).toThrow(want);
  });
});

test('large exponents take no time', () => {
  const huge = parseQuantity('1e2147483646');
  const tiny = parseQuantity('1e-2147483646');
  expect(formatQuantity(tiny)).toBe('1e-9');
  expect(compareQuantities(huge, tiny)).toBe(1);
  expect(formatQuantity(addQuantities(tiny, parseQuantity('0')))).toBe('1e-9');
});

test.each([
  ['1', '1000m', 0],
  ['1Ki', '1024', 0],
  ['1G', '1Gi', -1],
  ['-1', '0', -1],
  ['-1', '-2', 1],
  ['0', '0n', 0],
  ['999m', '1', -1],
  ['1e18', '1E', 0],
])('%s against %s is %i', (a, b, want) => {
  expect(compareQuantities(parseQuantity(a), parseQuantity(b))).toBe(want);
});

test.each([
  ['1', '500m', '1500m', '500m'],
  ['1Gi', '1Gi', '2Gi', '0'],
  ['0', '1Ki', '1Ki', '-1Ki'],
  ['100m', '1Ki', '1024100m', '-1023900m'],
])('%s and %s', (a, b, sum, difference) => {
  expect(formatQuantity(addQuantities(parseQuantity(a), parseQuantity(b)))).toBe(sum);
  expect(formatQuantity(subtractQuantities(parseQuantity(a), parseQuantity(b)))).toBe(difference);
});

test.each([
  ['1.0005', -3, '1001m'],
  ['1', -3, '1'],
  ['100u', -3, '1m'],
  ['-1500u', -3, '-2m'],
  ['1500m', 0, '2'],
])('%s rounded up to 10^%i is %s', (given, scale, want) => {
  expect(formatQuantity(roundUpQuantity(parseQuantity(given), scale))).toBe(want);
});

test('values in units', () => {
  expect(scaledQuantityValue(parseQuantity('1500m'))).toBe(2n);
  expect(scaledQuantityValue(parseQuantity('1500m'), -3)).toBe(1500n);
  expect(scaledQuantityValue(parseQuantity('2Gi'))).toBe(2n ** 31n);
});
