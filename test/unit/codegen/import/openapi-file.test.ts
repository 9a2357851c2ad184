import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readOpenApiFile } from '../../../../codegen/import/openapi-file.ts';

const gvk = (kind: string, version = 'v1'): object[] => [{ group: 'zoo.example.com', version, kind }];

describe('one OpenAPI file as the source of a group', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubeloom-openapi-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function read(document: object, name = 'api.yaml') {
    const file = join(folder, name);
    await writeFile(file, JSON.stringify(document));
    return readOpenApiFile(file);
  }
  const withSchemas = (schemas: object): object => ({ openapi: '3.0.0', info: {}, components: { schemas } });

  test.each([
    ['Pet', {}, '/namespaces/{namespace}/pets/{name}'],
    ['Fox', {}, '/namespaces/{namespace}/foxes/{name}'],
    ['Pony', {}, '/namespaces/{namespace}/ponies/{name}'],
    ['Monkey', {}, '/namespaces/{namespace}/monkeys/{name}'],
    ['Ox', { plural: 'oxen' }, '/namespaces/{namespace}/oxen/{name}'],
    ['Zoo', { scope: 'Cluster' }, '/zoos/{name}'],
  ])('%s %j is served at %s', async (kind, notes, path) => {
    const schema = { properties: {}, 'x-kubernetes-group-version-kind': gvk(kind), 'x-kubeloom-resource': notes };
    const { documents } = await read(withSchemas({ [kind]: schema }));
    const document = documents.get('apis/zoo.example.com/v1.json');
    const paths = Object.keys(document?.paths ?? {});
    expect(paths).toContain(`/apis/zoo.example.com/v1${path}`);
    expect(paths.filter((one) => one.includes('{name}/'))).toEqual([]);
    expect(JSON.stringify(document)).not.toContain('eployment');
  });

  test('operations have their own ids, kinds and parameters', async () => {
    const notes = { scope: 'Cluster', subresources: ['status', 'scale'] };
    const schema = { properties: {}, 'x-kubernetes-group-version-kind': gvk('Zoo'), 'x-kubeloom-resource': notes };
    const { documents } = await read(withSchemas({ Zoo: schema }));
    const paths = documents.get('apis/zoo.example.com/v1.json')?.paths ?? {};
    const scale = paths['/apis/zoo.example.com/v1/zoos/{name}/scale'];
    expect(scale.get?.operationId).toBe('readZooExampleComV1ZooScale');
    expect(scale.get?.['x-kubernetes-group-version-kind']).toEqual({
      group: 'autoscaling',
      kind: 'Scale',
      version: 'v1',
    });
    const status = paths['/apis/zoo.example.com/v1/zoos/{name}/status'];
    expect(status.put?.['x-kubernetes-group-version-kind']).toEqual({
      group: 'zoo.example.com',
      kind: 'Zoo',
      version: 'v1',
    });
    expect(JSON.stringify(paths)).not.toContain('namespace"');
  });

  test('a kind with verbs has the paths of these verbs only', async () => {
    const notes = { scope: 'Cluster', verbs: ['create'] };
    const schema = {
      properties: { status: { type: 'object' } },
      'x-kubernetes-group-version-kind': gvk('PetReview'),
      'x-kubeloom-resource': notes,
    };
    const { documents } = await read(withSchemas({ PetReview: schema }));
    const paths = Object.entries(documents.get('apis/zoo.example.com/v1.json')?.paths ?? {});
    const root = '/apis/zoo.example.com/v1/';
    expect(paths.map(([path, item]) => [path, 'post' in item, 'get' in item])).toEqual([
      [root, false, true],
      [`${root}petreviews`, true, false],
    ]);
  });

  test('kinds get the members of every kind, list kinds and full ids', async () => {
    const { documents } = await read(
      withSchemas({
        Pet: {
          properties: { spec: { $ref: '#/components/schemas/PetSpec' } },
          'x-kubernetes-group-version-kind': gvk('Pet'),
        },
        PetSpec: { type: 'object', properties: { name: { type: 'string' } } },
      }),
    );
    const schemas = documents.get('apis/zoo.example.com/v1.json')?.components?.schemas ?? {};
    const own = Object.keys(schemas).filter((name) => name.startsWith('com.'));
    expect(own.sort()).toEqual(['com.example.zoo.v1.Pet', 'com.example.zoo.v1.PetList', 'com.example.zoo.v1.PetSpec']);
    expect(schemas['com.example.zoo.v1.Pet']).toMatchObject({
      type: 'object',
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: { allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }] },
        spec: { $ref: '#/components/schemas/com.example.zoo.v1.PetSpec' },
      },
    });
  });

  test('each group-version gets a document of its kinds and what they refer to', async () => {
    const { documents } = await read(
      withSchemas({
        Pet: {
          properties: { spec: { $ref: '#/components/schemas/my-spec' } },
          'x-kubernetes-group-version-kind': gvk('Pet'),
        },
        PetV2: {
          properties: { spec: { $ref: '#/components/schemas/my-spec' }, old: { $ref: '#/components/schemas/Pet' } },
          'x-kubernetes-group-version-kind': gvk('Pet', 'v2'),
        },
        'my-spec': { type: 'object', properties: { name: { type: 'string' } } },
        Unused: { type: 'object' },
      }),
    );
    const own = [...documents].map(([file, { components }]) => [
      file,
      Object.keys(components?.schemas ?? {})
        .filter((name) => name.startsWith('com.'))
        .sort(),
    ]);
    expect(own).toEqual([
      ['apis/zoo.example.com/v1.json', ['Pet', 'PetList', 'my-spec'].map((name) => `com.example.zoo.v1.${name}`)],
      [
        'apis/zoo.example.com/v2.json',
        ['v1.Pet', 'v1.PetList', 'v2.PetV2', 'v2.PetV2List', 'v2.my-spec'].map((name) => `com.example.zoo.${name}`),
      ],
    ]);
  });

  test.each([
    ['no OpenAPI', { swagger: '1.2' }, 'is not an OpenAPI v3 document'],
    ['no kinds', withSchemas({ Pet: { type: 'object' } }), 'has no kinds: it lacks x-kubernetes-group-version-kind; add it'],
    ['a keyword that has no effect', withSchemas({ Pet: { if: {} } }), 'api.yaml:1#/components/schemas/Pet/if: if is not'],
    [
      'the core group',
      withSchemas({ Pod: { 'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'Pod' }] } }),
      "has kinds of the core group, which is Kubernetes' own",
    ],
  ])('rejects a file with %s', async (_, document, why) => {
    await expect(read(document)).rejects.toThrow(why);
  });

  test('rejects a missing file and one that is not YAML', async () => {
    await expect(readOpenApiFile(join(folder, 'absent.yaml'))).rejects.toThrow('cannot read');
    await writeFile(join(folder, 'bad.yaml'), 'a: [');
    await expect(readOpenApiFile(join(folder, 'bad.yaml'))).rejects.toThrow('bad.yaml:1:5: ');
  });
});
