import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { generateCommand } from '../../../../codegen/commands/generate.ts';
import { importCommand } from '../../../../codegen/commands/import.ts';
import { readServer } from '../../../../codegen/import/live-server.ts';
import { splitSwagger } from '../../../../codegen/import/swagger.ts';
import { normaliseProto } from '../../../../codegen/import/write-schemas.ts';
import { listFiles } from '../../../../codegen/load/files.ts';
import { animalDocument, animalProto, documentFile, protoFile, writeFolder } from '../load/small-schemas.ts';

let temporary: string;
let stderr: string[];

beforeEach(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'kubeloom-test-'));
  stderr = [];
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr.push(String(text).trimEnd());
    return true;
  });
});

afterEach(async () => {
  jest.restoreAllMocks();
  await rm(temporary, { recursive: true, force: true });
});

async function contents(dir: string): Promise<Record<string, string>> {
  const names = await listFiles(dir, '');
  const texts = await Promise.all(names.map((name) => readFile(join(dir, name), 'utf8')));
  return Object.fromEntries(names.map((name, index) => [name, texts[index]]));
}

describe('import from a folder', () => {
  test('writes facts and hashes, deterministically', async () => {
    const source = await writeFolder({ [documentFile]: animalDocument(), [protoFile]: `// prose\n${animalProto}` });
    const [first, second] = [join(temporary, 'one/zoo'), join(temporary, 'two/zoo')];
    expect(await importCommand(['--from', source.dir, '--out', first])).toBe(0);
    expect(await importCommand([`--from=${source.dir}`, `--out=${second}`])).toBe(0);
    await source.remove();
    const files = await contents(first);
    expect(Object.keys(files).sort()).toEqual(['.kubeloom', 'manifest.json', documentFile, 'openapi/shared.json', protoFile]);
    expect(files).toEqual(await contents(second));
    expect(files[protoFile]).not.toContain('prose');
    const manifest = JSON.parse(files['manifest.json']);
    expect(manifest).toMatchObject({ release: 'zoo', source: 'folder' });
    expect(Object.keys(manifest.inputs)).toEqual([documentFile, protoFile]);
    expect(manifest.outputs[protoFile]).toMatch(/^[0-9a-f]{64}$/);
    expect(files['manifest.json']).not.toContain(temporary);
  });

  test('of its own output changes no document', async () => {
    const out = join(temporary, 'library');
    const library = fileURLToPath(new URL('../../../../schemas/examples/library', import.meta.url));
    expect(await importCommand(['--from', library, '--out', out])).toBe(0);
    const [want, got] = [await contents(library), await contents(out)];
    for (const name of Object.keys(got).filter((each) => !['.kubeloom', 'manifest.json'].includes(each)))
      expect([name, got[name]]).toEqual([name, want[name]]);
  });

  test('makes field facts of Go types beside its documents', async () => {
    const fields = ['name', 'legs', 'diet', 'keepers'].map((name) => `\tThe${name} string \`json:"${name}"\``);
    const types = `package v1\ntype AnimalSpec struct {\n${fields.join('\n')}\n}`;
    const source = await writeFolder({ [documentFile]: animalDocument(), 'src/example.com/zoo/v1/types.go': types });
    const out = join(temporary, 'zoo');
    expect(await importCommand(['--from', source.dir, '--out', out])).toBe(0);
    await source.remove();
    const facts = JSON.parse(await readFile(join(out, 'field-facts.json'), 'utf8'));
    expect(facts['example.com/zoo/v1'].AnimalSpec.fields[0]).toEqual({ json: 'name', go: 'Thename', type: 'string' });
  });

  test('adds missing schemas, .proto files and facts from a base', async () => {
    const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
    const spec = { type: 'object', properties: { metadata: { $ref: `#/components/schemas/${meta}` } } };
    const source = await writeFolder({ [documentFile]: animalDocument({ 'com.example.zoo.v1.AnimalSpec': spec }) });
    const base = fileURLToPath(new URL('../../../../schemas/kubernetes/v1.35', import.meta.url));
    const out = join(temporary, 'zoo');
    expect(await importCommand(['--from', source.dir, '--base', base, '--out', out])).toBe(0);
    await source.remove();
    const files = await contents(out);
    expect(Object.keys(JSON.parse(files[documentFile]).schemas)).toContain(meta);
    expect(Object.keys(files)).toContain('proto/k8s.io/apimachinery/pkg/apis/meta/v1/generated.proto');
    expect(Object.keys(JSON.parse(files['field-facts.json']))).toEqual(['k8s.io/apimachinery/pkg/apis/meta/v1']);
  });

  test('of inconsistent documents reports all problems and changes nothing', async () => {
    const good = await writeFolder({ [documentFile]: animalDocument() });
    const bad = await writeFolder({
      [documentFile]: animalDocument(),
      [protoFile]: animalProto.replace('optional string diet', 'optional string food'),
    });
    const out = join(temporary, 'zoo');
    await importCommand(['--from', good.dir, '--out', out]);
    const before = await contents(out);
    stderr = [];
    expect(await importCommand(['--from', bad.dir, '--out', out])).toBe(1);
    expect(stderr.slice(-3)).toEqual([
      `${join(bad.dir, protoFile)}:10#/AnimalSpec/food: the OpenAPI type com.example.zoo.v1.AnimalSpec has no such property`,
      `${join(bad.dir, documentFile)}#/components/schemas/com.example.zoo.v1.AnimalSpec/properties/diet: the message example.zoo.v1.AnimalSpec has no such field`,
      '2 problems',
    ]);
    expect(await contents(out)).toEqual(before);
    expect(await listFiles(temporary, '')).toEqual(
      Object.keys(before)
        .map((name) => `zoo/${name}`)
        .sort(),
    );
    await Promise.all([good.remove(), bad.remove()]);
  });

  test('writes descriptions to another folder on request', async () => {
    const schema = { type: 'object', description: 'An animal.' };
    const source = await writeFolder({ [documentFile]: animalDocument({ 'io.k8s.Other': schema }) });
    const out = join(temporary, 'schemas/own/zoo');
    expect(await importCommand(['--from', source.dir, '--out', out, '--keep-descriptions'])).toBe(0);
    await source.remove();
    const prose = await readFile(join(temporary, 'schemas/descriptions/zoo/apis/zoo.example.com/v1.json'), 'utf8');
    expect(JSON.parse(prose)).toEqual({ '/components/schemas/io.k8s.Other/description': 'An animal.' });
    expect(await readFile(join(out, documentFile), 'utf8')).not.toContain('An animal.');
  });
});

test('a Swagger 2.0 file becomes a v3 document for each group-version', () => {
  const gvk = { group: 'zoo.example.com', kind: 'Animal', version: 'v1' };
  const documents = splitSwagger({
    swagger: '2.0',
    info: { title: 'Zoo', version: '1' },
    parameters: { pretty: { name: 'pretty', in: 'query', type: 'string', uniqueItems: true } },
    paths: {
      '/version/': { get: { responses: { 200: { description: 'OK' } } } },
      '/apis/zoo.example.com/v1/animals': {
        parameters: [{ $ref: '#/parameters/pretty' }],
        post: {
          consumes: ['*/*'],
          produces: ['application/json'],
          operationId: 'createAnimal',
          parameters: [{ name: 'body', in: 'body', required: true, schema: { $ref: '#/definitions/Animal' } }],
          responses: { 201: { description: 'Created', schema: { $ref: '#/definitions/Animal' } } },
          schemes: ['https'],
          'x-kubernetes-group-version-kind': gvk,
        },
      },
    },
    definitions: {
      Animal: {
        type: 'object',
        properties: { spec: { $ref: '#/definitions/Spec', description: 'prose', default: {} } },
      },
      Spec: { type: 'object' },
      Unused: { type: 'object' },
    },
  });
  const animal = { schema: { $ref: '#/components/schemas/Animal' } };
  expect(Object.fromEntries(documents)).toEqual({
    'apis/zoo.example.com/v1.json': {
      openapi: '3.0.0',
      info: { title: 'Zoo', version: '1' },
      paths: {
        '/apis/zoo.example.com/v1/animals': {
          parameters: [{ name: 'pretty', in: 'query', schema: { type: 'string', uniqueItems: true } }],
          post: {
            operationId: 'createAnimal',
            requestBody: { content: { '*/*': animal }, required: true },
            responses: { 201: { description: 'Created', content: { 'application/json': animal } } },
            'x-kubernetes-group-version-kind': gvk,
          },
        },
      },
      components: {
        schemas: {
          Animal: {
            type: 'object',
            properties: { spec: { allOf: [{ $ref: '#/components/schemas/Spec' }], description: 'prose', default: {} } },
          },
          Spec: { type: 'object' },
        },
      },
    },
  });
});

test('every group-version of a live server is read, with the token', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization}`);
    const paths = {
      'apis/zoo.example.com/v1': { serverRelativeURL: '/openapi/v3/apis/zoo.example.com/v1?hash=AB' },
      version: {},
    };
    response.end(JSON.stringify(request.url === '/openapi/v3' ? { paths } : animalDocument()));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const source = await readServer(url, { token: 'secret' });
    expect([...source.documents.keys()]).toEqual(['apis/zoo.example.com/v1.json']);
    expect(asked).toEqual(['/openapi/v3 Bearer secret', '/openapi/v3/apis/zoo.example.com/v1?hash=AB Bearer secret']);
    expect(await importCommand(['--from', url, '--out', join(temporary, 'live')])).toBe(0);
  } finally {
    await new Promise((done) => server.close(done));
  }
});

test('comments of a .proto are removed, strings that look like them stay', () => {
  const text =
    'syntax = "proto2"; // one\n\n\n/* two\n lines */\noption x = "http://y"; \nmessage A {\n\n  // three\n  optional string b = 1;\n}';
  expect(normaliseProto(text)).toBe('syntax = "proto2";\n\noption x = "http://y";\nmessage A {\n  optional string b = 1;\n}\n');
});

describe('invalid command lines give one line and exit code 1:', () => {
  test.each([
    [[], '--from is required'],
    [['--from', '/nowhere'], 'cannot read /nowhere: ENOENT'],
    [['--from', '/nowhere.json', '--out', '/tmp/none'], 'cannot read /nowhere.json: ENOENT'],
    [['--frmo', 'x'], "Unknown option '--frmo'"],
    [['--from'], "'--from <value>' argument missing"],
    [['x'], "Unexpected argument 'x'"],
  ])('import %j', async (argv, want) => {
    expect(await importCommand(argv)).toBe(1);
    expect(stderr).toEqual([expect.stringContaining(want)]);
    expect(stderr[0].split('\n')).toHaveLength(1);
  });

  test('generate without its flags', async () => {
    expect(await generateCommand([])).toBe(1);
    expect(stderr).toEqual(['kubeloom generate: --schemas is required']);
  });
});

test('--help of both goes to stdout and succeeds', async () => {
  const out = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  expect(await importCommand(['--help'])).toBe(0);
  expect(await generateCommand(['-h'])).toBe(0);
  expect(out.mock.calls.map(([text]) => String(text).match(/--\w+/g)?.length)).toEqual([expect.any(Number), expect.any(Number)]);
  expect(stderr).toEqual([]);
});
