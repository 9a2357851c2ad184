import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { documentText } from '../../../../codegen/emit/openapi-document.ts';
import { readDocument, sectionOf } from '../../../../runtime/endpoints/discovery/openapi-file.ts';
import { TimeSlice } from '../../../../runtime/machinery/event-loop/yield.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubeloom-openapi-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const document = {
  openapi: '3.0.0',
  info: { title: 'a\n"b"' },
  paths: { '/a/{b}': { get: { description: 'x:{\n},' } }, '/"': {} },
  definitions: {},
  parameters: { 'limit-x': { name: 'limit' } },
  components: {
    schemas: { A: { properties: { paths: {}, components: { type: 'object' } } } },
    securitySchemes: { T: {} },
  },
};

test.each([
  ['of the generator', documentText(document)],
  ['in another layout', JSON.stringify(document, undefined, 1)],
  ['on one line', JSON.stringify(document)],
])('a document %s has its members as texts, by section', async (_, text) => {
  const file = join(folder, 'document.json');
  await writeFile(file, text);
  const sections = await readDocument(file, new TimeSlice());
  const found = (section: string): object =>
    Object.fromEntries([...sectionOf(sections, section)].map(([name, member]) => [name, JSON.parse(member)]));
  const { openapi, info, paths, definitions, parameters, components } = document;
  expect(['', 'paths', 'definitions', 'parameters', 'components.schemas', 'components'].map(found)).toEqual([
    { openapi, info },
    paths,
    definitions,
    parameters,
    components.schemas,
    { securitySchemes: components.securitySchemes },
  ]);
});
