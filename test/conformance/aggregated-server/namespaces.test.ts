import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AggregatedServer } from '../../support/delegating-server.ts';
import { HttpClient, type HttpResponse } from '../../support/http-client.ts';

const inNamespace = (namespace: string): string => `/apis/library.example.com/v1/namespaces/${namespace}/books`;
const namespaces = '/api/v1/namespaces';

describe('objects of an aggregated server', () => {
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

  test('are created in the namespaces of the delegate only', async () => {
    expect((await create('books')).status).toBe(201);
    const { status, json } = await create('nowhere');
    expect([status, json.reason, json.message]).toEqual([404, 'NotFound', 'namespaces "nowhere" not found']);
  });

  test('may be in a namespace that was created a moment ago', async () => {
    await pair.create(namespaces, { metadata: { name: 'young' } });
    expect((await create('young')).status).toBe(201);
  });

  test('are not created in a namespace that is terminating, but may be changed there', async () => {
    await pair.create(namespaces, { metadata: { name: 'old', finalizers: ['example.com/stays'] } });
    const { json: made } = await create('old');
    await pair.admin.send('DELETE', `${namespaces}/old`);
    await until(async () => (await create('old')).status === 403);
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
    await pair.admin.send(
      'PATCH',
      `${namespaces}/old`,
      '{"metadata":{"finalizers":[]}}',
      'application/merge-patch+json',
    );
    await until(async () => (await pair.admin.get(`${namespaces}/old`)).status === 404);
    await until(async () => (await create('old')).status === 404);
  });
});

/** Waits for what a watch or a controller brings. */
async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; !(await isTrue()); attempt++) {
    if (attempt === 250) throw new Error('it never became true');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
