import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { RE2JS } from 're2js';
import { isEventLoopBudgetError, shareEventLoopBudget } from '../../../runtime/machinery/event-loop/budget.ts';

import { Pattern, patternOf } from '../../../runtime/machinery/patterns/pattern.ts';
import { compileTime } from '../../../runtime/machinery/patterns/size.ts';
import { expectLinear, workOn } from '../../support/growth.ts';

function exceedsLoopBudget(work: () => unknown): boolean {
  try {
    work();
    return false;
  } catch (error) {
    if (!isEventLoopBudgetError(error)) throw error;
    return true;
  }
}

describe('matches of patterns', () => {
  test.each<[string, string, boolean]>([
    ['^[a-z]+$', 'abc', true],
    ['^[a-z]+$', 'aBc', false],
    ['^[a-z]+$', 'abc\n', false],
    ['^[^a]$', '😀', true],
    ['^..$', '😀', false],
    ['b', 'abc', true],
    ['', '', true],
    ['^$', 'a', false],
    ['^(a+)+$', `${'a'.repeat(40)}b`, false],
    ['\\pL', 'é', true],
    ['\\bb\\b', 'a b c', true],
    ['\\Bb', 'a b c', false],
    ['(?m)^b$', 'a\nb\nc', true],
    ['a$', 'a\n', false],
    ['(?i)^K$', '\u212a', true],
    ['(?s)a.b', 'a\nb', true],
    ['a.b', 'a\nb', false],
    ['a\\z', 'ba', true],
    ['^\\x{10400}$', '\u{10400}', true],
  ])('%s on %j: %s', (source, text, want) => {
    expect(new Pattern(source).test(text)).toBe(want);
  });

  test.each(['(?=a)', '(a)\\1', 'a{1001}', '(', '(x{1000}){1000}', 'x{1000}'.repeat(1_000)])('%s is rejected', (source) => {
    const pattern = new Pattern(source);
    expect(pattern.error).toMatch(/^error parsing regexp: /);
    expect(pattern.test('')).toBe(false);
    expect(pattern.findAll('x', -1)).toEqual([]);
  });

  const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\b', '\\B', '^', '$', '\\w', 'é', '\\n', '(?i:A)', '\\pL', '');
  const piece = fc
    .tuple(atom, fc.constantFrom('', '*', '+', '?', '{2}', '{0,2}', '*?', '+?'))
    .filter(([one, times]) => times === '' || /^[ab.[\\é(]/.test(one))
    .map(([one, times]) => one + (/^(?:\\[bB]|)$/.test(one) ? '' : times));
  const { expression } = fc.letrec<{ expression: string }>((tie) => ({
    expression: fc.oneof(
      { maxDepth: 3 },
      fc.array(piece, { maxLength: 4 }).map((parts) => parts.join('')),
      fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(?:${a}|${b})`),
      fc.tuple(tie('expression'), fc.constantFrom('*', '+', '?', '{1,3}')).map(([a, times]) => `(${a})${times}`),
      fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => a + b),
    ),
  }));
  const text = fc.array(fc.constantFrom('a', 'b', 'A', ' ', '\n', 'é', '😀', '_'), { maxLength: 12 }).map((all) => all.join(''));

  test('agree with re2js', () => {
    fc.assert(
      fc.property(expression, fc.array(text, { minLength: 1, maxLength: 5 }), (source, texts) => {
        const own = new Pattern(source);
        const other = RE2JS.compile(source);
        expect(own.error).toBeUndefined();
        for (const one of texts) {
          expect([source, one, own.test(one)]).toEqual([source, one, other.matcher(one).find()]);
        }
      }),
      { numRuns: 500, verbose: 1 },
    );
  });

  test('a text that leads to new states all the time is read to its end', () => {
    const texts = Array.from({ length: 40 }, (_, seed) => {
      let state = seed + 1;
      return Array.from({ length: 1_000 }, () => {
        state = (state * 48_271) % 2_147_483_647;
        return state % 2 === 0 ? 'a' : 'b';
      }).join('');
    });
    const own = new Pattern('[ab]*a[ab]{14}c');
    for (const one of texts) expect([own.test(one), own.test(`${one}c`)]).toEqual([false, one.at(-15) === 'a']);
  });
});

describe('the cost of patterns', () => {
  const hostile: [string, string, string][] = [
    ['(a+)+$', 'a', 'b'],
    ['(a|a)*b', 'a', ''],
    ['(a|aa)+$', 'a', 'b'],
    ['.*.*.*x', 'a', ''],
    ['a*b', 'a', ''],
    ['a*a*a*b', 'a', ''],
    ['\\s+$', ' ', 'x'],
    ['(a?){20}b', 'a', ''],
    ['(x+x+)+y', 'x', ''],
    ['[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$', 'a-', '_'],
    ['^.{0,100}$', 'a', ''],
    ['\\pL+$', '世', '1'],
    ['abcabd$', 'abc', ''],
  ];

  test.each(hostile)('%s takes time linear in %j', (source, unit, tail) => {
    const pattern = new Pattern(source);
    expectLinear(20_000, (size) => {
      const text = unit.repeat(size) + tail;
      return () => pattern.test(text);
    });
  });

  test('a text of a mebibyte is too much for the event loop; texts share one budget', () => {
    const pattern = new Pattern('^[a-z]+$');
    expect(pattern.test('a'.repeat(100_000))).toBe(true);
    expect(exceedsLoopBudget(() => pattern.test('a'.repeat(1 << 20)))).toBe(true);
    const together = () => {
      for (let i = 0; i < 20; i++) pattern.test('a'.repeat(100_000));
    };
    expect(exceedsLoopBudget(together)).toBe(false);
    expect(exceedsLoopBudget(() => shareEventLoopBudget(together))).toBe(true);
    expect(exceedsLoopBudget(() => shareEventLoopBudget(() => shareEventLoopBudget(() => pattern.test('a'))))).toBe(false);
  });

  test.each<[string, string]>([
    ['many alternatives', Array.from({ length: 5_000 }, (_, i) => `w${i}`).join('|')],
    ['a long literal', 'a'.repeat(20_000)],
    ['counted repetitions', 'x{1000}'.repeat(10)],
    ['classes with many tables', `[${'\\pL'.repeat(100)}]`],
    ['wide ranges in any case', `(?i)${'[B-\\x{1e000}]'.repeat(3)}`],
  ])('%s are not compiled on the event loop', (_what, source) => {
    expect(exceedsLoopBudget(() => new Pattern(source).error)).toBe(true);
  });

  test.each<[string, string]>([
    ['a mebibyte', 'a'.repeat(1 << 20)],
    ['a class of 300,000 tables', `[${'\\pL'.repeat(300_000)}]`],
    ['10,000 ranges in any case', `(?i)[${'B-\\x{1e000}'.repeat(10_000)}]`],
    ['repetitions of repetitions', `${'('.repeat(100)}a${'{2})'.repeat(100)}`],
  ])('%s is rejected before it is compiled', (_what, source) => {
    expect(new Pattern(source).error).toBe('error parsing regexp: expression too large');
  });

  test('the estimate takes time linear in the pattern', () => {
    for (const unit of ['a', '(', '[', '\\', '[a-', '{1', '(?P<', '\\p{', '\\Q', '[[:', '(?i)', 'a{9}', '[]', '|']) {
      expectLinear(
        40_000,
        workOn((size) => unit.repeat(size), compileTime),
      );
    }
  });

  test('only small patterns are cached', () => {
    expect(patternOf('^kept$')).toBe(patternOf('^kept$'));
    const long = `^${'a'.repeat(300)}$`;
    expect(patternOf(long)).not.toBe(patternOf(long));
  });
});
