import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Returns the files below test/ whose text matches `pattern`. */
const filesWith = (pattern: RegExp): string[] =>
  readdirSync(join(root, 'test'), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.m?[jt]s$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => pattern.test(readFileSync(join(root, file), 'utf8')))
    .sort();

describe('tests that need what a machine may lack', () => {
  test('only test/support/shared-folder.ts knows where ../shared is, so that `make test-shared` finds who needs it', () => {
    expect(filesWith(/\.\.\/shared['"`/]/)).toEqual(['test/support/shared-folder.ts']);
  });

  test('only test/support/skipping.ts skips, and reports the reason', () => {
    expect(filesWith(/\b(?:describe|test|it)\.(?:skip|todo|only|concurrent\.skip)\b|\bx(?:describe|test|it)\(/)).toEqual([
      'test/support/skipping.ts',
    ]);
  });
});
