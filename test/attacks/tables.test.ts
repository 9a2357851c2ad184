import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { tables } from './rows/index.ts';

describe('the tables of attacks', () => {
  test('have more than a thousand rows, and each has a test file', () => {
    expect(tables.flatMap(({ rows }) => rows).length).toBeGreaterThan(1_000);
    const files = readdirSync(fileURLToPath(new URL('.', import.meta.url)));
    const others = ['resets.test.ts', 'tables.test.ts'];
    expect(files.filter((file) => file.endsWith('.test.ts') && !others.includes(file)).length).toBe(tables.length);
  });

  test.each(tables)('$title: row names are unique', ({ rows }) => {
    const names = rows.map(({ name }) => name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });
});
