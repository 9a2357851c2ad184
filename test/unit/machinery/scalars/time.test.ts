import { describe, expect, test } from '@jest/globals';
import { canonicalMicroTime, canonicalTime, formatTime, parseTime, timeText } from '../../../../runtime/machinery/scalars/time.ts';

describe('times are written in UTC to the second', () => {
  test.each([
    ['2008-01-01T01:01:01Z', '2008-01-01T01:01:01Z'],
    ['2024-02-29T23:59:59.999+05:30', '2024-02-29T18:29:59Z'],
    ['2024-12-31T23:00:00-01:00', '2025-01-01T00:00:00Z'],
    ['0001-01-01T00:00:00Z', null],
    ['0001-01-01T01:00:00+01:00', null],
    ['0099-06-15T00:00:00Z', '0099-06-15T00:00:00Z'],
    ['1969-12-31T23:59:59Z', '1969-12-31T23:59:59Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59Z'],
  ])('%s -> %s', (given, want) => {
    expect(canonicalTime(given)).toBe(want);
  });

  test('and agree with Date', () => {
    for (let seconds = -62_135_596_799; seconds < 253_402_300_799; seconds += 123_456_789) {
      const want = new Date(seconds * 1000).toISOString().replace('.000', '');
      expect(formatTime({ seconds, nanoseconds: 0 })).toBe(want);
      expect(parseTime(want).seconds).toBe(seconds);
    }
  });
});

test.each([
  ['2008-01-01T01:01:01.000001Z', '2008-01-01T01:01:01.000001Z'],
  ['2008-01-01T01:01:01.120000+02:00', '2007-12-31T23:01:01.120000Z'],
  ['0001-01-01T00:00:00.000000Z', null],
])('micro times have six digits: %s -> %s', (given, want) => {
  expect(canonicalMicroTime(given)).toBe(want);
});

describe("rejected in Go's words", () => {
  const layout = '"2006-01-02T15:04:05Z07:00"';
  test.each([
    ['yesterday', `parsing time "yesterday" as ${layout}: cannot parse "yesterday" as "2006"`],
    ['', `parsing time "" as ${layout}: cannot parse "" as "2006"`],
    ['2024-01-01', `parsing time "2024-01-01" as ${layout}: cannot parse "" as "T"`],
    ['2024-01-01 00:00:00Z', `parsing time "2024-01-01 00:00:00Z" as ${layout}: cannot parse " 00:00:00Z" as "T"`],
    ['2024-13-01T00:00:00Z', 'parsing time "2024-13-01T00:00:00Z": month out of range'],
    ['2023-02-29T00:00:00Z', 'parsing time "2023-02-29T00:00:00Z": day out of range'],
    ['2024-01-01T24:00:00Z', 'parsing time "2024-01-01T24:00:00Z": hour out of range'],
    ['2024-01-01T00:00:00', `parsing time "2024-01-01T00:00:00" as ${layout}: cannot parse "" as "Z07:00"`],
    ['2024-01-01T00:00:00Zx', 'parsing time "2024-01-01T00:00:00Zx": extra text: "x"'],
  ])('%s', (given, want) => {
    expect(() => canonicalTime(given)).toThrow(want);
  });

  test('a micro time without a fraction', () => {
    expect(() => canonicalMicroTime('2024-01-01T00:00:00Z')).toThrow('cannot parse "Z" as ".000000"');
  });
});

test('the current time as text', () => {
  expect(timeText(1_234_567_890_987)).toBe('2009-02-13T23:31:30Z');
});
