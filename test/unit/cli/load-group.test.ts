import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadGroups } from '../../../runtime/cli/load-group.ts';

describe('--group', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubeloom-group-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const group = 'const group = { catalog: { release: "x", groupVersions: [] }, strategies: {} };';

  test.each([
    ['one.mjs', `${group} export default group;`, 1],
    ['two.mjs', `${group} export default [group, group];`, 2],
  ])('accepts the exports of a module: %s', async (name, text, want) => {
    await writeFile(join(folder, name), text);
    expect(await loadGroups(join(folder, name))).toHaveLength(want);
  });

  test.each([
    ['absent', undefined, 'not a module, and not a folder with index.ts or index.js'],
    ['none.mjs', 'export const a = 1;', 'its default export is not an API group'],
    ['number.mjs', 'export default 1;', 'its default export is not an API group'],
    ['broken.mjs', 'throw new Error("on purpose");', 'on purpose'],
  ])('rejects %s in one line', async (name, text, why) => {
    if (text !== undefined) await writeFile(join(folder, name), text);
    await expect(loadGroups(join(folder, name))).rejects.toThrow(`--group ${join(folder, name)}: ${why}`);
  });
});
