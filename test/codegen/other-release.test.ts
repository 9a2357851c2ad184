import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { emitAll } from '../../codegen/emit/index.ts';
import { readFolder } from '../../codegen/import/folder.ts';
import { normaliseSource, writeSchemas } from '../../codegen/import/write-schemas.ts';
import { loadModel } from '../../codegen/load/load-model.ts';
import type { ApiModel } from '../../codegen/model/model.ts';
import { startServer } from '../../runtime/index.ts';
import type { Catalog } from '../../runtime/machinery/catalog.ts';
import { PruneContext } from '../../runtime/machinery/prune.ts';
import { HttpClient } from '../support/http-client.ts';
import { sharedDir, sharedReason } from '../support/shared.ts';
import { compile, root, temporaryFolder } from './generated-project.ts';

const describeShared = sharedDir === undefined ? describe.skip : describe;

describeShared(sharedReason('v1.32 through the same generator'), () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let model: ApiModel;
  let catalog: Catalog;

  beforeAll(async () => {
    folder = await temporaryFolder('v1.32');
    const schemas = join(folder.path, 'schemas/v1.32');
    const source = await readFolder(join(sharedDir as string, 'schemas/v1.32'));
    await writeSchemas(normaliseSource(source, 'v1.32'), schemas);
    model = await loadModel(schemas, { overlays: join(root, 'schemas/overlays') });
    await emitAll(model, { out: join(folder.path, 'generated'), schemas });
    const entry = pathToFileURL(join(folder.path, 'generated/v1.32/catalog.ts')).href;
    catalog = ((await import(entry)) as { catalog: Catalog }).catalog;
  });
  afterAll(() => folder.remove());

  test('names itself', async () => {
    expect(catalog.release).toBe('v1.32');
    expect(await readdir(join(folder.path, 'generated'))).toEqual(['v1.32']);
  });

  test('compiles', async () => {
    expect(await compile(join(folder.path, 'generated'))).toBe('');
  });

  test('serves every group-version that its documents have', () => {
    const served = model.groupVersions.filter((groupVersion) => groupVersion.served);
    const names = (all: readonly { group: string; version: string }[]) =>
      all.map((each) => `${each.group}/${each.version}`);
    expect(names(catalog.groupVersions)).toEqual(names(served));
    expect(names(catalog.groupVersions)).toEqual(
      expect.arrayContaining(['/v1', 'apps/v1', 'authentication.k8s.io/v1beta1']),
    );
  });

  test('loads definitions in the order of the facts', async () => {
    for (const groupVersion of catalog.groupVersions) {
      const definitions = await groupVersion.load();
      expect(definitions.map((definition) => definition.resource)).toEqual(
        groupVersion.resources.map((facts) => facts.resource),
      );
    }
  });

  test('reads an object as that release had it', async () => {
    const core = catalog.groupVersions.find(({ group }) => group === '');
    const pods = (await core?.load())?.find(({ resource }) => resource === 'pods');
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [{ name: 'c' }], x: 1 } };
    expect(pods?.type.prune(pod, new PruneContext())).toMatchObject({
      metadata: { name: 'a' },
      spec: { containers: [{ name: 'c', resources: {} }] },
    });
  });

  test('is served', async () => {
    const server = await startServer({ catalog });
    try {
      expect(server.version).toMatch(/^v1\.32\.0/);
      const http = HttpClient.for(server);
      const list = await http.get('/apis/apps/v1');
      expect(list.json).toMatchObject({ kind: 'APIResourceList', groupVersion: 'apps/v1' });
      const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { b: 'c' } };
      const path = '/api/v1/namespaces/default/configmaps';
      expect((await http.send('POST', path, JSON.stringify(map), 'application/json')).status).toBe(201);
      const kept = await http.get('/api/v1/configmaps');
      expect(kept.json.items).toEqual([expect.objectContaining({ data: { b: 'c' } })]);
      http.close();
    } finally {
      await server.close();
    }
  });
});
