import { mkdir, mkdtemp, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { listFiles } from '../../../../codegen/load/files.ts';
import { markerFile, moveOwned } from '../../../../codegen/output/owned-folder.ts';
import { withStaging, writeFiles } from '../../../../codegen/output/staging.ts';

let root: string;
let folder: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'kubeloom-owned-'));
  folder = join(root, 'out');
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Writes files like a run of the generator. */
const run = (files: Record<string, string>): Promise<number> =>
  withStaging(folder, async (staging) => {
    await writeFiles(new Map(Object.entries(files)), staging);
    return moveOwned(staging, folder, Object.keys(files));
  });

/** Writes a file like a user. */
async function put(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), text);
}

async function contents(): Promise<Record<string, string>> {
  const names = (await listFiles(root, '')).map((name) => name.replace(/^out\//, ''));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return Object.fromEntries(names.map((name, index) => [name, texts[index]]).filter(([name]) => name !== markerFile));
}

test('what a run wrote before and does not write now is removed, with folders that become empty', async () => {
  expect(await run({ 'a.ts': '1', 'b/c/d.ts': '2', 'b/e.ts': '3' })).toBe(3);
  expect(await run({ 'a.ts': '1', 'b/e.ts': '4' })).toBe(2);
  expect(await contents()).toEqual({ 'a.ts': '1', 'b/e.ts': '4' });
  await expect(stat(join(folder, 'b/c'))).rejects.toThrow('ENOENT');
});

test('files of others stay, in whichever folder they are', async () => {
  await put('main.ts', 'mine');
  await put('b/mine.ts', 'mine');
  await run({ 'b/c.ts': '1' });
  await put('b/more.ts', 'mine');
  await mkdir(join(folder, 'empty'));
  await run({ 'd.ts': '2' });
  expect(await contents()).toEqual({ 'main.ts': 'mine', 'b/mine.ts': 'mine', 'b/more.ts': 'mine', 'd.ts': '2' });
  expect((await stat(join(folder, 'empty'))).isDirectory()).toBe(true);
});

describe('is refused with its name, and changes nothing:', () => {
  test.each<[string, string, Record<string, string>]>([
    ['a file that is not the same', 'main.ts', { 'a.ts': '2', 'main.ts': 'other' }],
    ['a file in place of a folder', 'main.ts', { 'a.ts': '2', 'main.ts/x.ts': 'other' }],
    ['a folder in place of a file', 'mine', { 'a.ts': '2', mine: 'other' }],
  ])('%s', async (_, name, files) => {
    await run({ 'a.ts': '1' });
    await put('main.ts', 'mine');
    await put('mine/x.ts', 'mine');
    const before = await contents();
    await expect(run(files)).rejects.toThrow(`${join(folder, name)}`);
    await expect(run(files)).rejects.toThrow('is in the way: kubeloom did not write it');
    expect(await contents()).toEqual(before);
  });

  test.each(['../a.ts', '/a.ts', 'a/../../b.ts', 'a//b.ts', './a.ts', 'a\\b.ts', ''])('a name: %j', async (name) => {
    await expect(run({ 'a.ts': '1', [name]: '2' })).rejects.toThrow('cannot be the name of a file');
    expect(await listFiles(root, '')).toEqual([]);
  });
});

test('a file of others with the same bytes is no obstacle, and becomes one of ours', async () => {
  await put('a.ts', '1');
  expect(await run({ 'a.ts': '1' })).toBe(0);
  expect(await run({ 'a.ts': '2' })).toBe(1);
});

test('a file that did not change keeps its time', async () => {
  await run({ 'a.ts': '1', 'b.ts': '2' });
  const then = new Date(1_000_000);
  await utimes(join(folder, 'a.ts'), then, then);
  await run({ 'a.ts': '1', 'b.ts': '3' });
  expect((await stat(join(folder, 'a.ts'))).mtime).toEqual(then);
});

test('a list of files that names others outside of the folder removes none of these', async () => {
  await writeFile(join(root, 'precious'), 'mine');
  await put(markerFile, `../precious\n${join(root, 'precious')}\nx/../../precious\n`);
  await run({ 'a.ts': '1' });
  expect(await readFile(join(root, 'precious'), 'utf8')).toBe('mine');
});

test('a link in the place of a file is not followed', async () => {
  await writeFile(join(root, 'precious'), 'mine');
  await mkdir(folder);
  await symlink(join(root, 'precious'), join(folder, 'a.ts'));
  await expect(run({ 'a.ts': '1' })).rejects.toThrow('is in the way');
  expect(await readFile(join(root, 'precious'), 'utf8')).toBe('mine');
});
