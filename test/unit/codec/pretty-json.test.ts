import { describe, expect, test } from '@jest/globals';
import { prettyJson } from '../../../runtime/codec/json/pretty.ts';

describe('indented JSON', () => {
  test.each([{ a: [], b: {}, c: [1, { d: 'x"\\,:{}[]' }], e: null }, [], 'text', { 'k:"': { deep: [[['é\u2028']]] } }])(
    '%j is indented as Go does it',
    (value) => {
      expect(prettyJson(Buffer.from(JSON.stringify(value))).toString()).toBe(JSON.stringify(value, null, 2));
    },
  );

  test('keeps every digit of a number', () => {
    expect(prettyJson(Buffer.from('{"n":9007199254740993}\n')).toString()).toBe('{\n  "n": 9007199254740993\n}');
  });
});
