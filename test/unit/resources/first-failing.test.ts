import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../../runtime/machinery/object.ts';
import { firstFailing } from '../../../runtime/resources/decoding/first-failing.ts';

describe('the first error of a document', () => {
  /** Refuses a value with a true in it. */
  const fails = (value: Json): boolean => JSON.stringify(value).includes('true');

  test.each<[string, Json, boolean, Json]>([
    ['is that of the first member', { spec: { a: 1, b: true }, metadata: true }, false, { spec: { b: true } }],
    ['is that of the first item', { b: [1, true, true] }, false, { b: [true] }],
    ['of a sorted document is that of the first name', { spec: true, metadata: { z: true, a: true } }, true, { metadata: { a: true } }],
    ['may be the document', true, false, true],
  ])('%s', (_name, given, isSorted, want) => {
    expect(firstFailing(given, fails, isSorted)).toEqual(want);
  });
});
