import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { StatusClient } from '../../../runtime/client/resource-client.ts';
import { RestClient } from '../../../runtime/client/rest-client.ts';
import { isStatusError } from '../../../runtime/machinery/errors/status.ts';

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: unknown;
}

let close: (() => void) | undefined;
afterEach(() => {
  close?.();
  close = undefined;
});

/** A server that responds with `respond` and records the requests. */
async function serve(
  respond: (request: IncomingMessage, response: ServerResponse) => void,
  token?: string,
): Promise<{ pods: (namespace?: string) => StatusClient; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const { method = '', url = '', headers } = request;
    seen.push({ method, url, headers, body: text === '' ? undefined : JSON.parse(text) });
    respond(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const rest = new RestClient({ server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token });
  close = () => {
    rest.close();
    server.closeAllConnections();
    server.close();
  };
  const location = { root: '/api/v1', resource: 'pods', apiVersion: 'v1', kind: 'Pod' };
  return { pods: (namespace) => new StatusClient(rest, location, namespace), seen };
}

const ok = (_: IncomingMessage, response: ServerResponse): void => void response.end('{"metadata":{"name":"a"}}');

describe('each verb is one request', () => {
  const cases: [string, (pods: StatusClient) => Promise<unknown>, Partial<Seen>][] = [
    ['get', (pods) => pods.get('a/b'), { method: 'GET', url: '/api/v1/namespaces/x/pods/a%2Fb' }],
    [
      'list',
      (pods) => pods.list({ labelSelector: 'a=b,c', limit: 5 }),
      { method: 'GET', url: '/api/v1/namespaces/x/pods?labelSelector=a%3Db%2Cc&limit=5' },
    ],
    [
      'create',
      (pods) => pods.create({ metadata: { name: 'a' } }, { dryRun: 'All' }),
      {
        method: 'POST',
        url: '/api/v1/namespaces/x/pods?dryRun=All',
        body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } },
      },
    ],
    [
      'update of a subresource',
      (pods) => pods.updateStatus({ metadata: { name: 'a' } }),
      {
        method: 'PUT',
        url: '/api/v1/namespaces/x/pods/a/status',
        body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } },
      },
    ],
    [
      'delete',
      (pods) => pods.delete('a', { gracePeriodSeconds: 0 }),
      {
        method: 'DELETE',
        url: '/api/v1/namespaces/x/pods/a',
        body: { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 },
      },
    ],
    [
      'deletecollection',
      (pods) => pods.deleteCollection({ fieldSelector: 'a=b' }),
      { method: 'DELETE', url: '/api/v1/namespaces/x/pods?fieldSelector=a%3Db' },
    ],
  ];
  test.each(cases)('%s', async (_, call, want) => {
    const { pods, seen } = await serve(ok);
    await call(pods('x'));
    expect(seen).toEqual([expect.objectContaining(want)]);
  });

  test.each([
    ['json', 'application/json-patch+json'],
    ['merge', 'application/merge-patch+json'],
    ['strategic', 'application/strategic-merge-patch+json'],
    ['apply', 'application/apply-patch+yaml'],
  ] as const)('a patch of type %s', async (type, mediaType) => {
    const { pods, seen } = await serve(ok);
    await pods('x').patch('a', { spec: {} }, { type, fieldManager: 'me' });
    expect(seen[0]).toMatchObject({ method: 'PATCH', url: '/api/v1/namespaces/x/pods/a?fieldManager=me' });
    expect(seen[0].headers['content-type']).toBe(mediaType);
  });

  test('without a namespace, list covers all namespaces', async () => {
    const { pods, seen } = await serve(ok, 'secret');
    await pods().list();
    expect(seen[0].url).toBe('/api/v1/pods');
    expect(seen[0].headers.authorization).toBe('Bearer secret');
  });

  test('an empty name or namespace is rejected before a request is sent', async () => {
    const { pods, seen } = await serve(ok);
    expect(() => pods('')).toThrow('a namespace is needed');
    expect(() => pods('x').get('')).toThrow('a name is needed');
    expect(seen).toEqual([]);
  });
});

describe('errors', () => {
  test('a Status becomes a StatusError', async () => {
    const { pods } = await serve((_, response) => {
      response.statusCode = 404;
      response.end(JSON.stringify({ kind: 'Status', status: 'Failure', message: 'no such pod', reason: 'NotFound', code: 404 }));
    });
    const error = await pods('x')
      .get('a')
      .catch((caught: unknown) => caught);
    expect(isStatusError(error) && error.status).toMatchObject({
      message: 'no such pod',
      reason: 'NotFound',
      code: 404,
    });
  });

  test('other failures become StatusErrors, too', async () => {
    const { pods } = await serve((_, response) => {
      response.statusCode = 502;
      response.end('bad gateway');
    });
    await expect(pods('x').get('a')).rejects.toMatchObject({ status: { message: 'bad gateway', code: 502 } });
  });
});

describe('watch', () => {
  test('events are complete, wherever chunks are split', async () => {
    const { pods, seen } = await serve((_, response) => {
      const text = '{"type":"ADDED","object":{"metadata":{"name":"é"}}}\n{"type":"DELETED","object":{}}\n';
      const bytes = Buffer.from(text);
      response.write(bytes.subarray(0, 42));
      setImmediate(() => response.end(bytes.subarray(42)));
    });
    const events: unknown[] = [];
    for await (const event of pods('x').watch({ resourceVersion: '5' })) events.push(event);
    expect(events).toEqual([
      { type: 'ADDED', object: { metadata: { name: 'é' } } },
      { type: 'DELETED', object: {} },
    ]);
    expect(seen[0].url).toBe('/api/v1/namespaces/x/pods?resourceVersion=5&watch=true');
  });

  test('an ERROR event is thrown as a StatusError', async () => {
    const { pods } = await serve((_, response) => {
      response.end('{"type":"ERROR","object":{"kind":"Status","reason":"Expired","message":"too old","code":410}}\n');
    });
    const watch = pods('x').watch()[Symbol.asyncIterator]();
    await expect(watch.next()).rejects.toMatchObject({ status: { reason: 'Expired' } });
  });

  test('leaving the loop aborts the request', async () => {
    const ended = new Promise<void>((resolve) => {
      void serve((_, response) => {
        response.on('close', resolve);
        response.write('{"type":"ADDED","object":{}}\n');
      }).then(async ({ pods }) => {
        for await (const _ of pods('x').watch()) break;
      });
    });
    await ended;
  });

  test('the signal ends it without an error', async () => {
    const { pods } = await serve((_, response) => void response.write('{"type":"ADDED","object":{}}\n'));
    const controller = new AbortController();
    const events: unknown[] = [];
    for await (const event of pods('x').watch({ signal: controller.signal })) {
      events.push(event);
      controller.abort();
    }
    expect(events).toHaveLength(1);
  });
});
