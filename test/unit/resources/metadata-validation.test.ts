import { describe, expect, test } from '@jest/globals';
import type { ObjectMeta, OwnerReference } from '../../../runtime/machinery/object.ts';
import { Field } from '../../../runtime/machinery/validation/field.ts';
import { fieldErrorMessage } from '../../../runtime/machinery/validation/field-error.ts';
import { FieldErrors } from '../../../runtime/machinery/validation/field-errors.ts';
import { FieldPath } from '../../../runtime/machinery/validation/field-path.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../../../runtime/resources/metadata-validation.ts';
import { dedupOwnerReferencesAndAddWarning } from '../../../runtime/resources/owner-references.ts';
import { expectLinear, workOn } from '../../support/growth.ts';

const nameRule =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

function problems(metadata: Partial<ObjectMeta>): string[] {
  const errors = new FieldErrors();
  const rules = { nameRule: 'dns-subdomain', namespaced: false } as const;
  validateObjectMeta({ name: 'a', ...metadata } as ObjectMeta, rules, Field.at(FieldPath.of('metadata'), errors));
  return errors.map(fieldErrorMessage);
}

/** Uses JSON.parse, for which `__proto__` is an ordinary key. */
const mapOf = (...keys: string[]): Record<string, string> => JSON.parse(`{${keys.map((key) => `${JSON.stringify(key)}:"x"`).join(',')}}`);

describe('names that every object inherits are ordinary keys', () => {
  test.each(['labels', 'annotations'] as const)('%s', (field) => {
    expect(problems({ [field]: mapOf('__proto__') })).toEqual([`metadata.${field}: Invalid value: "__proto__": ${nameRule}`]);
    expect(problems({ [field]: mapOf('constructor', 'hasOwnProperty', 'toString', 'x.y/valueOf') })).toEqual([]);
  });

  test('finalizers', () => {
    expect(problems({ finalizers: ['constructor', '__proto__'] })).toEqual([
      `metadata.finalizers: Invalid value: "__proto__": ${nameRule}`,
    ]);
  });
});

test.each<[what: string, metadata: Partial<ObjectMeta>, want: string]>([
  ['a key without a name', { labels: { 'a/': '' } }, 'labels: Invalid value: "a/": name part must be non-empty'],
  ['a key without a prefix', { labels: { '/a': '' } }, 'labels: Invalid value: "/a": prefix part must be non-empty'],
  [
    'a long key',
    { labels: { ['a'.repeat(64)]: '' } },
    `labels: Invalid value: "${'a'.repeat(64)}": name part must be no more than 63 bytes`,
  ],
  [
    'a long prefix',
    { labels: { [`${'a'.repeat(254)}/x`]: '' } },
    `labels: Invalid value: "${'a'.repeat(254)}/x": prefix part must be no more than 253 bytes`,
  ],
  [
    'a key with two slashes',
    { labels: { 'a/b/c': '' } },
    `labels: Invalid value: "a/b/c": a valid label key ${nameRule.slice('name part '.length)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
  ],
  ['a long value', { labels: { a: 'b'.repeat(64) } }, `labels: Invalid value: "${'b'.repeat(64)}": must be no more than 63 bytes`],
  ['too many annotations', { annotations: { a: 'b'.repeat(256 * 1024) } }, 'annotations: Too long: may not be more than 262144 bytes'],
])('%s is rejected in upstream’s words', (_what, metadata, want) => {
  expect(problems(metadata)[0]).toBe(`metadata.${want}`);
});

const owner = (i: number, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'A',
  name: 'b',
  uid: `uid-${i}`,
  ...more,
});
const many = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

describe('thousands of entries are validated in linear time', () => {
  test.each<[string, (n: number) => Partial<ObjectMeta>]>([
    ['owners', (n) => ({ ownerReferences: many(n, owner) })],
    ['owners that are all controllers', (n) => ({ ownerReferences: many(n, (i) => owner(i, { controller: true })) })],
    ['finalizers', (n) => ({ finalizers: many(n, (i) => `a.b/c${i}`) })],
    ['bad finalizers', (n) => ({ finalizers: many(n, (i) => `!${i}`) })],
    ['labels', (n) => ({ labels: mapOf(...many(n, (i) => `k${i}`)) })],
    ['bad labels', (n) => ({ labels: mapOf(...many(n, (i) => `!${i}`)) })],
    ['annotations', (n) => ({ annotations: mapOf(...many(n, (i) => `k${i}`)) })],
    ['a name', (n) => ({ name: 'A-'.repeat(20 * n) })],
    ['a generateName', (n) => ({ generateName: '-'.repeat(40 * n) })],
    ['a key', (n) => ({ labels: mapOf('/'.repeat(40 * n), `${'a.'.repeat(20 * n)}!/x`) })],
  ])('%s', (_what, make) => {
    expectLinear(4_000, workOn(make, problems));
  });

  test('finalizers that are added while an object is deleted', () => {
    const update = (finalizers: string[]): void => {
      const metadata = { name: 'a', finalizers } as ObjectMeta;
      const old = { name: 'a', deletionTimestamp: 'x', finalizers: finalizers.map((one) => `${one}x`) } as ObjectMeta;
      validateObjectMetaUpdate(metadata, old, Field.at(FieldPath.of('metadata'), new FieldErrors()));
    };
    expectLinear(
      4_000,
      workOn((n) => many(n, (i) => `a.b/c${i}`), update),
    );
  });

  test('owners that are named twice', () => {
    const dedup = (ownerReferences: OwnerReference[]): void =>
      dedupOwnerReferencesAndAddWarning({ metadata: { ownerReferences } } as never, () => undefined, 'sent');
    expectLinear(
      4_000,
      workOn((n) => many(n, owner), dedup),
    );
  });
});

test('identical owner references are dropped, and reported by uid', () => {
  const warnings: string[] = [];
  const metadata = {
    ownerReferences: [
      owner(1),
      owner(2, { controller: true }),
      owner(1),
      owner(1, { controller: true }),
      { uid: 'uid-1', name: 'b', kind: 'A', apiVersion: 'v1' },
    ],
  };
  dedupOwnerReferencesAndAddWarning({ metadata } as never, (text) => warnings.push(text), 'sent');
  expect(metadata.ownerReferences).toEqual([owner(1), owner(2, { controller: true }), owner(1, { controller: true })]);
  expect(warnings).toEqual([expect.stringMatching(/; duplicate UID\(s\) observed: uid-1, uid-1$/)]);
});
