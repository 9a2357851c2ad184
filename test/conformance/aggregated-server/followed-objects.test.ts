import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AggregatedServer, eventually } from '../../support/delegating-server.ts';
import { HttpClient, type HttpResponse } from '../../support/http-client.ts';

const inNamespace = (namespace: string): string => `/apis/library.example.com/v1/namespaces/${namespace}/books`;
const namespaces = '/api/v1/namespaces';
const schemas = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas';

describe('an aggregated server follows what its delegate has:', () => {
  let pair: AggregatedServer;
  let http: HttpClient;
  let count = 0;

  beforeAll(async () => {
    pair = await AggregatedServer.start();
    http = pair.client(HttpClient.for(pair.server));
  });
  afterAll(() => pair?.close());

  const create = (namespace: string): Promise<HttpResponse> => {
    const metadata = { name: `book-${count++}` };
    const book = {
      apiVersion: 'library.example.com/v1',
      kind: 'Book',
      metadata,
      spec: { title: 'Emma', isbn: '9780141439587' },
    };
    return http.send('POST', inNamespace(namespace), JSON.stringify(book), 'application/json');
  };

  test('objects are created in its namespaces only', async () => {
    expect((await create('books')).status).toBe(201);
    const { status, json } = await create('nowhere');
    expect([status, json.reason, json.message]).toEqual([404, 'NotFound', 'namespaces "nowhere" not found']);
  });

  test('objects may be in a namespace that was created a moment ago', async () => {
    await pair.create(namespaces, { metadata: { name: 'young' } });
    expect((await create('young')).status).toBe(201);
  });

  test('objects are not created in a namespace that is terminating, but may be changed there', async () => {
    await pair.create(namespaces, { metadata: { name: 'old', finalizers: ['example.com/stays'] } });
    const { json: made } = await create('old');
    await pair.admin.send('DELETE', `${namespaces}/old`);
    await eventually(async () => (await create('old')).status === 403);
    const { json } = await create('old');
    expect(json.message).toMatch(/because it is being terminated$/);
    expect(json.details.causes).toEqual([
      {
        reason: 'NamespaceTerminating',
        message: 'namespace old is being terminated',
        field: 'metadata.namespace',
      },
    ]);
    const path = `${inNamespace('old')}/${made.metadata.name}`;
    const patch = '{"spec":{"title":"Persuasion"}}';
    expect((await http.send('PATCH', path, patch, 'application/merge-patch+json')).status).toBe(200);
    await pair.admin.send('PATCH', `${namespaces}/old`, '{"metadata":{"finalizers":[]}}', 'application/merge-patch+json');
    await eventually(async () => (await pair.admin.get(`${namespaces}/old`)).status === 404);
    await eventually(async () => (await create('old')).status === 404);
  });

  test('requests are classified by its FlowSchemas, as they are created and deleted', async () => {
    const proxy = pair.as('front-proxy');
    const schemaOf = async (user: string): Promise<unknown> =>
      (await proxy.get('/version', { headers: { 'x-remote-user': user } })).headers['x-kubernetes-pf-flowschema-uid'];
    const becomes = (user: string, uid: unknown) => eventually(async () => (await schemaOf(user)) === uid);
    const uidOf = async (name: string) => (await pair.admin.get(`${schemas}/${name}`)).json.metadata.uid;
    await becomes('jane', await uidOf('global-default'));
    const { json: made } = await pair.create(schemas, {
      metadata: { name: 'janes' },
      spec: {
        priorityLevelConfiguration: { name: 'workload-high' },
        matchingPrecedence: 100,
        rules: [
          {
            subjects: [{ kind: 'User', user: { name: 'jane' } }],
            nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
          },
        ],
      },
    });
    await becomes('jane', made.metadata.uid);
    await pair.admin.send('DELETE', `${schemas}/janes`);
    await becomes('jane', await uidOf('global-default'));
    expect(await schemaOf('joe')).toBe(await schemaOf('jane'));
  });
});
