import { describe, expect, test } from '@jest/globals';
import { age, ageOf, createdAt, humanDuration } from '../../../runtime/machinery/age.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

describe('durations show about two significant units', () => {
  test.each([
    [-2 * second, '<invalid>'],
    [-1 * second, '0s'],
    [0, '0s'],
    [999, '0s'],
    [119 * second, '119s'],
    [2 * minute, '2m'],
    [2 * minute + 5 * second, '2m5s'],
    [10 * minute + 5 * second, '10m'],
    [179 * minute, '179m'],
    [3 * hour, '3h'],
    [7 * hour + 59 * minute, '7h59m'],
    [8 * hour + 59 * minute, '8h'],
    [47 * hour, '47h'],
    [48 * hour, '2d'],
    [7 * day + 23 * hour, '7d23h'],
    [8 * day + 23 * hour, '8d'],
    [729 * day, '729d'],
    [2 * year, '2y'],
    [3 * year + 20 * day, '3y20d'],
    [8 * year + 20 * day, '8y'],
  ])('%d ms is %s', (ms, want) => {
    expect(humanDuration(ms)).toBe(want);
  });
});

test('objects without a time have an unknown age', () => {
  expect(ageOf(undefined, 0)).toBe('<unknown>');
  expect(ageOf(null, 0)).toBe('<unknown>');
});

test('objects have the age of their creation', () => {
  const object = { metadata: { creationTimestamp: '2026-01-01T00:00:00Z' } };
  expect(age(object, Date.parse('2026-01-01T05:30:00Z'))).toBe('5h30m');
  expect(createdAt(object)).toBe('2026-01-01T00:00:00Z');
  expect(createdAt({ metadata: {} })).toBe('0001-01-01T00:00:00Z');
});
