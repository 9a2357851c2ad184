import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { below, folderInside } from '../../../../runtime/simulation/processes/inside.ts';

let outer: string;
let folder: string;
beforeEach(() => {
  outer = mkdtempSync(join(tmpdir(), 'inside-'));
  folder = join(outer, 'folder');
  mkdirSync(folder);
});
afterEach(() => rmSync(outer, { recursive: true, force: true }));

test.each([
  ['a/b', 'a/b'],
  ['/a/b', 'a/b'],
  ['../../a', 'a'],
  ['a/../../../b', 'b'],
  ['/..', ''],
  ['..', ''],
  ['./a//b/.', 'a/b'],
])('%s is below a folder', async (path, want) => {
  expect(below('/x', path).replace(/\/$/, '')).toBe(join('/x', want));
  expect((await folderInside(folder, path)).replace(/\/$/, '')).toBe(join(folder, want));
});

test.each([
  ['a link to a folder outside', '../outside', 'link/made'],
  ['a link to another absolute path', '/', 'link'],
  ['a link to the folder above', '..', 'link/outside/made'],
])('%s is not followed', async (_, target, path) => {
  mkdirSync(join(outer, 'outside'));
  symlinkSync(target, join(folder, 'link'));
  await expect(folderInside(folder, path)).rejects.toThrow('leads out of its folder');
  expect(existsSync(join(outer, 'outside', 'made'))).toBe(false);
});

test('a link that stays inside is followed', async () => {
  mkdirSync(join(folder, 'real'));
  symlinkSync('real', join(folder, 'link'));
  await folderInside(folder, 'link/made');
  expect(existsSync(join(folder, 'real', 'made'))).toBe(true);
});
