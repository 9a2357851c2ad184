import { describe, expect, test } from '@jest/globals';
import { encodeJson } from '../../../../runtime/codec/json.ts';
import { Float64 } from '../../../../runtime/machinery/json/float64.ts';
import { jsonSize } from '../../../../runtime/machinery/json/size.ts';

describe('the size of JSON is that of its text', () => {
  test.each<[unknown]>([
    [null],
    [true],
    [false],
    [0],
    [-1.5],
    [1e21],
    [12345678901234567890n],
    [new Float64('5.0')],
    [''],
    ['text'],
    ['"quoted\\"'],
    ['\u0000\u001f\u007f'],
    ['<&>\u2028\u2029'],
    ['\u00e9\u20ac\ud83d\ude00\ud800'],
    [[]],
    [[[], {}, null, [1, 2]]],
    [{}],
    [{ a: 1, b: [{ c: 'd' }], '<': undefined, '"': undefined }],
    [{ none: undefined }],
    [JSON.parse('{"__proto__":{"a":1}}')],
  ])('%j', (value) => {
    expect(jsonSize(value)).toBe(encodeJson(value).length);
  });
});
