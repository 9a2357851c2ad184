import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Clientset, GroupVersionClient, type NamespacedVerbs } from '../../../runtime/client/clientset.ts';
import { ResourceClient, StatusClient } from '../../../runtime/client/resource-client.ts';

interface Widget {
  readonly metadata: { readonly name?: string };
  readonly size?: number;
}

class ExampleV1Client extends GroupVersionClient {
  readonly widgets = this.namespaceScoped(StatusClient<Widget>, 'widgets', 'Widget');
  readonly racks = this.clusterScoped(ResourceClient<Widget>, 'racks', 'Rack');
  readonly reviews: NamespacedVerbs<ResourceClient<Widget>, 'create'> = this.namespaceScoped(ResourceClient<Widget>, 'reviews', 'Review');
}

class ExampleClient extends Clientset {
  readonly core = { v1: new ExampleV1Client(this.restClient, 'v1') };
  readonly example = { v1: new ExampleV1Client(this.restClient, 'example.com/v1') };
}

let server: Server;
let client: ExampleClient;
const requests: string[] = [];

beforeAll(async () => {
  server = createServer(({ method, url }, response) => {
    requests.push(`${method} ${url}`);
    response.end('{"metadata":{},"items":[{"metadata":{"name":"a"},"size":1}]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = new ExampleClient({ server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
afterAll(() => {
  client.close();
  server.close();
});

test('each group-version and scope has a path', async () => {
  requests.length = 0;
  await client.core.v1.racks.get('r');
  await client.example.v1.racks.get('r');
  await client.example.v1.widgets.namespace('n').getStatus('w');
  await client.example.v1.reviews.namespace('n').create({ metadata: {} });
  expect(requests).toEqual([
    'GET /api/v1/racks/r',
    'GET /apis/example.com/v1/racks/r',
    'GET /apis/example.com/v1/namespaces/n/widgets/w/status',
    'POST /apis/example.com/v1/namespaces/n/reviews',
  ]);
});

test('lists across namespaces have typed items', async () => {
  requests.length = 0;
  const { items } = await client.example.v1.widgets.list();
  const sizes: (number | undefined)[] = items.map(({ size }) => size);
  expect(sizes).toEqual([1]);
  expect(requests).toEqual(['GET /apis/example.com/v1/widgets']);
});

test('verbs that a resource lacks are not in the type of its client', () => {
  // @ts-expect-error reviews can only be created
  expect(client.example.v1.reviews.list).toBeDefined();
  // @ts-expect-error racks have no namespaces
  expect(client.example.v1.racks.namespace).toBeUndefined();
});
