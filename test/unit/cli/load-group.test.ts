import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadGroups } from '../../../runtime/cli/load-group.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubeloom-groups-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const group = '{ catalog: { release: "x", groupVersions: [] }, strategies: {} }';

test.each([
  ['nothing', '', 'has no default export, which should be an API group: it exports nothing'],
  ['other names', 'export const a = 1; export const b = 2;', 'has no default export, which should be an API group: it exports a, b'],
  [
    'a generated package whose versions need converters',
    'export const catalog = {}; export const createClient = 1; export const widgets = 1;',
    'has no default export, because its versions need converters: pass a module with "export default" of the group with its converters',
  ],
  ['undefined', 'export default undefined;', 'its default export is not an API group, but undefined'],
  ['a text', "export default 'group';", 'its default export is not an API group, but a string'],
  ['an object', 'export default { catalog: 1, other: 2 };', 'its default export is not an API group, but an object with catalog, other'],
  ['a promise', `export default Promise.resolve(${group});`, 'its default export is not an API group, but a promise'],
  [
    'the function of a package',
    `export default function widgets() { return ${group}; }`,
    'its default export is the function widgets, not an API group: export what it returns',
  ],
  ['a list', `export default [${group}, null];`, 'its default export is a list whose item 1 is not an API group, but null'],
  ['no program', 'export default 1;\nexport const = 2;\n', 'Unexpected token'],
  ['an exception', "throw new Error('a bug');", 'a bug'],
  ['a module that is not there', "import './absent.mjs';", "Cannot find module 'FOLDER/absent.mjs' imported from FILE"],
])('a module that exports %s is refused', async (what, text, want) => {
  const file = join(folder, `${what.replaceAll(' ', '-')}.mjs`);
  await writeFile(file, text);
  const message = await loadGroups(file).then(
    () => '',
    (error: Error) => error.message,
  );
  expect(message).toContain(`--group ${file}: `);
  expect(message.slice(`--group ${file}: `.length)).toContain(want.replace('FILE', file).replace('FOLDER', folder));
});

test.each(['empty', 'absent'])('a folder that is %s is refused', async (name) => {
  const path = join(folder, name);
  if (name === 'empty') await mkdir(path);
  await expect(loadGroups(path)).rejects.toThrow(`--group ${path}: not a module, and not a folder with index.ts or index.js`);
});

test.each([
  ['one', `export default ${group};`, 1],
  ['two', `export default [${group}, ${group}];`, 2],
])('a module with groups is taken: %s', async (name, text, want) => {
  const file = join(folder, `${name}.mjs`);
  await writeFile(file, text);
  expect(await loadGroups(file)).toHaveLength(want);
});
