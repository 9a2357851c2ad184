import { expect, test } from '@jest/globals';
import { Field } from '../../../runtime/machinery/validation/field.ts';
import { type FieldError, fieldErrorMessage } from '../../../runtime/machinery/validation/field-error.ts';
import { FieldPath } from '../../../runtime/machinery/validation/field-path.ts';
import * as checks from '../../../runtime/structural/checks.ts';

function messages(check: (spec: Field) => void): string[] {
  const errors: FieldError[] = [];
  check(Field.at(FieldPath.of('spec'), errors));
  return errors.map(fieldErrorMessage);
}

test.each<[string, (spec: Field) => void, string[]]>([
  ['required', (spec) => checks.checkRequired('', spec, 'a'), ['spec.a: Required value']],
  ['required, empty list', (spec) => checks.checkRequired([], spec, 'a', 'say why'), ['spec.a: Required value: say why']],
  ['required, present', (spec) => checks.checkRequired(0, spec, 'a'), []],
  ['present', (spec) => checks.checkPresent({}, spec, 'a'), []],
  ['not present', (spec) => checks.checkPresent(null, spec, 'a'), ['spec.a: Required value']],
  ['forbidden', (spec) => checks.checkForbidden('x', spec, 'a', 'not here'), ['spec.a: Forbidden: not here']],
  ['forbidden, absent', (spec) => checks.checkForbidden(undefined, spec, 'a'), []],
  ['enum', (spec) => checks.checkEnum('C', ['A', 'B'], spec, 'a'), ['spec.a: Unsupported value: "C": supported values: "A", "B"']],
  ['enum, absent', (spec) => checks.checkEnum('', ['A'], spec, 'a'), []],
  [
    'enum in a list',
    (spec) => checks.checkEnum(['A', 'C'], ['A', 'B'], spec, 'a'),
    ['spec.a[1]: Unsupported value: "C": supported values: "A", "B"'],
  ],
  ['min', (spec) => checks.checkMin(-1, 0, spec, 'a'), ['spec.a: Invalid value: -1: must be greater than or equal to 0']],
  [
    'min, int64',
    (spec) => checks.checkMin(-(2n ** 60n), 0, spec, 'a'),
    ['spec.a: Invalid value: -1152921504606846976: must be greater than or equal to 0'],
  ],
  ['max', (spec) => checks.checkMax(9, 8, spec, 'a'), ['spec.a: Invalid value: 9: must be less than or equal to 8']],
  ['maxLength in bytes', (spec) => checks.checkMaxLength('ääa', 4, spec, 'a'), ['spec.a: Too long: may not be more than 4 bytes']],
  ['maxLength', (spec) => checks.checkMaxLength('abcd', 4, spec, 'a'), []],
  [
    'minLength',
    (spec) => checks.checkMinLength('', 1, spec, 'a'),
    ['spec.a: Invalid value: "": spec.a in body should be at least 1 chars long'],
  ],
  ['maxItems', (spec) => checks.checkMaxItems([1, 2, 3], 2, spec, 'a'), ['spec.a: Too many: 3: must have at most 2 items']],
  ['maxItems of a map', (spec) => checks.checkMaxItems({ a: 1, b: 2 }, 1, spec, 'a'), ['spec.a: Too many: 2: must have at most 1 item']],
  ['minItems', (spec) => checks.checkMinItems([], 1, spec, 'a'), ['spec.a: Invalid value: 0: spec.a in body should have at least 1 items']],
  [
    'pattern',
    (spec) => checks.checkPattern('abc', '^[0-9]+$', spec, 'a'),
    ['spec.a: Invalid value: "abc": spec.a in body should match \'^[0-9]+$\''],
  ],
  ['pattern, anywhere', (spec) => checks.checkPattern('abc1', '(?i)B', spec, 'a'), []],
  ['format', (spec) => checks.checkFormat(0, 'port', spec, 'a'), ['spec.a: Invalid value: 0: must be between 1 and 65535, inclusive']],
  [
    'format in a list',
    (spec) => checks.checkFormat(['10.0.0.1', 'x'], 'ip', spec, 'a'),
    ['spec.a[1]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
  ],
  [
    'format of OpenAPI',
    (spec) => checks.checkFormat('x', 'ipv4', spec, 'a'),
    ['spec.a: Invalid value: "x": spec.a in body must be of type ipv4: "x"'],
  ],
  ['unique', (spec) => checks.checkUnique(['a', 'b', 'a'], spec, 'a'), ['spec.a[2]: Duplicate value: "a"']],
  ['unique structs', (spec) => checks.checkUnique([{ x: 1 }, { x: 1 }], spec, 'a'), ['spec.a[1]: Duplicate value: {"x":1}']],
  [
    'unique keys',
    (spec) =>
      checks.checkUniqueKeys(
        [
          { n: 1, p: 'T' },
          { n: 1, p: 'U' },
          { n: 1, p: 'T', q: 2 },
        ],
        ['n', 'p'],
        spec,
        'a',
      ),
    ['spec.a[2]: Duplicate value: {"n":1,"p":"T"}'],
  ],
])('%s', (_, check, want) => {
  expect(messages(check)).toEqual(want);
});
