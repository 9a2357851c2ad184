import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../support/generated-project.ts';

/* Sources of the package's users. They are texts, because this project's compiler would look for types in dist/. */

/** A server in memory, and a config map through its typed client. */
const body = `
  const server = await startServer();
  const client = await server.client();
  const configMaps = client.core.v1.configmaps.namespace('default');
  const made = await configMaps.create({ metadata: { name: 'hello' }, data: { a: '1' } });
  const { data } = await configMaps.get('hello');
  const missing = await configMaps.get('nobody').catch((error) => error.message);
  await server.close();
`;

/** A server of another release with that release's client. */
const release = `
  const older = await startServer({ kubernetes: '1.33' });
  const olderClient = await older.client(createClient);
  const pods = await olderClient.core.v1.pods.namespace('default').list();
  await older.close();
`;

const assertions = `
  assert.equal(made.metadata?.name, 'hello');
  assert.deepEqual(data, { a: '1' });
  assert.match(missing, /configmaps "nobody" not found/);
  assert.equal(pods.items.length, 0);
`;

const expectations = `
  expect(made.metadata?.name).toBe('hello');
  expect(data).toEqual({ a: '1' });
  expect(missing).toMatch(/configmaps "nobody" not found/);
  expect(pods.items).toHaveLength(0);
`;

const esmImports = `
import { startServer } from 'kubeloom';
import { createClient } from 'kubeloom/generated/v1.33/client';
`;

const cjsImports = `
const { startServer } = require('kubeloom');
const { createClient } = require('kubeloom/generated/v1.33/client');
`;

const test = `
test('a config map is stored', async () => {${body}${release}${expectations}}, 60_000);
`;

export const esmScript = `import assert from 'node:assert/strict';${esmImports}${body}${release}${assertions}`;

export const cjsScript = `const assert = require('node:assert/strict');${cjsImports}
(async () => {${body}${release}${assertions}})();
`;

export const cjsTest = `${cjsImports}${test}`;
export const tsTest = `${esmImports}${test}`;
export const vitestTest = `import { expect, test } from 'vitest';${esmImports}${test}`;

/** TypeScript that must compile, and a line that must not. */
export const typed = `${esmImports}
import { FieldPath, fieldErrors, type RunningServer, type ServerOptions } from 'kubeloom';
import type { ConfigMap } from 'kubeloom/generated/v1.35/core/v1/types';

const options: ServerOptions = { storage: 'memory' };
export const path: FieldPath = FieldPath.of('spec');
export const required = fieldErrors.required(path, '');

export async function run(): Promise<ConfigMap> {
  const running: RunningServer = await startServer(options);
${body}${release}
  // @ts-expect-error data has strings
  await configMaps.create({ metadata: { name: 'wrong' }, data: { a: 1 } });
  void [data, missing, pods];
  await running.close();
  return made;
}
`;

/** Imports each subpath. */
export const esmImportAll = (subpaths: readonly string[]): string =>
  subpaths.map((path) => `await import('${path}'${json(path)});`).join('\n');

export const cjsImportAll = (subpaths: readonly string[]): string => subpaths.map((path) => `require('${path}');`).join('\n');

export const typedImportAll = (subpaths: readonly string[]): string =>
  subpaths
    .filter((path) => !path.endsWith('.json'))
    .map((path, index) => `import * as _${index} from '${path}';\nexport type T${index} = typeof _${index};`)
    .join('\n');

const json = (path: string): string => (path.endsWith('.json') ? ", { with: { type: 'json' } }" : '');

/** Prints one line about the missing database. */
export const lmdbScript = `import { startServer } from 'kubeloom';
try {
  const server = await startServer({ storage: 'lmdb', dataDir: 'data' });
  await server.close();
  console.log('served from disk');
} catch (error) {
  console.log(error.message);
}
`;

/** An API group for the generator. */
export const schema = `openapi: 3.0.0
info: { title: Factory, version: v1 }
components:
  schemas:
    Robot:
      type: object
      properties:
        spec: { type: object, properties: { model: { type: string } } }
      x-kubernetes-group-version-kind: [{ group: factory.example.com, version: v1, kind: Robot }]
`;

/** Returns the files of a project below examples/, without its package.json. */
export function example(name: string): Record<string, string> {
  const folder = join(root, 'examples', name);
  const files = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name !== 'package.json')
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(files.map((file) => [relative(folder, file), readFileSync(file, 'utf8')]));
}

/** Tests of one file that share a server but see no objects of each other. */
const isolated = `
const cluster = useServer();
const names = async () => {
  const { items } = await cluster.client.core.v1.configmaps.namespace('default').list();
  return items.map(({ metadata }) => metadata.name).filter((name) => name !== 'kube-root-ca.crt');
};
for (const name of ['first', 'second']) {
  test(name, async () => {
    expect(await names()).toEqual([]);
    await cluster.client.core.v1.configmaps.namespace('default').create({ metadata: { name } });
    const map = { apiVersion: 'v1', kind: 'ConfigMap', name };
    await cluster.server.eventually(map);
    expect(cluster.requests({ verb: 'create' })).toHaveLength(1);
    const seen = process.env.KUBELOOM_SERVER ?? cluster.server.url;
    expect(cluster.server.url).toBe(seen);
    process.env.KUBELOOM_SERVER = seen;
  });
}
`;

export const jestFramework = `const { useServer } = require('kubeloom/jest');${isolated}`;
export const jestEsmFramework = `import { expect, test } from '@jest/globals';
import { useServer } from 'kubeloom/jest';${isolated}`;
export const vitestFramework = `import { expect, test } from 'vitest';
import { useServer } from 'kubeloom/vitest';${isolated}`;
