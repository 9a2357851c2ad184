import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { emitAll } from '../../codegen/emit/index.ts';
import { readFolder } from '../../codegen/import/folder.ts';
import { normaliseSource, writeSchemas } from '../../codegen/import/write-schemas.ts';
import { loadModel } from '../../codegen/load/load-model.ts';
import type { ApiModel } from '../../codegen/model/model.ts';
import { parseKubeconfig } from '../../runtime/client/kubeconfig.ts';
import type { WatchEvent } from '../../runtime/client/options.ts';
import { RestClient } from '../../runtime/client/rest-client.ts';
import { type RunningServer, startServer } from '../../runtime/index.ts';
import type { Catalog } from '../../runtime/machinery/catalog.ts';
import type { KubeObject } from '../../runtime/machinery/object.ts';
import { PruneContext } from '../../runtime/machinery/prune/context.ts';
import { compile, root, temporaryFolder } from '../support/generated-project.ts';
import { HttpClient } from '../support/http-client.ts';
import { Kubectl, testKubectl } from '../support/kubectl.ts';
import { describeShared } from '../support/shared.ts';

describeShared('v1.32 through the same generator', (shared) => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let model: ApiModel;
  let catalog: Catalog;

  beforeAll(async () => {
    folder = await temporaryFolder('v1.32');
    const schemas = join(folder.path, 'schemas/v1.32');
    const source = await readFolder(join(shared, 'schemas/v1.32'));
    await writeSchemas(normaliseSource(source, 'v1.32'), schemas);
    model = await loadModel(schemas, { overlays: join(root, 'schemas/overlays') });
    await emitAll(model, { out: join(folder.path, 'generated'), schemas });
    const entry = pathToFileURL(join(folder.path, 'generated/v1.32/catalog.ts')).href;
    catalog = ((await import(entry)) as { catalog: Catalog }).catalog;
  });
  afterAll(() => folder.remove());

  test('has its name in the catalog', async () => {
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

  describe('is served:', () => {
    let server: RunningServer;
    let http: HttpClient;
    let rest: RestClient;
    beforeAll(async () => {
      server = await startServer({ builtin: { catalog, strategies: {} } });
      rest = new RestClient(parseKubeconfig(server.kubeconfig));
      http = HttpClient.for(server);
    });
    afterAll(async () => {
      rest?.close();
      http?.close();
      await server?.close();
    });

    test('discovery and /openapi/v3 have exactly the contents of the documents', async () => {
      expect(server.version).toMatch(/^v1\.32\.0/);
      const documents = model.groupVersions
        .filter((groupVersion) => groupVersion.served)
        .map(({ group, version }) => (group === '' ? `api/${version}` : `apis/${group}/${version}`))
        .sort();
      const { groups } = (await http.get('/apis')).json as { groups: { versions: { groupVersion: string }[] }[] };
      const discovered = groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => `apis/${groupVersion}`));
      expect(['api/v1', ...discovered].sort()).toEqual(documents);
      const { paths } = (await http.get('/openapi/v3')).json as {
        paths: Record<string, { serverRelativeURL: string }>;
      };
      const ofGroups = documents.filter((path) => path !== 'api/v1').map((path) => path.replace(/\/[^/]*$/, ''));
      const fixed = ['api', 'apis', 'version', '.well-known/openid-configuration', 'openid/v1/jwks'];
      expect(Object.keys(paths).sort()).toEqual([...fixed, ...new Set(ofGroups), ...documents].sort());
      const apps = (await http.get(paths['apis/apps/v1'].serverRelativeURL)).json;
      expect(apps.components.schemas).toHaveProperty(['io.k8s.api.apps.v1.Deployment']);
    });

    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    test.each([
      ['/api/v1/namespaces/default/configmaps', { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } }],
      ['/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace' }],
      [
        '/apis/apps/v1/namespaces/default/deployments',
        { apiVersion: 'apps/v1', kind: 'Deployment', spec: { selector: { matchLabels: { a: 'b' } }, template } },
      ],
      [
        '/apis/batch/v1/namespaces/default/cronjobs',
        {
          apiVersion: 'batch/v1',
          kind: 'CronJob',
          spec: {
            schedule: '@daily',
            jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } },
          },
        },
      ],
      [
        '/apis/resource.k8s.io/v1alpha3/deviceclasses',
        { apiVersion: 'resource.k8s.io/v1alpha3', kind: 'DeviceClass', spec: {} },
      ],
    ])('%s: created, read, listed, watched, patched and deleted', async (path, facts) => {
      const metadata = { name: 'one', labels: { seen: 'no' } };
      const made = await http.send('POST', path, JSON.stringify({ ...facts, metadata }), 'application/json');
      expect([made.status, made.json]).toEqual([201, expect.objectContaining(facts.kind === 'ConfigMap' ? facts : {})]);
      expect((await http.get(`${path}/one`)).json).toEqual(made.json);
      const wire = await http.get(`${path}/one`, { headers: { accept: 'application/vnd.kubernetes.protobuf' } });
      const put = await http.send('PUT', `${path}/one`, wire.body, 'application/vnd.kubernetes.protobuf');
      expect(put.json).toEqual(made.json);
      const list = (await http.get(`${path}?labelSelector=seen%3Dno`)).json;
      expect(list).toMatchObject({ kind: `${facts.kind}List`, items: [{ metadata: { uid: made.json.metadata.uid } }] });
      const patch = JSON.stringify({ metadata: { labels: { seen: 'yes' } } });
      const patched = await http.send('PATCH', `${path}/one`, patch, 'application/strategic-merge-patch+json');
      expect(patched.json.metadata.labels).toMatchObject({ seen: 'yes' });
      expect((await http.send('DELETE', `${path}/one`)).status).toBe(200);
      const { resourceVersion } = list.metadata;
      const events: WatchEvent<KubeObject>[] = [];
      const query = { resourceVersion, fieldSelector: 'metadata.name=one' };
      for await (const event of rest.watch<KubeObject>({ method: 'GET', path, query })) {
        events.push(event);
        if (event.type === 'DELETED') break;
      }
      expect(events[0]).toMatchObject({ type: 'MODIFIED', object: { metadata: { labels: { seen: 'yes' } } } });
      expect(events.at(-1)?.type).toBe('DELETED');
    });

    testKubectl('kubectl of that release lists every resource', async () => {
      const kubectl = await Kubectl.for(server.kubeconfig, '1.32');
      try {
        const rows = (await kubectl.ok(['api-resources', '--no-headers'])).trim().split('\n');
        const served = model.groupVersions.filter((groupVersion) => groupVersion.served);
        const resources = new Set(
          served.flatMap(({ group, resources }) => resources.map(({ plural }) => `${plural}.${group}`)),
        );
        expect(rows).toHaveLength(resources.size);
        const create = ['create', 'deployment', 'web', '--image=i', '--replicas=2'];
        expect(await kubectl.ok(create)).toBe('deployment.apps/web created\n');
        expect(await kubectl.ok(['get', 'deploy', '--no-headers'])).toMatch(/^web +0\/2 +0 +0 +\d+[ms]/);
        expect(await kubectl.ok(['explain', 'deployment.spec.replicas'])).toContain('FIELD: replicas <integer>');
      } finally {
        await kubectl.close();
      }
    });
  });
});
