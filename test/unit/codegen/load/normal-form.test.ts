import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { listFiles } from '../../../../codegen/load/files.ts';
import { expandDocuments } from '../../../../codegen/load/normal-form/expand.ts';
import { foldDocuments } from '../../../../codegen/load/normal-form/fold.ts';
import { normalText } from '../../../../codegen/load/normal-form/sort.ts';
import type { OpenApiDocument } from '../../../../codegen/load/openapi.ts';
import { testShared } from '../../../support/shared.ts';
import { animalDocument } from './small-schemas.ts';

type Documents = ReadonlyMap<string, OpenApiDocument>;

/** Folds documents and expands them again. */
function roundTrip(documents: Documents): Documents {
  const written = [...foldDocuments(documents)].map(([name, file]): [string, string] => [name, normalText(file)]);
  return expandDocuments(new Map(written.map(([name, text]) => [name, JSON.parse(text)])));
}

/** Returns all differences, except descriptions that the second value lacks. */
function differences(want: unknown, got: unknown, path = ''): string[] {
  if (typeof want !== 'object' || want === null) return Object.is(want, got) ? [] : [path];
  if (typeof got !== 'object' || got === null || Array.isArray(want) !== Array.isArray(got)) return [path];
  const keys = new Set([...Object.keys(want), ...Object.keys(got)]);
  return [...keys].flatMap((key) => {
    const [left, right] = [(want as Record<string, unknown>)[key], (got as Record<string, unknown>)[key]];
    if (key === 'description' && typeof left === 'string' && right === undefined) return [];
    return differences(left, right, `${path}/${key}`);
  });
}

const described = {
  type: 'object',
  description: 'prose',
  properties: {
    description: { type: 'string', description: 'prose' },
    example: { type: 'string' },
    $ref: { type: 'string' },
  },
};

const small = (): Documents =>
  new Map([
    ['apis/zoo.example.com/v1.json', animalDocument({ Described: described }) as OpenApiDocument],
    ['apis/zoo.example.com/v2.json', animalDocument({ Described: described, Own: { enum: ['description'] } }) as OpenApiDocument],
  ]);

describe('the normal form', () => {
  const bare = {
    type: 'object',
    properties: { $ref: { type: 'string' }, description: { type: 'string' }, example: { type: 'string' } },
  };

  test.each<[string, string, object]>([
    ['apis/apps/v1.json', 'io.k8s.api.apps.v1.Described', bare],
    ['apis/node.k8s.io/v1.json', 'Described', bare],
    ['apis/zoo.example.com/v1.json', 'io.k8s.api.apps.v1.Described', bare],
    ['apis/zoo.example.com/v1.json', 'com.example.zoo.v1.Described', described],
  ])('restores %s with %s, without the prose of Kubernetes; properties called description stay', (file, name, want) => {
    const document = animalDocument({ [name]: described }) as OpenApiDocument;
    const back = roundTrip(new Map([[file, document]])).get(file)!;
    expect(back.components?.schemas?.[name]).toEqual(want);
    expect(differences(document, back)).toEqual([]);
  });

  test('states a component once, however many documents have it', () => {
    const files = [...foldDocuments(small())].map(([name, file]): [string, string[]] => [name, Object.keys(file.schemas)]);
    expect(Object.fromEntries(files)).toEqual({
      'apis/zoo.example.com/v1.json': ['com.example.zoo.v1.Animal', 'com.example.zoo.v1.AnimalSpec'],
      'apis/zoo.example.com/v2.json': ['Own'],
      'shared.json': ['Described'],
    });
  });

  test('keeps the component of each document if they differ', () => {
    const documents: Documents = new Map([
      ['apis/a/v1.json', animalDocument({ Thing: { type: 'string' } }) as OpenApiDocument],
      ['apis/b/v1.json', animalDocument({ Thing: { type: 'integer' } }) as OpenApiDocument],
    ]);
    const back = roundTrip(documents);
    for (const [name, document] of documents) expect(differences(document, back.get(name))).toEqual([]);
  });

  test('does not add components that a document refers to and lacks', () => {
    const lacking = animalDocument() as { components: { schemas: Record<string, object> } };
    delete lacking.components.schemas['com.example.zoo.v1.AnimalSpec'];
    const documents: Documents = new Map([
      ['apis/zoo.example.com/v1.json', animalDocument() as OpenApiDocument],
      ['apis/zoo.example.com/v2.json', lacking as unknown as OpenApiDocument],
    ]);
    const back = roundTrip(documents).get('apis/zoo.example.com/v2.json')!;
    expect(Object.keys(back.components?.schemas ?? {})).toEqual(['com.example.zoo.v1.Animal']);
  });

  test('does not depend on the order of files, and is the same after expanding', () => {
    const text = (documents: Documents): string => [...foldDocuments(documents)].map(([, file]) => normalText(file)).join('');
    const want = text(small());
    expect(text(new Map([...small()].reverse()))).toBe(want);
    expect(text(roundTrip(small()))).toBe(want);
  });

  test('reports the part that a hand-edited file lacks', () => {
    const files = new Map<string, unknown>(foldDocuments(small()));
    files.set('shared.json', { shapes: {}, parameters: {}, parameterLists: {}, schemas: {} });
    expect(() => expandDocuments(files)).toThrow(
      /apis\/zoo.example.com\/v1.json names (shapes|parameterLists) .*, which shared.json lacks/,
    );
  });

  test('keys like __proto__ are ordinary', () => {
    const document = JSON.parse(
      '{"openapi":"3.0.0","info":{},"paths":{},"components":{"schemas":{"__proto__":{"type":"object","properties":{"__proto__":{"type":"string"}}}}}}',
    ) as OpenApiDocument;
    const back = roundTrip(new Map([['apis/a/v1.json', document]])).get('apis/a/v1.json')!;
    expect(Object.keys(back.components?.schemas ?? {})).toEqual(['__proto__']);
    expect(differences(document, back)).toEqual([]);
  });
});

testShared('all documents of v1.35 expand to what they were, minus descriptions', async (shared) => {
  const dir = join(shared, 'schemas/v1.35/openapi');
  const names = await listFiles(dir, '.json');
  const read = async (name: string): Promise<[string, OpenApiDocument]> => [
    name,
    JSON.parse(await readFile(join(dir, name), 'utf8')) as OpenApiDocument,
  ];
  const documents = new Map(await Promise.all(names.map(read)));
  const back = roundTrip(documents);
  expect([...documents].flatMap(([name, document]) => differences(document, back.get(name), name))).toEqual([]);
  expect(documents.size).toBe(36);
});
