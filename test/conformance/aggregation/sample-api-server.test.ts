import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { awaitCondition } from '../../support/aggregated-server.ts';
import { AggregatedServer, todaysCertificate } from '../../support/delegating-server.ts';
import { HttpClient, type HttpResponse } from '../../support/http-client.ts';
import { Kubectl, testKubectl } from '../../support/kubectl.ts';
import type { TestObject } from '../../support/test-object.ts';
import { WatchStream } from '../../support/watch-stream.ts';

const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
const apiService = `${apiServices}/v1.library.example.com`;
const books = '/apis/library.example.com/v1/namespaces/books/books';

/** Two servers: the first forwards requests for the second one's group. */
describe('Aggregator', () => {
  let folder: string;
  let pair: AggregatedServer;
  let http: HttpClient;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'aggregator-'));
    const write = async (name: string, text: string): Promise<string> => {
      await writeFile(join(folder, name), text);
      return join(folder, name);
    };
    const ca = todaysCertificate({ commonName: 'aggregator-ca', use: 'ca' });
    const proxy = todaysCertificate({ commonName: 'front-proxy', use: 'client' }, ca);
    const names = ['api.books.svc', '127.0.0.1'];
    const serving = todaysCertificate({ commonName: 'api', names, use: 'server' }, ca);
    pair = await AggregatedServer.start(
      {
        proxyClientCertFile: await write('proxy.crt', proxy.certificate),
        proxyClientKeyFile: await write('proxy.key', proxy.key),
        tokenAuthFile: await write('tokens.csv', 'secret,jane,u1,"readers"\n'),
      },
      {
        tlsCertFile: await write('serving.crt', serving.certificate + ca.certificate),
        tlsPrivateKeyFile: await write('serving.key', serving.key),
      },
    );
    http = pair.admin;
    await pair.publish({ 'requestheader-client-ca-file': ca.certificate });
    const service = { metadata: { name: 'api' }, spec: { type: 'ExternalName', externalName: '127.0.0.1' } };
    await pair.create('/api/v1/namespaces/books/services', service);
    for (const [version, versionPriority] of [['v1', 200] as const, ['v1beta1', 100] as const]) {
      await pair.create(apiServices, {
        metadata: { name: `${version}.library.example.com` },
        spec: {
          group: 'library.example.com',
          version,
          versionPriority,
          groupPriorityMinimum: 2000,
          service: { namespace: 'books', name: 'api', port: pair.server.port },
          caBundle: Buffer.from(ca.certificate).toString('base64'),
        },
      });
    }
    await awaitCondition(pair.delegate, 'v1.library.example.com', 'True', 'Passed');
    // the server follows the published CA of front proxies, and does not read it for each request
    while ((await http.get(books)).status !== 200);
  });
  afterAll(async () => {
    await pair?.close();
    await rm(folder, { recursive: true });
  });

  const book = (name: string): object => ({
    apiVersion: 'library.example.com/v1',
    kind: 'Book',
    metadata: { name },
    spec: { title: 'Emma', isbn: '9780141439587' },
  });
  const send = (method: string, path: string, body?: object, type = 'application/json'): Promise<HttpResponse> =>
    http.send(method, path, body && JSON.stringify(body), type);
  const namesOf = ({ json }: HttpResponse): string[] => json.items.map(({ metadata }: TestObject) => metadata.name);
  const conditions = async (): Promise<TestObject[]> => (await http.get(`${apiService}/status`)).json.status.conditions;

  test('Should be able to support the 1.17 Sample API Server using the current Aggregator [LinuxOnly]', async () => {
    expect((await send('POST', books, book('first'))).status).toBe(201);
    expect(namesOf(await http.get(books))).toEqual(['first']);
    expect((await send('DELETE', `${books}/first`)).status).toBe(200);
    expect(namesOf(await http.get(books))).toEqual([]);

    expect((await http.get(`${apiService}/status`)).json.metadata.name).toBe('v1.library.example.com');
    const priority = await send('PATCH', apiService, { spec: { versionPriority: 400 } }, 'application/merge-patch+json');
    expect(priority.json.spec.versionPriority).toBe(400);
    expect(namesOf(await http.get(apiServices))).toContain('v1.library.example.com');
    const labels = { metadata: { labels: { 'e2e-apiservice': 'patched' } } };
    await send('PATCH', apiService, labels, 'application/strategic-merge-patch+json');

    const { json: current } = await http.get(`${apiService}/status`);
    const updated = {
      type: 'StatusUpdated',
      status: 'True',
      lastTransitionTime: null,
      reason: 'E2E',
      message: 'Set from e2e test',
    };
    current.status.conditions.push(updated);
    expect((await send('PUT', `${apiService}/status`, current)).status).toBe(200);
    expect(await conditions()).toContainEqual(updated);
    const { json: replaced } = await http.get(apiService);
    replaced.metadata.labels = { 'v1.library.example.com': 'updated' };
    expect((await send('PUT', apiService, replaced)).json.metadata.labels).toEqual(replaced.metadata.labels);

    await send('POST', books, book('second'));
    expect(namesOf(await http.get(books))).toEqual(['second']);
    const patched = { ...updated, type: 'StatusPatched', message: 'Set by e2e test' };
    const patch = { status: { conditions: [...(await conditions()), patched] } };
    await send('PATCH', `${apiService}/status`, patch, 'application/merge-patch+json');
    expect(await conditions()).toContainEqual(patched);

    const beta = await send('GET', books.replace('v1', 'v1beta1'));
    expect(beta.json.apiVersion).toBe('library.example.com/v1beta1');
  });

  test('a watch, a table and an apply pass through, and managed fields name who has applied', async () => {
    const watch = await WatchStream.open(pair.delegate, `${books}?watch=true&resourceVersion=0`);
    const applied = await send('PATCH', `${books}/third?fieldManager=me`, book('third'), 'application/apply-patch+yaml');
    expect(applied.json.metadata.managedFields[0]).toMatchObject({ manager: 'me', operation: 'Apply' });
    for (let event = await watch.next(); event?.object.metadata.name !== 'third'; event = await watch.next());
    watch.close();
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    expect((await http.get(books, { headers: { accept } })).json.kind).toBe('Table');
  });

  test('users need the permission of both servers, which ask the same one', async () => {
    const jane = pair.client(HttpClient.withoutCertificate(pair.delegate));
    const asJane = (): Promise<HttpResponse> => jane.get(books, { headers: { authorization: 'Bearer secret' } });
    expect((await asJane()).status).toBe(403);
    const rules = [{ apiGroups: ['library.example.com'], resources: ['books'], verbs: ['list'] }];
    await pair.create('/apis/rbac.authorization.k8s.io/v1/clusterroles', { metadata: { name: 'books' }, rules });
    await pair.create('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'books' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'books' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'readers' }],
    });
    expect((await asJane()).status).toBe(200);
  });

  testKubectl('kubectl lists, explains, applies and deletes', async () => {
    const kubectl = await Kubectl.for(pair.delegate.kubeconfig);
    const file = join(folder, 'book.json');
    await writeFile(file, JSON.stringify(book('fourth')));
    // OpenAPI documents are downloaded a second after the server is available
    while (!('apis/library.example.com/v1' in (await http.get('/openapi/v3')).json.paths)) await http.get('/version');
    expect(await kubectl.ok(['apply', '-n', 'books', '-f', file])).toBe('book.library.example.com/fourth created\n');
    expect(await kubectl.ok(['get', 'bk', '-n', 'books', 'fourth'])).toMatch(/^NAME +/);
    expect(await kubectl.ok(['explain', 'book.spec.isbn'])).toMatch(/GROUP: +library\.example\.com\nKIND: +Book\nVERSION: +v1\n/);
    expect(await kubectl.ok(['api-resources', '--api-group=library.example.com'])).toMatch(
      /books +bk +library\.example\.com\/v1 +true +Book/,
    );
    expect(await kubectl.ok(['get', 'apiservice', 'v1.library.example.com'])).toMatch(/books\/api +True/);
    expect(await kubectl.ok(['delete', 'book', '-n', 'books', 'fourth'])).toMatch(/"fourth" deleted/);
    await kubectl.close();
  });

  test('a namespace that is deleted takes the objects of both servers with it', async () => {
    await pair.create('/api/v1/namespaces', { metadata: { name: 'archive' } });
    const archived = books.replace('namespaces/books', 'namespaces/archive');
    // the server follows its delegate's namespaces
    while ((await send('POST', archived, book('kept'))).status !== 201);
    await send('DELETE', '/api/v1/namespaces/archive');
    while ((await http.get('/api/v1/namespaces/archive')).status === 200);
    expect(namesOf(await http.get(archived))).toEqual([]);
    expect(namesOf(await http.get(books))).not.toEqual([]);
  });

  test('an APIService that is deleted by its label takes the group with it', async () => {
    await send('DELETE', `${apiServices}/v1beta1.library.example.com`);
    await send('DELETE', `${apiServices}?labelSelector=v1.library.example.com=updated`);
    expect((await http.get(apiService)).status).toBe(404);
    expect((await http.get(books)).status).toBe(404);
    expect((await http.get('/apis')).json.groups.map(({ name }: TestObject) => name)).not.toContain('library.example.com');
  });
});
