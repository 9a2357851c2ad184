import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { replaceFolder } from '../../../../codegen/emit/write.ts';
import { listFiles } from '../../../../codegen/load/files.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'kubeloom-write-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

test('TypeScript is formatted, other files are written as they are', async () => {
  const folder = join(root, 'v1');
  const files = new Map([
    ['a/b.ts', 'export const a={b:"c"}'],
    ['x.json', '{"a":1}'],
  ]);
  expect(await replaceFolder(folder, files)).toBe(2);
  expect(await listFiles(root, '')).toEqual(['v1/.kubeloom', 'v1/a/b.ts', 'v1/x.json']);
  expect(await readFile(join(folder, 'a/b.ts'), 'utf8')).toBe("export const a = { b: 'c' };\n");
  expect(await readFile(join(folder, 'x.json'), 'utf8')).toBe('{"a":1}');
});

test('files with the same text in other places are formatted by themselves', async () => {
  const folder = join(root, 'v1');
  const texts = Array.from({ length: 5 }, (_, size) => `export function f(){${'g();'.repeat(size)}return {a:${size}};}`);
  await replaceFolder(folder, new Map(texts.map((text, index) => [`${index}.ts`, text])));
  for (const [index] of texts.entries())
    expect(await readFile(join(folder, `${index}.ts`), 'utf8')).toBe(
      `export function f() {\n${'  g();\n'.repeat(index)}  return { a: ${index} };\n}\n`,
    );
});

test('text that is not TypeScript leaves the folder unchanged, and is named', async () => {
  const folder = join(root, 'v1');
  await replaceFolder(folder, new Map([['a.ts', 'export {};\n']]));
  await expect(replaceFolder(folder, new Map([['a.ts', 'export const = ;']]))).rejects.toThrow(
    'a.ts: the generated code is not TypeScript: line 1: ',
  );
  expect(await readFile(join(folder, 'a.ts'), 'utf8')).toBe('export {};\n');
  expect(await listFiles(root, '')).toEqual(['v1/.kubeloom', 'v1/a.ts']);
});
