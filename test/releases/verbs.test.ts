import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseKubeconfig } from '../../runtime/client/kubeconfig.ts';
import type { WatchEvent } from '../../runtime/client/options.ts';
import { RestClient } from '../../runtime/client/rest-client.ts';
import { type RunningServer, startServer } from '../../runtime/index.ts';
import type { Catalog } from '../../runtime/machinery/catalog.ts';
import type { KubeObject } from '../../runtime/machinery/object.ts';
import { PruneContext } from '../../runtime/machinery/prune/context.ts';
import { HttpClient } from '../support/http-client.ts';
import { everyVersionOf, generateReleases, releaseFolder, releases } from '../support/releases.ts';

const [oldest] = releases;

describe('the oldest release', () => {
  let catalog: Catalog;
  let server: RunningServer;
  let http: HttpClient;
  let rest: RestClient;
  beforeAll(async () => {
    await generateReleases();
    catalog = (await import(pathToFileURL(join(releaseFolder(oldest), 'catalog.ts')).href)).catalog;
    server = await startServer({ ...everyVersionOf(oldest), kubernetes: oldest });
    rest = new RestClient(parseKubeconfig(server.kubeconfig));
    http = HttpClient.for(server);
  });
  afterAll(async () => {
    rest?.close();
    http?.close();
    await server?.close();
  });

  test('loads definitions in the order of the facts', async () => {
    for (const groupVersion of catalog.groupVersions) {
      const definitions = await groupVersion.load();
      expect(definitions.map((definition) => definition.resource)).toEqual(groupVersion.resources.map((facts) => facts.resource));
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
    ['/apis/resource.k8s.io/v1alpha3/deviceclasses', { apiVersion: 'resource.k8s.io/v1alpha3', kind: 'DeviceClass', spec: {} }],
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
});
