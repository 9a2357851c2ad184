import { describe, expect, test } from '@jest/globals';
import { FilledRow, filledText, rowTemplate } from '../../../../runtime/endpoints/encodings/row-template.ts';
import { ageMarks, ageOf, anyTime } from '../../../../runtime/machinery/age.ts';

const created = '2024-01-01T00:00:00Z';
const rowAt = (now: number, name = 'wéb-0') =>
  JSON.stringify({
    cells: [name, 3, `1 (${ageOf('2024-01-01T05:00:00Z', now)} ago)`, ageOf(created, now)],
    object: {},
  });

/** Returns the row in a buffer with other bytes before it. */
function filled(template: Uint8Array, now: number): string {
  const row = new FilledRow(template, now);
  const bytes = Buffer.alloc(2 + row.length);
  expect(row.write(bytes, 2)).toBe(bytes.length);
  return bytes.toString('utf8', 2);
}

describe('a cached row', () => {
  const template = rowTemplate(rowAt(anyTime)) as Uint8Array;
  for (const later of [-5, 0, 59, 119, 301, 7200, 86_400, 400 * 86_400]) {
    test(`equals the row built ${later} seconds after its object`, () => {
      const now = Date.parse(created) + later * 1000;
      expect(filled(template, now)).toBe(rowAt(now));
      expect(filledText(rowAt(anyTime), now)).toBe(rowAt(now));
    });
  }

  test('without ages is plain text', () => {
    const row = '{"cells":["a",null],"object":null}';
    expect(filled(rowTemplate(row) as Uint8Array, 0)).toBe(row);
  });

  test('cannot be cached if its object contains the marks', () => {
    for (const mark of ageMarks) expect(rowTemplate(JSON.stringify({ cells: [`a${mark}`] }))).toBeUndefined();
  });
});
