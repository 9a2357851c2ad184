import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { generateCommand } from '../../../../codegen/commands/generate.ts';
import { importCommand } from '../../../../codegen/commands/import.ts';
import { listFiles } from '../../../../codegen/load/files.ts';
import { animalDocument } from '../load/small-schemas.ts';

let folder: string;
let stderr: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubeloom-faulty-'));
  stderr = '';
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += String(text);
    return true;
  });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

/** Returns the lines after those about progress, without the temporary folder. */
function problems(): string[] {
  const lines = stderr.replaceAll(`${folder}/`, '').trim().split('\n');
  return lines.filter((line) => !/^(?:read|checking) \d/.test(line) && !/^\d+ problems?$/.test(line));
}

const animals = JSON.stringify(animalDocument(), null, 1);
const openapi = (paths: object, schemas: object = {}): string =>
  JSON.stringify({ openapi: '3.0.0', info: {}, paths, components: { schemas } }, null, 1);
const swagger = (item: unknown): string => JSON.stringify({ swagger: '2.0', paths: { '/apis/a.b/v1/xs': item } });
const pet = (kinds: unknown): string => openapi({}, { Pet: { 'x-kubernetes-group-version-kind': kinds } });
const proto = (more: string): string => `syntax = "proto2";\noption go_package = "example.com/zoo/v1";\n${more}`;
const goMod = (module: string, minor: number): string => `module k8s.io/${module}\nrequire k8s.io/apimachinery v0.${minor}.1`;

describe('a faulty source is told with one line, with its file and place, and nothing is written:', () => {
  test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['JSON that ends', { 'x.json': '{\n "openapi": "3.0.0",\n "paths": {' }, ['x.json:3:12: Expected property name']],
    ['YAML with tabs', { 'x.yaml': 'openapi: 3.0.0\ninfo:\n\ttitle: a' }, ['x.yaml:3:1: Tabs are not allowed']],
    ['YAML that would be very large', { 'x.yaml': bomb() }, ['x.yaml: Excessive alias count']],
    ['nothing', { 'x.json': '' }, ['x.json is not an OpenAPI v3 or Swagger 2.0 document']],
    ['a list', { 'x.json': '[]' }, ['x.json is not an OpenAPI v3 or Swagger 2.0 document']],
    ['another kind', { 'x.yaml': 'kind: Deployment' }, ['x.yaml is a Deployment, not an OpenAPI document']],
    ['a definition', { 'x.yaml': 'kind: CustomResourceDefinition' }, ['pass it to kubeloom generate --crd']],
    ['another version', { 'x.json': '{"openapi":"4.0.0","paths":{}}' }, ['x.json is not an OpenAPI v3 document']],
    ['paths in a list', { 'x.json': openapi([]) }, ['x.json:4: #/paths is not an object']],
    ['components that are none', { 'x.json': openapi({}, { A: null }) }, ['x.json:7#/components/schemas/A: is not a schema']],
    ['kinds in a text', { 'x.json': pet('Pet') }, ['#/components/schemas/Pet/x-kubernetes-group-version-kind is not a list']],
    ['a kind without a group', { 'x.json': pet([{}]) }, ['x-kubernetes-group-version-kind/0/group is not a string']],
    ['a group that leads elsewhere', { 'x.json': pet([{ group: '..', version: 'v1', kind: 'Pet' }]) }, ['kinds of ../v1']],
    ['a path of Swagger', { 'x.json': swagger(null) }, ['x.json:1: #/paths/~1apis~1a.b~1v1~1xs is not an object']],
    ['parameters of Swagger', { 'x.json': swagger({ get: { parameters: 5 } }) }, ['get/parameters is not a list']],
    ['an operation', { 'x/1.json': openapi({ '/apis/a.b/v1/xs': { get: [] } }) }, ['x/1.json:6: #/paths/~1apis~1a.b~1v1~1xs/get']],
    ['a folder with JSON that ends', { 'x/1.json': animals.slice(0, 99) }, ['x/1.json:8:15: Unterminated string']],
    ['a folder without documents', { 'x/readme.md': '' }, ['x has no OpenAPI v3 or Swagger 2.0 document']],
    ['no folder', {}, ['cannot read x: ENOENT']],
    [
      'two documents of one group-version',
      { 'x/1.json': animals, 'x/2.json': animals.replace('Meat', 'Fish') },
      ['x/1.json and x/2.json both have zoo.example.com/v1, and differ'],
    ],
    [
      'paths that lead elsewhere',
      { 'x/1.json': animals.replaceAll('/zoo.example.com/', '/../') },
      ['the group ".." is not a DNS-1123 subdomain'],
    ],
    [
      'Go',
      { 'x/1.json': animals, 'x/example.com/zoo/v1/types.go': 'package v1\ntype A struct {\n\tB `\n' },
      ['x/example.com/zoo/v1/types.go:3:4: the string does not end'],
    ],
    [
      'a Go package twice',
      { 'x/1.json': animals, 'x/1/example.com/zoo/v1/a.go': '', 'x/2/example.com/zoo/v1/a.go': '' },
      ['x/1/example.com/zoo/v1 and x/2/example.com/zoo/v1 are both the Go package example.com/zoo/v1'],
    ],
    [
      'Go modules of two releases',
      {
        'x/1.json': animals,
        'x/a/go.mod': goMod('a', 32),
        'x/a/a.go': '',
        'x/b/go.mod': goMod('b', 33),
        'x/b/b.go': '',
      },
      ['k8s.io/a of v1.32, k8s.io/b of v1.33'],
    ],
    [
      'protobuf',
      { 'x/1.json': animals, 'x/generated.proto': proto('message A { strin b = 1; }') },
      ['x/generated.proto:3:13: cannot find `strin` in this scope', 'x/generated.proto:3:13'],
    ],
    [
      'two .proto files of one name',
      { 'x/1.json': animals, 'x/1/generated.proto': proto(''), 'x/2/generated.proto': proto('package a;') },
      ['x/1/generated.proto and x/2/generated.proto are both example.com/zoo/v1/generated.proto, and differ'],
    ],
    [
      'a .proto that leads elsewhere',
      { 'x/1.json': animals, 'x/generated.proto': proto('').replace('zoo', 'zoo/../../..') },
      ['cannot be the name of a file'],
    ],
    ['a schemas folder with JSON that ends', { 'x/openapi/api/v1.json': '{"openapi":' }, ['openapi/api/v1.json:1:12']],
    [
      'a schemas folder with half a document',
      { 'x/openapi/api/v1.json': '{"normalForm":"kubeloom/1"}' },
      ['openapi/api/v1.json lacks paths, schemas or components'],
    ],
    [
      'a schemas folder in another folder',
      { 'x/y/openapi/api/v1.json': '{"openapi":"3.0.0","normalForm":"kubeloom/1"}' },
      ['x/y/openapi/api/v1.json is of a schemas folder: import that folder alone'],
    ],
    [
      'facts that are none',
      { 'x/openapi/apis/zoo.example.com/v1.json': animals, 'x/field-facts.json': '{"a/v1":{"A":{"kind":"struct"}}}' },
      ['field-facts.json: #/a~1v1/A has not the facts of a struct or alias'],
    ],
    [".proto files of one's own", { 'x/proto/a.proto': 'syntax = "proto3"\nmessage A {}' }, ['proto/a.proto:2:1: unexpected `message`']],
    ['no message that is a kind', { 'x/proto/a.proto': 'syntax = "proto3";' }, ["x/proto has no message with Kubernetes' ObjectMeta"]],
    ['a folder to write that is a file', { 'x/1.json': animals, out: '' }, ['out/.kubeloom is in the way']],
  ])('%s', async (_, files, want) => {
    await write(files);
    const [first = 'x'] = Object.keys(files);
    const before = await listFiles(folder, '');
    const from = join(folder, first.split('/')[0]);
    expect([await importCommand(['--from', from, '--out', join(folder, 'out')]), problems()]).toEqual([
      1,
      want.map((line) => expect.stringContaining(line)),
    ]);
    expect(await listFiles(folder, '')).toEqual(before);
  });

  test.each<[string, Readonly<Record<string, string>>, readonly string[], string]>([
    ['a folder without documents', { 'x/a': '' }, [], 'x#: has no openapi/**/*.json'],
    ['no folder of overlays', {}, ['--overlays', 'none'], 'none is not a folder'],
    [
      'a release that leads elsewhere',
      { 'x/manifest.json': '{"release":"../a"}' },
      [],
      'the release "../a" cannot be the name of a folder',
    ],
    ['overlays with tabs', { 'x/overlays/a/v1.yaml': 'types:\n\tA: {}' }, [], 'x/overlays/a/v1.yaml:2:1'],
    ['overlays without types', { 'x/overlays/a/v1.yaml': 'types: 5' }, [], 'x/overlays/a/v1.yaml:1#/types: is not an object'],
    ['overlays that are a list', { 'x/overlays/a/v1.yaml': '[]' }, [], 'x/overlays/a/v1.yaml:1#: is not an object'],
  ])('generate: %s', async (name, files, flags, want) => {
    await write({
      ...(name.includes('documents') ? {} : { 'x/openapi/apis/zoo.example.com/v1.json': animals }),
      ...files,
    });
    const argv = ['--schemas', join(folder, 'x'), '--out', join(folder, 'out'), ...flags];
    const before = await listFiles(folder, '');
    expect([await generateCommand(argv), problems().slice(-1)]).toEqual([1, [expect.stringContaining(want)]]);
    expect(await listFiles(folder, '')).toEqual(before);
  });
});

/** Returns a document with aliases of aliases. */
function bomb(): string {
  const lines = ['openapi: 3.0.0', 'a0: &a0 [x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level < 5; level++)
    lines.push(
      `a${level}: &a${level} [${Array(9)
        .fill(`*a${level - 1}`)
        .join(', ')}]`,
    );
  return lines.join('\n');
}
