import { expect, test } from '@jest/globals';
import { type FieldError, fieldErrorMessage } from '../../../runtime/machinery/validation/field-error.ts';
import { FieldPath } from '../../../runtime/machinery/validation/field-path.ts';
import * as checks from '../../../runtime/structural/checks.ts';

const spec = FieldPath.of('spec');

function messages(check: (errors: FieldError[]) => void): string[] {
  const errors: FieldError[] = [];
  check(errors);
  return errors.map(fieldErrorMessage);
}

test.each<[string, (errors: FieldError[]) => void, string[]]>([
  ['required', (e) => checks.checkRequired('', spec, 'a', e), ['spec.a: Required value']],
  [
    'required, empty list',
    (e) => checks.checkRequired([], spec, 'a', e, 'say why'),
    ['spec.a: Required value: say why'],
  ],
  ['required, present', (e) => checks.checkRequired(0, spec, 'a', e), []],
  ['present', (e) => checks.checkPresent({}, spec, 'a', e), []],
  ['not present', (e) => checks.checkPresent(null, spec, 'a', e), ['spec.a: Required value']],
  ['forbidden', (e) => checks.checkForbidden('x', spec, 'a', e, 'not here'), ['spec.a: Forbidden: not here']],
  ['forbidden, absent', (e) => checks.checkForbidden(undefined, spec, 'a', e), []],
  [
    'enum',
    (e) => checks.checkEnum('C', ['A', 'B'], spec, 'a', e),
    ['spec.a: Unsupported value: "C": supported values: "A", "B"'],
  ],
  ['enum, absent', (e) => checks.checkEnum('', ['A'], spec, 'a', e), []],
  [
    'enum in a list',
    (e) => checks.checkEnum(['A', 'C'], ['A', 'B'], spec, 'a', e),
    ['spec.a[1]: Unsupported value: "C": supported values: "A", "B"'],
  ],
  [
    'min',
    (e) => checks.checkMin(-1, 0, spec, 'a', e),
    ['spec.a: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'min, int64',
    (e) => checks.checkMin(-(2n ** 60n), 0, spec, 'a', e),
    ['spec.a: Invalid value: -1152921504606846976: must be greater than or equal to 0'],
  ],
  ['max', (e) => checks.checkMax(9, 8, spec, 'a', e), ['spec.a: Invalid value: 9: must be less than or equal to 8']],
  [
    'maxLength in bytes',
    (e) => checks.checkMaxLength('ääa', 4, spec, 'a', e),
    ['spec.a: Too long: may not be more than 4 bytes'],
  ],
  ['maxLength', (e) => checks.checkMaxLength('abcd', 4, spec, 'a', e), []],
  [
    'minLength',
    (e) => checks.checkMinLength('', 1, spec, 'a', e),
    ['spec.a: Invalid value: "": spec.a in body should be at least 1 chars long'],
  ],
  [
    'maxItems',
    (e) => checks.checkMaxItems([1, 2, 3], 2, spec, 'a', e),
    ['spec.a: Too many: 3: must have at most 2 items'],
  ],
  [
    'maxItems of a map',
    (e) => checks.checkMaxItems({ a: 1, b: 2 }, 1, spec, 'a', e),
    ['spec.a: Too many: 2: must have at most 1 item'],
  ],
  [
    'minItems',
    (e) => checks.checkMinItems([], 1, spec, 'a', e),
    ['spec.a: Invalid value: 0: spec.a in body should have at least 1 items'],
  ],
  [
    'pattern',
    (e) => checks.checkPattern('abc', '^[0-9]+$', spec, 'a', e),
    ['spec.a: Invalid value: "abc": spec.a in body should match \'^[0-9]+$\''],
  ],
  ['pattern, anywhere', (e) => checks.checkPattern('abc1', '(?i)B', spec, 'a', e), []],
  [
    'format',
    (e) => checks.checkFormat(0, 'port', spec, 'a', e),
    ['spec.a: Invalid value: 0: must be between 1 and 65535, inclusive'],
  ],
  [
    'format in a list',
    (e) => checks.checkFormat(['10.0.0.1', 'x'], 'ip', spec, 'a', e),
    ['spec.a[1]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
  ],
  [
    'format of OpenAPI',
    (e) => checks.checkFormat('x', 'ipv4', spec, 'a', e),
    ['spec.a: Invalid value: "x": spec.a in body must be of type ipv4: "x"'],
  ],
  ['unique', (e) => checks.checkUnique(['a', 'b', 'a'], spec, 'a', e), ['spec.a[2]: Duplicate value: "a"']],
  [
    'unique structs',
    (e) => checks.checkUnique([{ x: 1 }, { x: 1 }], spec, 'a', e),
    ['spec.a[1]: Duplicate value: {"x":1}'],
  ],
  [
    'unique keys',
    (e) =>
      checks.checkUniqueKeys(
        [
          { n: 1, p: 'T' },
          { n: 1, p: 'U' },
          { n: 1, p: 'T', q: 2 },
        ],
        ['n', 'p'],
        spec,
        'a',
        e,
      ),
    ['spec.a[2]: Duplicate value: {"n":1,"p":"T"}'],
  ],
])('%s', (_, check, want) => {
  expect(messages(check)).toEqual(want);
});
