import { describe, expect, test } from '@jest/globals';
import { parseDeleteOptions } from '../../../runtime/http/options/delete-options.ts';
import { parseListOptions, parseTableOptions } from '../../../runtime/http/options/read-options.ts';
import { parseCreateOptions, parsePatchOptions } from '../../../runtime/http/options/write-options.ts';
import { parseQuery } from '../../../runtime/http/query-string.ts';
import { validateDeleteOptions } from '../../../runtime/machinery/delete-options.ts';
import { isStatusError } from '../../../runtime/machinery/errors/status.ts';

const errorOf = (act: () => unknown): [number, string] | undefined => {
  try {
    act();
    return undefined;
  } catch (error) {
    if (!isStatusError(error)) throw error;
    return [error.status.code, error.message];
  }
};

describe('list options', () => {
  test('are parsed', () => {
    const text = 'watch=1&limit=500&continue=abc&resourceVersion=7&timeoutSeconds=30&allowWatchBookmarks=true';
    expect(parseListOptions(parseQuery(text))).toMatchObject({
      watch: true,
      limit: 500,
      continue: 'abc',
      resourceVersion: '7',
      timeoutSeconds: 30,
      allowWatchBookmarks: true,
    });
  });

  const invalid = 'ListOptions.meta.k8s.io "" is invalid: ';
  test.each([
    ['limit=x', 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['limit=', 400, 'strconv.ParseInt: parsing "": invalid syntax'],
    ['limit=1.5', 400, 'strconv.ParseInt: parsing "1.5": invalid syntax'],
    ['limit=99999999999999999999', 400, 'strconv.ParseInt: parsing "99999999999999999999": value out of range'],
    ['timeoutSeconds=soon', 400, 'strconv.ParseInt: parsing "soon": invalid syntax'],
    [
      'resourceVersionMatch=Exact',
      422,
      `${invalid}resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided`,
    ],
    [
      'resourceVersionMatch=Exact&resourceVersion=0',
      422,
      `${invalid}resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"`,
    ],
    [
      'resourceVersionMatch=Foo&resourceVersion=1',
      422,
      `${invalid}resourceVersionMatch: Unsupported value: "Foo": supported values: "Exact", "NotOlderThan", ""`,
    ],
    ['sendInitialEvents=true', 422, `${invalid}sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list`],
    [
      'watch=1&sendInitialEvents=true',
      422,
      `${invalid}resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan`,
    ],
    [
      'watch=1&resourceVersionMatch=NotOlderThan',
      422,
      `${invalid}resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided`,
    ],
  ])('%s', (text, code, message) => {
    expect(errorOf(() => parseListOptions(parseQuery(text)))).toEqual([code, message]);
  });

  test('a selector that cannot be parsed is a bad request', () => {
    expect(errorOf(() => parseListOptions(parseQuery('labelSelector=a%20b')))?.[0]).toBe(400);
    expect(errorOf(() => parseListOptions(parseQuery('fieldSelector=a')))?.[0]).toBe(400);
  });
});

describe('write options', () => {
  test('are parsed', () => {
    expect(parseCreateOptions(parseQuery('dryRun=All&fieldManager=me&fieldValidation=Strict'))).toEqual({
      dryRun: true,
      fieldManager: 'me',
      fieldValidation: 'Strict',
    });
    expect(parseCreateOptions(parseQuery(''))).toEqual({ dryRun: false, fieldManager: '', fieldValidation: 'Warn' });
  });

  test.each([
    ['dryRun=Some', 'dryRun: Unsupported value: ["Some"]: supported values: "All"'],
    ['fieldValidation=Foo', 'fieldValidation: Unsupported value: "Foo": supported values: "", "Ignore", "Strict", "Warn"'],
    [`fieldManager=${'x'.repeat(129)}`, 'fieldManager: Too long: may not be more than 128 bytes'],
    ['fieldManager=a%07', 'fieldManager: Invalid value: "a\\a": invalid character U+0007 (at position 1)'],
  ])('%s', (text, message) => {
    expect(errorOf(() => parseCreateOptions(parseQuery(text)))).toEqual([422, `CreateOptions.meta.k8s.io "" is invalid: ${message}`]);
  });

  test.each([
    ['', true, 'fieldManager: Required value: is required for apply patch'],
    ['force=true', false, 'force: Forbidden: may not be specified for non-apply patch'],
  ])('patch with %j, apply %s', (text, apply, message) => {
    expect(errorOf(() => parsePatchOptions(parseQuery(text), apply))).toEqual([422, `PatchOptions.meta.k8s.io "" is invalid: ${message}`]);
  });
});

describe('delete options', () => {
  test('are parsed', () => {
    const text = 'gracePeriodSeconds=5&propagationPolicy=Foreground&uid=u&resourceVersion=7&dryRun=All';
    expect(parseDeleteOptions(parseQuery(text))).toEqual({
      gracePeriodSeconds: 5,
      propagationPolicy: 'Foreground',
      dryRun: ['All'],
      preconditions: { uid: 'u', resourceVersion: '7' },
    });
  });

  test.each([
    [{ propagationPolicy: 'Foo' }, 'propagationPolicy: Unsupported value: "Foo": supported values: '],
    [{ propagationPolicy: 'Orphan', orphanDependents: true }, 'orphanDependents and deletionPropagation cannot be both set'],
  ])('%j', (options, message) => {
    const [code, text] = errorOf(() => validateDeleteOptions(options)) ?? [];
    expect([code, text]).toEqual([422, expect.stringContaining(message)]);
  });
});

test('table options', () => {
  expect(parseTableOptions(parseQuery(''))).toEqual({ includeObject: 'Metadata' });
  expect(errorOf(() => parseTableOptions(parseQuery('includeObject=All')))?.[0]).toBe(400);
});
