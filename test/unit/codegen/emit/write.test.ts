import { mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
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

test('the folder has exactly the given files, formatted', async () => {
  const folder = join(root, 'v1');
  await mkdir(join(folder, 'old/deep'), { recursive: true });
  await writeFile(join(folder, 'old/deep/stale.ts'), '');
  const changed = await replaceFolder(
    folder,
    new Map([
      ['a/b.ts', 'export const a={b:"c"}'],
      ['x.json', '{"a":1}'],
    ]),
  );
  expect(changed).toBe(3);
  expect(await listFiles(root, '')).toEqual(['v1/a/b.ts', 'v1/x.json']);
  expect(await readFile(join(folder, 'a/b.ts'), 'utf8')).toBe("export const a = { b: 'c' };\n");
  expect(await readFile(join(folder, 'x.json'), 'utf8')).toBe('{"a":1}');
  await expect(stat(join(folder, 'old'))).rejects.toThrow('ENOENT');
});

test('a file that did not change keeps its modification time', async () => {
  const folder = join(root, 'v1');
  const files = new Map([
    ['a.ts', 'export {};\n'],
    ['b.ts', 'export const b = 1;\n'],
  ]);
  await replaceFolder(folder, files);
  const then = new Date(1_000_000);
  await utimes(join(folder, 'a.ts'), then, then);
  expect(await replaceFolder(folder, new Map([...files, ['b.ts', 'export const b = 2;\n']]))).toBe(1);
  expect((await stat(join(folder, 'a.ts'))).mtime).toEqual(then);
});

test('text that cannot be formatted leaves the folder unchanged', async () => {
  const folder = join(root, 'v1');
  await replaceFolder(folder, new Map([['a.ts', 'export {};\n']]));
  await expect(replaceFolder(folder, new Map([['a.ts', 'export const = ;']]))).rejects.toThrow('could not format');
  expect(await readFile(join(folder, 'a.ts'), 'utf8')).toBe('export {};\n');
  expect(await listFiles(root, '')).toEqual(['v1/a.ts']);
});
