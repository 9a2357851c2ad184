import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../../runtime/machinery/object.ts';
import { firstFailing } from '../../../runtime/resources/decoding/first-failing.ts';

const nested = (levels: number, inner: Json): Json => (levels === 0 ? inner : { n: nested(levels - 1, inner) });

describe('the first error of a document', () => {
  /** Refuses a value with a true in it. */
  const fails = (value: Json): boolean => JSON.stringify(value).includes('true');

  test.each<[string, Json, boolean, Json]>([
    ['is that of the first member', { spec: { a: 1, b: true }, metadata: true }, false, { spec: { b: true } }],
    ['is that of the first item', { b: [1, true, true] }, false, { b: [true] }],
    ['of a sorted document is that of the first name', { spec: true, metadata: { z: true, a: true } }, true, { metadata: { a: true } }],
    ['may be the document', true, false, true],
    ['is looked for in 16 levels', nested(17, { a: true, b: true }), false, nested(17, { a: true, b: true })],
    ['is found at level 16', nested(15, { a: true, b: true }), false, nested(15, { a: true })],
  ])('%s', (_name, given, isSorted, want) => {
    expect(firstFailing(given, fails, isSorted)).toEqual(want);
  });

  test('takes a bounded number of looks at each member of a deep document', () => {
    let seen = 0;
    const sized = (value: Json): boolean => {
      seen += JSON.stringify(value).length;
      return fails(value);
    };
    let document: Json = true;
    for (let level = 0; level < 900; level++) document = { a: 0, b: 1, c: 2, n: document };
    firstFailing(document, sized, false);
    expect(seen).toBeLessThan(20 * JSON.stringify(document).length);
  });
});
