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

test.each([
  {
    what: 'documents with a package that the Go modules lack',
    documents: 'v1.36',
    modules: 'v1.35',
    want: /^kubeloom import: \S+ has types of \S+, which k8s.io\/api of v1.35.\d+ lacks: the documents and the Go modules are of different releases of Kubernetes$/,
  },
  {
    what: 'documents with fields that the Go modules lack',
    documents: 'v1.34',
    file: 'v3/api__v1_openapi.json',
    modules: 'v1.35',
    want: /^--from: the documents are not of v1.35.\d+, as the Go modules are: these have other fields\n/,
  },
])('$what are refused', async ({ documents, file = '', modules, want }) => {
  const [docs, go] = await Promise.all(
    [documents, modules].map((release) => writeUpstreamSources(schemasOf(release), join(folder, release))),
  );
  const out = join(folder, 'out');
  expect(await importCommand(['--from', join(docs.openapi, file), '--from', go.go, '--out', out])).toBe(1);
  expect(stderr.filter((line) => !/^(read|checking|no generated)/.test(line)).join('\n')).toMatch(want);
  await expect(listFiles(out, '')).resolves.toEqual([]);
});

test('documents of two releases are refused', async () => {
  const sources = await Promise.all(['v1.34', 'v1.35'].map((release) => writeUpstreamSources(schemasOf(release), join(folder, release))));
  const from = sources.flatMap(({ openapi }) => ['--from', openapi]);
  expect(await importCommand([...from, '--out', join(folder, 'out')])).toBe(1);
  expect(stderr.join('\n')).toMatch(/^kubeloom import: \S+v1.34\S+ and \S+v1.35\S+ both have \S+, and differ$/);
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
