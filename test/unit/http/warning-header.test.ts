import { describe, expect, test } from '@jest/globals';
import { RequestState } from '../../../runtime/http/request-state.ts';
import { warningHeaders } from '../../../runtime/http/warning-header.ts';

describe('warning headers', () => {
  test('quote, and drop repeated texts and those with control characters', () => {
    const warnings = ['say "hi" \\', 'say "hi" \\', 'bad\n', 'bad\u0085', ''];
    expect(warningHeaders(warnings)).toEqual(['299 - "say \\"hi\\" \\\\"']);
  });

  test('are UTF-8 bytes', () => {
    expect(Buffer.from(warningHeaders(['é'])[0], 'latin1').toString('utf8')).toBe('299 - "é"');
  });

  test('are truncated beyond a limit', () => {
    const headers = warningHeaders(Array.from({ length: 40 }, (_none, index) => `${index}`.padEnd(300, 'x')));
    expect(headers).toHaveLength(16);
    expect(headers.every((header) => header.length === '299 - ""'.length + 256)).toBe(true);
  });

  test.each([
    ['fill the limit to the last character', [4096], [4096]],
    ['are all truncated once one exceeds the limit', [2048, 2048, 1], [256, 256, 1]],
    ['are written as long as there is space', [...Array(17).fill(250), 1, 1], Array(17).fill(250)],
    ['include the first one beyond an exact fit', [...Array(16).fill(256), 9], [...Array(16).fill(256), 9]],
  ])('%s', (_name, lengths: number[], written: number[]) => {
    const texts = lengths.map((length, index) => String.fromCodePoint(0x1f600 + index).repeat(length));
    const shown = warningHeaders(texts).map((header) => Buffer.from(header.slice(7, -1), 'latin1').toString('utf8'));
    expect(shown.map((text) => [...text].length)).toEqual(written);
  });
});

describe('the recorded warnings of a request', () => {
  test.each<[string, readonly string[]]>([
    ['many short ones', Array.from({ length: 20_000 }, (_none, index) => `${index}`)],
    ['long ones', Array.from({ length: 20 }, (_none, index) => `${index}`.padEnd(1 << 20, 'x'))],
    ['one', ['x'.repeat(1 << 20)]],
    ['some', ['a', 'b', 'a']],
  ])('%s suffice for the headers of all warnings', (_name, texts) => {
    const state = new RequestState(undefined as never, new Map(), '', 0);
    state.addWarnings(...texts);
    expect(warningHeaders(state.warnings)).toEqual(warningHeaders(texts));
    expect(state.warnings.join('').length).toBeLessThan(256 * 1024);
  });
});
