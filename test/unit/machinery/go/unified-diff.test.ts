import { expect, test } from '@jest/globals';
import { unifiedDiff } from '../../../../runtime/machinery/go/unified-diff.ts';

const textOf = (lines: readonly string[]): string => lines.join('\n');
const numbered = (length: number): string[] => Array.from({ length }, (_, index) => `l${index}`);

/** Expected: the output of Python's difflib.unified_diff without its first two lines. */
test.each<[what: string, before: string, after: string, want: string[]]>([
  ['equal texts have no diff', 'a b', 'a b', []],
  ['a changed line', 'a b c', 'a x c', ['@@ -1,3 +1,3 @@', ' a', '-b', '+x', ' c']],
  ['one line in each text', 'a', 'b', ['@@ -1 +1 @@', '-a', '+b']],
  ['a line more', 'a', 'a b', ['@@ -1 +1,2 @@', ' a', '+b']],
  ['a line less', 'a b c d e', 'b c d e', ['@@ -1,4 +1,3 @@', '-a', ' b', ' c', ' d']],
  [
    'changes that share the lines between them',
    'a 1 2 3 4 5 6 b',
    'x 1 2 3 4 5 6 y',
    ['@@ -1,8 +1,8 @@', '-a', '+x', ' 1', ' 2', ' 3', ' 4', ' 5', ' 6', '-b', '+y'],
  ],
  [
    'changes too far apart to share lines',
    'a 1 2 3 4 5 6 7 b',
    'x 1 2 3 4 5 6 7 y',
    ['@@ -1,4 +1,4 @@', '-a', '+x', ' 1', ' 2', ' 3', '@@ -6,4 +6,4 @@', ' 5', ' 6', ' 7', '-b', '+y'],
  ],
  ['lines that moved', 'a b c d', 'c d a b', ['@@ -1,4 +1,4 @@', '+c', '+d', ' a', ' b', '-c', '-d']],
])('%s', (_, before, after, want) => {
  const text = unifiedDiff(textOf(before.split(' ')), textOf(after.split(' ')));
  expect(text).toBe(want.map((line) => `${line}\n`).join(''));
});

test('frequent lines of a long text are no reason to match', () => {
  const many = Array<string>(5).fill('same');
  const text = unifiedDiff(textOf([...many, ...numbered(200)]), textOf([...numbered(200), ...many]));
  const same = (sign: string): string => `${sign}same\n`.repeat(5);
  expect(text).toBe(`@@ -1,8 +1,3 @@\n${same('-')} l0\n l1\n l2\n@@ -203,3 +198,8 @@\n l197\n l198\n l199\n${same('+')}`);
});

test('texts with more than 500 lines are not compared', () => {
  expect(unifiedDiff(textOf(numbered(501)), 'a')).toBe('');
});
