import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { startServer } from '../../../../runtime/index.ts';
import { podPrograms } from '../../../../runtime/simulation/processes/pod-program-file.ts';
import { matches, ProgramTable } from '../../../../runtime/simulation/processes/program-table.ts';

const folder = mkdtempSync(join(tmpdir(), 'pod-programs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (text: string): string => {
  const path = join(folder, 'programs.yaml');
  writeFileSync(path, text);
  return path;
};

test('a file names programs, and its folder is where relative paths begin', async () => {
  const { table, isolation } = await podPrograms({
    programs: file('isolation: namespaces\nprograms:\n- image: example.com/op:*\n  command: [./bin/manager]\n  cwd: src\n'),
  });
  expect(isolation).toBe('namespaces');
  expect(table.of({ name: 'c', image: 'example.com/op:v1' })).toMatchObject({ command: ['./bin/manager'], cwd: join(folder, 'src') });
});

test.each([
  ['no list', 'image: a', 'unknown option "image"'],
  ['a program without a command', 'programs: [{ image: a }]', 'option "programs[0].command" is needed'],
  ['an empty command', 'programs: [{ image: a, command: [] }]', 'option "programs[0].command": an empty list is not a list of one or more'],
  [
    'a command as a text',
    'programs: [{ image: a, command: make run }]',
    'option "programs[0].command": "make run" is not a list of one or more',
  ],
  ['a program without a name', 'programs: [{ image: a, command: [""] }]', 'programs[0]: command must name a program'],
  ['a program without an image', 'programs: [{ command: [x] }]', 'option "programs[0].image" is needed'],
  ['an empty image', 'programs: [{ image: "", command: [x] }]', 'programs[0]: image must not be empty'],
  ['a misspelt member', 'programs: [{ image: a, command: [x], tool: [] }]', 'unknown option "programs[0].tool": did you mean "tools"?'],
  ['a number as a variable', 'programs: [{ image: a, command: [x], env: { PORT: 1 } }]', 'option "programs[0].env.PORT": 1 is not a text'],
  ['a variable with a strange name', 'programs: [{ image: a, command: [x], env: { "A=B": "" } }]', '"A=B" is not the name of a variable'],
  ['a NUL', 'programs: [{ image: a, command: ["x\\0"] }]', 'a text has a NUL character'],
  ['an isolation that is not there', 'programs: []\nisolation: vm', 'option "isolation": "vm" is not "none" or "namespaces"'],
  ['no YAML', 'programs: [', 'did not find expected node content'],
])('%s is refused in words that name it', async (_, text, message) => {
  const programs = file(text);
  const refusal = startServer({ simulate: true, pods: { programs } });
  await expect(refusal).rejects.toThrow(message);
  await expect(podPrograms({ programs })).rejects.toThrow(`--pod-programs: ${programs}`);
});

test('programs need a simulated cluster, and a file that is there', async () => {
  await expect(startServer({ pods: { programs: [] } })).rejects.toThrow('--pod-programs needs --simulate');
  await expect(startServer({ simulate: true, pods: { programs: join(folder, 'no') } })).rejects.toThrow('no such file');
});

test.each<[string, string, boolean]>([
  ['a', 'a', true],
  ['a', 'ab', false],
  ['*', '', true],
  ['a*', 'abc', true],
  ['*c', 'abc', true],
  ['a*c', 'abc', true],
  ['a*b*c', 'abc', true],
  ['a*b*c', 'acb', false],
  ['ab*ba', 'aba', false],
  ['*b*b*', 'abcb', true],
  ['*b*b*', 'abc', false],
  ['a.c', 'abc', false],
])('the glob %s and the text %s', (glob, text, is) => {
  expect(matches(glob, text)).toBe(is);
});

test.each<[string, string, boolean]>([
  ['ghcr.io/me/op:*', 'ghcr.io/me/op:v1', true],
  ['ghcr.io/me/op:*', 'ghcr.io/me/op', true],
  ['ghcr.io/me/op', 'ghcr.io/me/op:v1', true],
  ['ghcr.io/me/op', 'ghcr.io/me/op@sha256:abc', true],
  ['ghcr.io/me/op', 'ghcr.io/me/op:v1@sha256:abc', true],
  ['ghcr.io/me/op:v1', 'ghcr.io/me/op:v2', false],
  ['ghcr.io/me/op', 'ghcr.io/me/op2', false],
  ['ghcr.io/me/*', 'ghcr.io/me/op:v1', true],
  ['controller', 'controller:latest', true],
  ['docker.io/library/controller', 'controller:latest', true],
  ['localhost:5000/op', 'localhost:5000/op:v1', true],
  ['localhost:5000/op', 'localhost:5001/op', false],
  ['op', 'example.com/op', false],
])('the image %s of the map and the image %s of a container', (glob, image, is) => {
  const table = new ProgramTable([{ image: glob, command: ['x'] }], '/');
  expect(table.of({ name: 'c', image }) !== undefined).toBe(is);
});

test('an entrypoint chooses between programs of one image', () => {
  const image = 'op';
  const table = new ProgramTable(
    [
      { image, entrypoint: '/webhook', command: ['webhook'] },
      { image, command: ['manager'] },
    ],
    '/',
  );
  const of = (command?: string[]): string | undefined => table.of({ name: 'c', image, ...(command && { command }) })?.command[0];
  expect([of(['/webhook', 'x']), of(['/manager']), of()]).toEqual(['webhook', 'manager', 'manager']);
});
