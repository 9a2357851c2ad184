import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openapiFolder } from '../../../runtime/machinery/openapi-folder.ts';

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
