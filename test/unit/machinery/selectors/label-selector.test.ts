import { describe, expect, test } from '@jest/globals';
import {
  type LabelSelectorObject,
  labelSelectorFromObject,
  parseLabelSelector,
  readLabelSelector,
} from '../../../../runtime/machinery/selectors/label-selector.ts';
import { isSelectorError } from '../../../../runtime/machinery/selectors/selector-error.ts';

const nameRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

describe('parseLabelSelector', () => {
  test.each([
    ['', ''],
    ['  ', ''],
    ['x', 'x'],
    ['!x', '!x'],
    ['x=a,y=b', 'x=a,y=b'],
    [' y = b , x == a ', 'x==a,y=b'],
    ['x!=a', 'x!=a'],
    ['x=', 'x='],
    ['x=,y', 'x=,y'],
    ['x in (b,a,b)', 'x in (a,b)'],
    ['x notin ()', 'x notin ()'],
    ['x in (,a)', 'x in (,a)'],
    ['x in (a,)', 'x in (,a)'],
    ['x in (a,,b)', 'x in (,a,b)'],
    ['x in (in,notin)', 'x in (in,notin)'],
    ['in in (in)', 'in in (in)'],
    ['x>1,y<2', 'x>1,y<2'],
    ['a.b/c-d_e=f', 'a.b/c-d_e=f'],
    ['notin,z', 'notin,z'],
  ])('%j is parsed as %j', (text, want) => {
    expect(parseLabelSelector(text).toString()).toBe(want);
  });

  test.each([
    ['x=a,', "found '', expected: identifier after ','"],
    [',x', "found ',', expected: !, identifier, or 'end of string'"],
    ['x y', "unable to parse requirement: found 'y', expected: in, notin, =, ==, !=, gt, lt"],
    ['!x=a', "found '=', expected: ',' or 'end of string'"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    ['x=a b', "found 'b', expected: ',' or 'end of string'"],
    ['x in', "unable to parse requirement: found '' expected: '('"],
    ['x in (', "unable to parse requirement: found '', expected: ',', ')' or identifier"],
    ['x in (a', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['x in (a b)', "unable to parse requirement: found 'b', expected: ',' or ')'"],
    ['x==!', "unable to parse requirement: found '!', expected: identifier"],
    ['a!!b', "unable to parse requirement: found '!', expected: in, notin, =, ==, !=, gt, lt"],
    ['-x=a', `unable to parse requirement: <nil>: Invalid value: "-x": name part ${nameRule}`],
    [
      'x=-',
      'unable to parse requirement: values[0][x]: Invalid value: "-": a valid label must be an empty string or ' +
        "consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
        "(e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
        "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    ],
    ['x>a', "unable to parse requirement: values[0]: Invalid value: \"a\": for 'Gt', 'Lt' operators, the value must be an integer"],
    ['a/b/c', expect.stringContaining('a valid label key')],
    [`x=${'a'.repeat(64)}`, expect.stringContaining('must be no more than 63 bytes')],
  ])('%j is rejected', (text, want) => {
    let error: unknown;
    try {
      parseLabelSelector(text);
    } catch (thrown) {
      error = thrown;
    }
    expect(isSelectorError(error)).toBe(true);
    expect((error as Error).message).toEqual(want);
  });

  test.each([
    ['', {}, true],
    ['x=a', { x: 'a' }, true],
    ['x=a', {}, false],
    ['x=', {}, false],
    ['x!=a', {}, true],
    ['x!=a', { x: 'a' }, false],
    ['x in (a,b)', { x: 'b' }, true],
    ['x notin (a,b)', { x: 'b' }, false],
    ['x notin (a,b)', {}, true],
    ['x', { x: '' }, true],
    ['!x', { x: '' }, false],
    ['x>9223372036854775806', { x: '9223372036854775807' }, true],
    ['x>1', { x: 'abc' }, false],
    ['x<10', { x: '9' }, true],
    ['x<10', {}, false],
    ['toString', {}, false],
    ['!constructor', {}, true],
  ])('%j matches %j: %j', (text, labels, want) => {
    expect(parseLabelSelector(text).matches(labels as Record<string, string>)).toBe(want);
  });

  test('an exact match is recognized', () => {
    const selector = parseLabelSelector('a=1,b in (2),c in (3,4),d!=5');
    expect(['a', 'b', 'c', 'd', 'e'].map((key) => selector.requiresExactMatch(key))).toEqual(['1', '2', undefined, undefined, undefined]);
  });
});

describe('labelSelectorFromObject', () => {
  test.each<[LabelSelectorObject | null, string, boolean]>([
    [null, '', false],
    [{}, '', true],
    [{ matchLabels: { b: '1', a: '2' } }, 'a=2,b=1', false],
    [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['y', 'x'] }] }, 'a in (x,y)', false],
    [{ matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['x'] }] }, 'a notin (x)', true],
    [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }, 'a', false],
    [{ matchExpressions: [{ key: 'a', operator: 'DoesNotExist', values: [] }] }, '!a', true],
  ])('%j', (object, text, matchesBare) => {
    const selector = labelSelectorFromObject(object);
    expect(selector.toString()).toBe(text);
    expect(selector.matches(undefined)).toBe(matchesBare);
  });

  test.each<[LabelSelectorObject, string]>([
    [{ matchExpressions: [{ key: 'a', operator: 'in' }] }, '"in" is not a valid label selector operator'],
    [
      { matchExpressions: [{ key: 'a', operator: 'In' }] },
      "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty",
    ],
    [
      { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['x'] }] },
      'values: Invalid value: ["x"]: values set must be empty for exists and does not exist',
    ],
  ])('%j is rejected', (object, message) => {
    expect(() => labelSelectorFromObject(object)).toThrow(message);
  });
});

describe('a selector of 12,000 requirements', () => {
  const text = `app=a,${Array.from({ length: 11_999 }, (_, at) => `k${at}!=x`).join(',')}`;

  test('is read and compiled in steps', () => {
    let steps = 0;
    for (const reading = readLabelSelector(text); !reading.next().done; ) steps++;
    expect(steps).toBe(5);
  });

  test.each([
    [{ app: 'a' }, true],
    [{ app: 'a', k11998: 'y' }, true],
    [{ app: 'a', k11998: 'x' }, false],
    [{ app: 'a', k0: 'x' }, false],
    [{ k1: 'y' }, false],
  ])('matches as a short one: %j', (labels, want) => {
    expect(parseLabelSelector(text).matches(labels)).toBe(want);
  });
});
