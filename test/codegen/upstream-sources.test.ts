import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { importCommand } from '../../codegen/commands/import.ts';
import { listFiles } from '../../codegen/load/files.ts';
import { root } from '../support/generated-project.ts';
import { writeUpstreamSources } from '../support/upstream-sources.ts';

let folder: string;
let stderr: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubeloom-upstream-'));
  stderr = [];
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr.push(String(text).trimEnd());
    return true;
  });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

async function contents(dir: string): Promise<Record<string, unknown>> {
  const names = await listFiles(dir, '');
  const texts = await Promise.all(names.map((name) => readFile(join(dir, name), 'utf8')));
  return Object.fromEntries(names.map((name, index) => [name, texts[index]]));
}

const schemasOf = (release: string): string => join(root, 'schemas/kubernetes', release);

describe('what upstream publishes becomes the schemas that are committed:', () => {
  test.each(['v1.32', 'v1.33', 'v1.34', 'v1.35', 'v1.36'])('%s', async (release) => {
    const { openapi, go } = await writeUpstreamSources(schemasOf(release), folder);
    const out = join(folder, 'out');
    expect([await importCommand(['--from', openapi, '--from', go, '--out', out]), stderr.slice(-1)]).toEqual([
      0,
      [expect.stringContaining('wrote')],
    ]);
    const [{ 'manifest.json': got, ...files }, { 'manifest.json': want, ...committed }] = [
      await contents(out),
      await contents(schemasOf(release)),
    ];
    expect(Object.keys(files)).toEqual(Object.keys(committed));
    expect(Object.keys(files).filter((name) => files[name] !== committed[name])).toEqual([]);
    const facts = ({ version, outputs, release: name }: Record<string, unknown>): unknown => [name, version, outputs];
    expect(facts(JSON.parse(String(got)))).toEqual(facts(JSON.parse(String(want))));
  });
});

test('Swagger has the same types, and the folder to write is named by the Go modules', async () => {
  const { go } = await writeUpstreamSources(schemasOf('v1.35'), folder);
  const swagger = join(folder, 'anything.json');
  await symlink(join(root, 'generated/v1.35/openapi/v2.json'), swagger);
  await mkdir(join(folder, 'here'));
  const before = process.cwd();
  process.chdir(join(folder, 'here'));
  try {
    expect([await importCommand(['--from', swagger, '--from', go]), stderr.slice(0, 1)]).toEqual([
      0,
      ['read 36 documents, 71 .proto files'],
    ]);
  } finally {
    process.chdir(before);
  }
  const names = Object.keys(await contents(schemasOf('v1.35')));
  expect(Object.keys(await contents(join(folder, 'here/v1.35')))).toEqual(names);
});
