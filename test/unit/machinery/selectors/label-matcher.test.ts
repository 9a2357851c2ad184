import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseFieldSelector } from '../../../../runtime/machinery/selectors/field-selector.ts';
import { parseLabelSelector } from '../../../../runtime/machinery/selectors/label-selector.ts';
import { expectLinear, workOn } from '../../../support/growth.ts';

const keys = ['a', 'b', 'c', 'constructor', 'toString', 'hasOwnProperty', 'd', 'e', 'f', 'g'];
const values = ['1', '2', '3', '10', 'x', ''];
const key = fc.constantFrom(...keys);
const value = fc.constantFrom(...values);
const number = fc.constantFrom('1', '2', '03', '9223372036854775807');

/** A requirement as text, and its meaning without the code under test. */
interface Condition {
  readonly key: string;
  readonly text: string;
  holds(found: string | undefined): boolean;
}

const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ key, operator: fc.constantFrom('=', '==', '!='), value }).map((one) => ({
    key: one.key,
    text: `${one.key}${one.operator}${one.value}`,
    holds: (found: string | undefined) => (found === one.value) === (one.operator !== '!='),
  })),
  fc.record({ key, not: fc.boolean(), list: fc.array(value, { minLength: 1, maxLength: 4 }) }).map((one) => ({
    key: one.key,
    text: `${one.key} ${one.not ? 'notin' : 'in'} (${one.list.join(',')})`,
    holds: (found: string | undefined) => (found !== undefined && one.list.includes(found)) !== one.not,
  })),
  fc.record({ key, not: fc.boolean() }).map((one) => ({
    key: one.key,
    text: `${one.not ? '!' : ''}${one.key}`,
    holds: (found: string | undefined) => (found === undefined) === one.not,
  })),
  fc.record({ key, less: fc.boolean(), bound: number }).map((one) => ({
    key: one.key,
    text: `${one.key}${one.less ? '<' : '>'}${one.bound}`,
    holds: (found: string | undefined) =>
      found !== undefined && /^\d+$/.test(found) && (one.less ? BigInt(found) < BigInt(one.bound) : BigInt(found) > BigInt(one.bound)),
  })),
);

describe('many requirements as one matcher', () => {
  test('an object matches if each requirement matches, for any number of them', () => {
    fc.assert(
      fc.property(fc.array(condition, { maxLength: 24 }), fc.dictionary(key, value), (conditions, labels) => {
        const want = conditions.every((one) => one.holds(Object.hasOwn(labels, one.key) ? labels[one.key] : undefined));
        expect(parseLabelSelector(conditions.map(({ text }) => text).join(',')).matches(labels)).toBe(want);
      }),
      { numRuns: 600 },
    );
  });

  test.each([
    ['a,!a', { a: '1' }, false],
    ['a,!a', {}, false],
    ['a=1,a=2', { a: '1' }, false],
    ['a in (1,2),a in (2,3)', { a: '2' }, true],
    ['a in (1,2),a!=2', { a: '2' }, false],
    ['n>1,n<5,n>2', { n: '3' }, true],
    ['n>1,n<5,n>3', { n: '3' }, false],
    ['n>1', { n: '9'.repeat(30) }, false],
    ['n>1', { n: `${'0'.repeat(30)}2` }, true],
    ['a,b,c,d,e,f,g,h,i', { a: '', b: '', c: '', d: '', e: '', f: '', g: '', h: '', i: '' }, true],
    ['a,b,c,d,e,f,g,h,i', { a: '', b: '', c: '', d: '', e: '', f: '', g: '', h: '', j: '' }, false],
    ['constructor', {}, false],
    ['!toString', {}, true],
    ['valueOf!=x', {}, true],
  ])('%s of %j', (text, labels, want) => {
    expect(parseLabelSelector(text).matches(labels as Record<string, string>)).toBe(want);
  });

  test.each<[string, (n: number) => string]>([
    ['different keys', (n) => Array.from({ length: n }, (_, i) => `k${i}!=x`).join(',')],
    ['one key', (n) => Array.from({ length: n }, (_, i) => `app!=x${i}`).join(',')],
    ['one list', (n) => `app notin (${Array.from({ length: n }, (_, i) => `x${i}`).join(',')})`],
    ['lists of one key', (n) => Array.from({ length: n / 100 }, () => `app in (${'x,'.repeat(99)}y)`).join(',')],
  ])('thousands of requirements, %s, are parsed and matched in linear time', (_what, make) => {
    const objects = Array.from({ length: 50 }, (_, i) => ({ app: `a${i}`, tier: 'x' }));
    const work = (text: string): void => {
      const selector = parseLabelSelector(text);
      for (const labels of objects) selector.matches(labels);
    };
    expectLinear(5_000, workOn(make, work));
  });
});

describe('many requirements on fields', () => {
  test.each([
    ['a=1,a=2', { a: '1' }, false],
    ['a=1,a==1', { a: '1' }, true],
    ['a=1,a!=1', { a: '1' }, false],
    ['a!=2,a!=3', { a: '1' }, true],
    ['a=', {}, true],
    ['a!=', {}, false],
    ['a=1,a!=2,a!=3,a!=4,a!=5,a!=6,a!=7,a!=8,b!=1', { a: '1' }, true],
    ['a=1,a!=2,a!=3,a!=4,a!=5,a!=6,a!=7,a!=8,b!=1', { a: '1', b: '1' }, false],
    ['a=1,a=9,a!=3,a!=4,a!=5,a!=6,a!=7,a!=8,b!=1', { a: '1' }, false],
  ])('%s of %j', (text, fields, want) => {
    const all = fields as Record<string, string>;
    expect(parseFieldSelector(text).matches((field) => all[field] ?? '')).toBe(want);
  });

  test('the first of several values counts, and the first of several errors, in the order of the terms', () => {
    expect(parseFieldSelector('a=c,a=b').requiresExactMatch('a')).toBe('b');
    expect(parseFieldSelector('a=b,a==c').requiresExactMatch('a')).toBe('c');
    expect(() => parseFieldSelector('y,a=\\x,b')).toThrow('invalid field selector: invalid escape sequence: \\x');
    expect(() => parseFieldSelector('y,x')).toThrow("invalid selector: 'y,x'; can't understand 'x'");
    expect(parseFieldSelector('z=1,b!=1,c=2').find((field) => field !== 'a')).toBe('b');
    expect(parseFieldSelector('z=1').find((field) => field === 'a')).toBeUndefined();
  });

  test.each<[string, (n: number) => string]>([
    ['values', (n) => Array.from({ length: n }, (_, i) => `metadata.name!=x${i}`).join(',')],
    ['escapes', (n) => `metadata.name=${'\\,'.repeat(n)}`],
    ['invalid terms', (n) => `${'x,'.repeat(n)}`],
  ])('thousands of requirements, %s, are parsed in linear time', (_what, make) => {
    const work = (text: string): void => {
      try {
        parseFieldSelector(text).matches(() => 'x');
      } catch {
        // some conditions are invalid
      }
    };
    expectLinear(20_000, workOn(make, work));
  });
});
