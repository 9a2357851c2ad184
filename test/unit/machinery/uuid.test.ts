import { expect, test } from '@jest/globals';
import { uuid } from '../../../runtime/machinery/uuid.ts';

test('UUIDs have version 4, and are unique and random in all other digits', () => {
  const made = Array.from({ length: 4_096 }, uuid);
  expect(new Set(made).size).toBe(made.length);
  for (const one of made) expect(one).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  for (let at = 0; at < 36; at++) {
    const seen = new Set(made.map((one) => one[at])).size;
    const fixed = new Map([8, 13, 14, 18, 23].map((place) => [place, 1])).set(19, 4);
    expect([at, seen]).toEqual([at, fixed.get(at) ?? 16]);
  }
});
