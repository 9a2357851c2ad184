import { describe, expect, test } from '@jest/globals';
import { parseFieldSelector } from '../../../../runtime/machinery/selectors/field-selector.ts';

describe('parseFieldSelector', () => {
  test.each([
    ['', ''],
    ['a=b', 'a=b'],
    ['a==b', 'a=b'],
    ['a!=b', 'a!=b'],
    ['b=2,a=1', 'a=1,b=2'],
    [',a=1,,', 'a=1'],
    ['a=', 'a='],
    ['a=x\\,y\\=z\\\\', 'a=x\\,y\\=z\\\\'],
    ['a=b c', 'a=b c'],
    ['=b', '=b'],
    ['=', ''],
    ['!=', ''],
    ['==', ''],
    ['=,a=b', 'a=b'],
    ['a=b,!=', 'a=b'],
  ])('%j is parsed as %j', (text, want) => {
    expect(parseFieldSelector(text).toString()).toBe(want);
  });

  test.each([
    ['abc', "invalid selector: 'abc'; can't understand 'abc'"],
    ['a=b,c', "invalid selector: 'a=b,c'; can't understand 'c'"],
    ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
    ['a===b', 'invalid field selector: unescaped character in value: 61'],
    ['a=\\b', 'invalid field selector: invalid escape sequence: \\b'],
    ['a=b\\', 'invalid field selector: invalid escape sequence: \\'],
  ])('%j is rejected', (text, message) => {
    expect(() => parseFieldSelector(text)).toThrow(new Error(message));
  });

  test('an absent field is empty', () => {
    const fields: Record<string, string> = { 'metadata.name': 'x' };
    const match = (text: string): boolean => parseFieldSelector(text).matches((field) => fields[field] ?? '');
    expect(match('metadata.name=x,spec.nodeName=')).toBe(true);
    expect(match('metadata.name!=x')).toBe(false);
    expect(match('spec.nodeName!=')).toBe(false);
    expect(parseFieldSelector('a!=1,metadata.name=x').requiresExactMatch('metadata.name')).toBe('x');
    expect(parseFieldSelector('a!=1').requiresExactMatch('a')).toBeUndefined();
  });
});
