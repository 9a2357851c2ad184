import { describe, expect, test } from '@jest/globals';
import { parseDuration } from '../../../../runtime/machinery/go/duration.ts';

describe('durations', () => {
  test.each([
    ['1h15m30.5s', 4_530_500],
    ['300ms', 300],
    ['-1.5h', -5_400_000],
    ['0', 0],
    ['.5s', 500],
    ['1us', 0.001],
  ])('%s', (text, want) => expect(parseDuration(text)).toBeCloseTo(want));

  test.each([
    ['', 'time: invalid duration ""'],
    ['3', 'time: missing unit in duration "3"'],
    ['3x', 'time: unknown unit "x" in duration "3x"'],
    ['1toString', 'time: unknown unit "toString" in duration "1toString"'],
    ['abc', 'time: invalid duration "abc"'],
  ])('%j is refused', (text, message) => expect(() => parseDuration(text)).toThrow(message));
});
