import { describe, expect, test } from '@jest/globals';
import * as status from '../../../runtime/machinery/errors/status.ts';
import { quote, quoteExcerpt } from '../../../runtime/machinery/go/quote.ts';
import { GoStruct } from '../../../runtime/machinery/go/value.ts';
import { maxReportedErrors } from '../../../runtime/machinery/limits.ts';
import { fieldErrorMessage, invalid, isEnough } from '../../../runtime/machinery/validation/field-error.ts';
import { FieldErrors } from '../../../runtime/machinery/validation/field-errors.ts';
import { FieldPath } from '../../../runtime/machinery/validation/field-path.ts';

const at = FieldPath.of('spec');
const long = 'x'.repeat(1 << 20);
const kind = { group: '', kind: 'ConfigMap' };
const pods = { group: '', resource: 'pods' };

describe('a value in a message', () => {
  test.each<[what: string, value: unknown, shown: string]>([
    ['a text of the maximum length', 'x'.repeat(1024), `"${'x'.repeat(1024)}"`],
    ['a text', 'x'.repeat(1025), `"${'x'.repeat(1024)}"... (1025 bytes)`],
    ['a text of multi-byte characters', 'é'.repeat(1025), `"${'é'.repeat(1024)}"... (2050 bytes)`],
    ['a text truncated within a character', `${'x'.repeat(1023)}😀`, `"${'x'.repeat(1023)}"... (1027 bytes)`],
    ['a list', new Array(2000).fill(1), `[${'1,'.repeat(511)}1... (2000 items)`],
    ['an object', Object.fromEntries(new Array(300).fill(0).map((_, i) => [`k${100 + i}`, 1])), undefined as never],
    ['a text in a list', [long], `["${'x'.repeat(1022)}... (1 items)`],
    ['names that every object inherits', JSON.parse('{"__proto__":1,"constructor":2}'), '{"__proto__":1,"constructor":2}'],
  ])('%s', (_what, value, shown) => {
    const message = fieldErrorMessage(invalid(at, value, ''));
    if (shown !== undefined) expect(message).toBe(`spec: Invalid value: ${shown}`);
    else expect(message).toMatch(/^spec: Invalid value: \{"k100":1,.{1010,1016}\.\.\. \(300 members\)$/);
  });

  test('is quoted as in Go, short or long', () => {
    expect(quote('a"\\\n\u0001\u007f\u200b\u{e0001} é😀')).toBe('"a\\"\\\\\\n\\x01\\x7f\\u200b\\U000e0001 é😀"');
    expect(quoteExcerpt('a')).toBe('"a"');
    expect(quoteExcerpt(long)).toHaveLength(1024 + 2 + '... (1048576 bytes)'.length);
  });
});

describe('the errors of one object', () => {
  test('are reported up to a limit, and counted beyond', () => {
    const errors = new FieldErrors();
    for (let i = 0; i < 250_000; i++) errors.push(invalid(at.index(i), i, 'is wrong'));
    expect(errors).toHaveLength(250_000);
    expect(errors[maxReportedErrors - 1]).toEqual(invalid(at.index(99), 99, 'is wrong'));
    expect(new Set(errors).size).toBe(maxReportedErrors + 1);
    expect(isEnough(errors)).toBe(true);
    const { message = '', details } = status.invalid(kind, 'x', errors).status;
    expect(details?.causes).toHaveLength(maxReportedErrors);
    expect(message.endsWith('spec[99]: Invalid value: 99: is wrong]; and 249900 more')).toBe(true);
  });

  test('are all reported if they fit', () => {
    const errors = new FieldErrors();
    for (let i = 0; i < maxReportedErrors; i++) errors.push(invalid(at, i, ''));
    const { message = '', details } = status.invalid(kind, 'x', errors).status;
    expect(details?.causes).toHaveLength(maxReportedErrors);
    expect(message.endsWith('spec: Invalid value: 99]')).toBe(true);
    expect(isEnough(errors)).toBe(false);
    expect([...errors].map(({ badValue }) => badValue)).toEqual(errors.map(({ badValue }) => badValue));
  });

  test('are truncated earlier if they are long', () => {
    const errors = Array.from({ length: 50 }, (_, i) => invalid(at.index(i), long, long));
    const { status: response } = status.invalid(kind, long, errors);
    expect(response.details?.causes?.length).toBe(2);
    expect(response.message).toMatch(/; and 48 more$/);
    expect(JSON.stringify(response).length).toBeLessThan(64 * 1024);
  });
});

test('structs are shown whole, until a response has shown enough of them', () => {
  const struct = new GoStruct(() => ({ Text: 'x'.repeat(1_500) }));
  const shown = `Invalid value: {"Text":"${'x'.repeat(1_500)}"}: is wrong`;
  const errors = Array.from({ length: 100 }, (_, i) => invalid(at.index(i), struct, 'is wrong'));
  const { details, message = '' } = status.invalid(kind, 'x', errors).status;
  const lengths = details?.causes?.map((cause) => cause.message?.length ?? 0) ?? [];
  expect(details?.causes?.[0].message).toBe(shown);
  expect(message).toContain(`spec[1]: ${shown}`);
  expect(lengths.slice(0, 5)).toEqual(new Array(5).fill(shown.length));
  expect(Math.max(...lengths.slice(6))).toBeLessThan(1200);
  expect(JSON.stringify(details).length + message.length).toBeLessThan(64 * 1024);
});

test.each<[string, status.StatusError]>([
  ['a name', status.notFound(pods, long)],
  ['a name that is taken', status.generateNameConflict(pods, long, 1)],
  ['a reason', status.forbidden(pods, long, long)],
  ['a path', status.invalid(kind, '', [invalid(at.key(long), '', '')])],
  ['a message', status.badRequest(long)],
  ['an internal error', status.internalError(long)],
  ['conflicts', status.applyConflict(new Array(10_000).fill({ reason: 'x', message: 'y', field: long }), long)],
])('a Status is small if %s is long', (_what, { status: response, message }) => {
  expect(JSON.stringify(response).length).toBeLessThan(100 * 1024);
  expect(message).toBe(response.message);
});
