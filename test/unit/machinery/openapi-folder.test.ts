import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { describedFolder, OpenApiFolder, openapiFolder } from '../../../runtime/machinery/openapi-folder.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'kubeloom-documents-'));
  await mkdir(join(root, 'generated/v1/openapi'), { recursive: true });
  await mkdir(join(root, 'own/openapi'), { recursive: true });
});
afterEach(() => rm(root, { recursive: true, force: true }));

test.each([
  ['beside the source', 'generated/v1/catalog.ts', 'generated/v1/openapi'],
  ['from a compiled file', 'dist/generated/v1/catalog.js', 'generated/v1/openapi'],
  ['from a chunk of a bundle', 'dist/chunks/a.js', 'generated/v1/openapi'],
  ['beside a custom catalog', 'own/catalog.ts', 'own/openapi'],
])('%s', (_, catalog, want) => {
  expect(resolve(openapiFolder(pathToFileURL(join(root, catalog)).href, 'v1'))).toBe(join(root, want));
});

test('without any, the folder beside the catalog is named', () => {
  const url = pathToFileURL(join(root, 'dist/catalog.js')).href;
  expect(resolve(openapiFolder(url, 'v2'))).toBe(join(root, 'dist/openapi'));
});

test('a compiled file has the documents with descriptions that the build wrote, and hashes of their own', async () => {
  const described = join(root, 'dist/generated/v1/openapi-0123ABCD');
  await mkdir(described, { recursive: true });
  const urlOf = (file: string): string => pathToFileURL(join(root, file)).href;
  const [source, chunk] = ['generated/v1/catalog.ts', 'dist/chunks/a.js'].map((file) => new OpenApiFolder(urlOf(file), 'v1'));
  expect(source.v3('a.json', 'FEDCBA9876543210')).toEqual({
    file: join(root, 'generated/v1/openapi/a.json'),
    hash: 'FEDCBA9876543210',
  });
  expect(chunk.v3('a.json', 'FEDCBA9876543210')).toEqual({ file: join(described, 'a.json'), hash: 'FEDCBA980123ABCD' });
  expect(describedFolder(urlOf('dist/runtime/machinery/a.js'), 'v1')).toBe(described);
  expect(describedFolder(urlOf('runtime/machinery/a.ts'), 'v1')).toBeUndefined();
});
