import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { emitAll } from '../../codegen/emit/index.ts';
import { readOpenApiFile } from '../../codegen/import/openapi-file.ts';
import { normaliseSource, writeSchemas } from '../../codegen/import/write-schemas.ts';
import { loadModel } from '../../codegen/load/load-model.ts';
import { type RunningServer, startServer } from '../../runtime/index.ts';
import type { ApiGroup } from '../../runtime/machinery/api-group.ts';
import { compile, temporaryFolder } from '../support/generated-project.ts';
import { HttpClient } from '../support/http-client.ts';
import { type RandomDocument, randomDocument } from './random-document.ts';

/** The number of documents. All are compiled and served together. */
const rounds = Number(process.env.ROUNDS ?? 4);
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);

const documents: readonly RandomDocument[] = Array.from({ length: rounds }, (_, number) => {
  const [one] = fc.sample(randomDocument(number), { seed: seed + number, numRuns: 1 });
  return one;
});

describe(`documents with names that are hard to write, SEED=${seed}`, () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let server: RunningServer;
  let http: HttpClient;

  async function generate({ document, group }: RandomDocument, number: number): Promise<ApiGroup> {
    const name = `d${number}`;
    const file = join(folder.path, `${name}.json`);
    await writeFile(file, JSON.stringify(document, null, 1));
    const out = join(folder.path, 'schemas', name);
    await writeSchemas(normaliseSource(await readOpenApiFile(file), name), out);
    await emitAll(await loadModel(out), { out: join(folder.path, 'generated'), schemas: out });
    const entry = pathToFileURL(join(folder.path, 'generated', name, 'index.ts')).href;
    const module = (await import(entry)) as { default: ApiGroup };
    expect(module.default.catalog.groupVersions.map((each) => each.group)).toEqual([group]);
    return module.default;
  }

  beforeAll(async () => {
    folder = await temporaryFolder('random-documents');
    await mkdir(join(folder.path, 'generated'));
    await writeFile(join(folder.path, 'generated/main.ts'), 'export const mine = 1;\n');
    const groups: ApiGroup[] = [];
    for (const [number, document] of documents.entries()) groups.push(await generate(document, number));
    server = await startServer({ groups, builtin: false });
    http = HttpClient.for(server);
  });
  afterAll(async () => {
    http?.close();
    await server?.close();
    await folder?.remove();
  });

  test('give code that compiles', async () => {
    expect(await compile(folder.path)).toBe('');
  });

  test('leave the files of others alone', async () => {
    expect(await readFile(join(folder.path, 'generated/main.ts'), 'utf8')).toBe('export const mine = 1;\n');
  });

  const subjects = documents.flatMap(({ group, objects }) => objects.map((object) => ({ group, ...object })));
  test.each(subjects)('serve $kind of $group as it was sent', async ({ group, kind, plural, spec }) => {
    const path = `/apis/${group}/v1/namespaces/default/${plural}`;
    const sent = { apiVersion: `${group}/v1`, kind, metadata: { name: 'one' }, spec };
    const made = await http.send('POST', `${path}?fieldValidation=Strict`, JSON.stringify(sent), 'application/json');
    expect([made.status, made.json.message]).toEqual([201, undefined]);
    expect(made.json.spec).toEqual(spec);
    const { json } = await http.get(`${path}/one`);
    expect(json).toEqual(made.json);
    expect((await http.get(path)).json.items).toEqual([expect.objectContaining({ metadata: json.metadata, spec: json.spec })]);
    const applied = await http.send(
      'PATCH',
      `${path}/two?fieldManager=me`,
      JSON.stringify({ ...sent, metadata: { name: 'two' } }),
      'application/apply-patch+yaml',
    );
    expect([applied.status, applied.json.spec]).toEqual([201, spec]);
  });

  test('publish what they say', async () => {
    const { paths } = (await http.get('/openapi/v3')).json;
    for (const { group, objects } of documents) {
      const { components } = (await http.get(paths[`apis/${group}/v1`].serverRelativeURL)).json;
      const text = JSON.stringify(components);
      for (const { kind } of objects) expect(text).toContain(`"kind":"${kind}"`);
    }
    expect((await http.get('/openapi/v2')).status).toBe(200);
  });
});
