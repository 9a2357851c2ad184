import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { emitAll } from '../../codegen/emit/index.ts';
import { readOpenApiFile } from '../../codegen/import/openapi-file.ts';
import { normaliseSource, writeSchemas } from '../../codegen/import/write-schemas.ts';
import { loadModel } from '../../codegen/load/load-model.ts';
import { temporaryFolder } from '../support/generated-project.ts';

const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const text = { type: 'string' };

const rows: readonly (readonly [name: string, schema: object, want: string])[] = [
  ['Mode', { type: 'string', enum: ['Idle', 'Working'] }, "'Idle' | 'Working' | (string & {})"],
  ['Level', { type: 'integer', enum: [1, 3] }, '1 | 3'],
  ['Word', text, 'string'],
  ['MaybeWord', { type: 'string', nullable: true }, 'string | null'],
  ['Moment', { type: 'string', format: 'date-time' }, 'string'],
  ['Bytes', { type: 'string', format: 'byte' }, 'string'],
  ['Count', { type: 'integer', format: 'int32' }, 'number'],
  ['Ratio', { type: 'number' }, 'number'],
  ['Flag', { type: 'boolean' }, 'boolean'],
  ['Port', { 'x-kubernetes-int-or-string': true }, 'number | string'],
  ['Anything', {}, 'Json'],
  ['Words', { type: 'array', items: text }, 'string[]'],
  ['Modes', { type: 'array', items: ref('Mode') }, "('Idle' | 'Working' | (string & {}))[]"],
  ['Cats', { type: 'array', items: ref('Cat') }, 'Cat[]'],
  ['Counts', { type: 'object', additionalProperties: ref('Count') }, '{ [key: string]: number; }'],
  ['CatsByName', { type: 'object', additionalProperties: ref('Cat') }, '{ [key: string]: Cat; }'],
  ['Pets', { type: 'array', items: { type: 'object', required: ['a'], properties: { a: text, b: text } } }, '{ a: string; b?: string; }[]'],
  ['Pet', { oneOf: [ref('Cat'), ref('Dog')] }, 'Cat | Dog'],
  ['Either', { anyOf: [text, { type: 'boolean' }] }, 'string | boolean'],
  ['Checked', { type: 'string', anyOf: [{ minLength: 3 }, { maxLength: 1 }] }, 'string'],
  ['Alias', ref('Mode'), "'Idle' | 'Working' | (string & {})"],
];

describe('a named schema that is no object has its type in types.ts', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let types: string;

  beforeAll(async () => {
    folder = await temporaryFolder('named');
    const file = join(folder.path, 'named.json');
    const properties = Object.fromEntries(rows.map(([name]) => [name.toLowerCase(), ref(name)]));
    const schemas = {
      ...Object.fromEntries(rows.map(([name, schema]) => [name, schema])),
      Cat: { type: 'object', properties: { lives: { type: 'integer' } } },
      Dog: { type: 'object', properties: { tricks: text } },
      Thing: {
        type: 'object',
        properties,
        'x-kubernetes-group-version-kind': [{ group: 'named.example.com', version: 'v1', kind: 'Thing' }],
      },
    };
    await writeFile(file, JSON.stringify({ openapi: '3.0.0', info: { title: 'Named' }, components: { schemas } }));
    const out = join(folder.path, 'schemas');
    await writeSchemas(normaliseSource(await readOpenApiFile(file), 'named'), out);
    await emitAll(await loadModel(out), { out: folder.path, schemas: out });
    types = await readFile(join(folder.path, 'named/named.example.com/v1/types.ts'), 'utf8');
  });
  afterAll(() => folder?.remove());

  test.each(rows)('%s', (name, _schema, want) => {
    const [, type] = new RegExp(`^export type ${name} =([\\s\\S]*?);\\n(?=\\n|$)`, 'm').exec(types) ?? [];
    expect(type?.replace(/\s+/g, ' ').replace(/^ \| /, ' ').trim()).toBe(want);
  });
});
