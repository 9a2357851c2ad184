import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RunningServer } from '../../../runtime/index.ts';
import { AggregatedServer } from '../../support/aggregated-server.ts';
import { AggregatingServer } from '../../support/aggregating-server.ts';
import type { HttpClient } from '../../support/http-client.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import type { TestObject } from '../../support/test-object.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const ref = (name: string): object => ({ $ref: `#/definitions/${name}` });

/** Returns the path item of a list with a definition's objects. */
const pathItem = (definition: string): object => ({
  get: {
    operationId: 'list',
    responses: { 200: { description: 'OK', schema: ref(definition) } },
    parameters: [{ $ref: '#/parameters/limit-WCjOkj21' }],
  },
});

const create = {
  operationId: 'create',
  consumes: ['application/json'],
  produces: ['application/json'],
  'x-kubernetes-action': 'post',
  parameters: [
    { name: 'body', in: 'body', schema: ref('example.Flunder') },
    { name: 'dryRun', in: 'query', type: 'string' },
  ],
  responses: { 200: { description: 'OK', schema: ref('example.Flunder') } },
};

describe('OpenAPI with other servers', () => {
  let both: AggregatingServer;
  let clock: ManualClock;
  let http: HttpClient;
  let remote: AggregatedServer;
  let server: RunningServer;

  beforeAll(async () => {
    both = await AggregatingServer.open();
    ({ clock, http, remote, server } = both);
  });
  afterAll(() => both.close());

  const v2 = async (): Promise<TestObject> => (await http.get('/openapi/v2')).json;

  /** Advances the clock until a condition holds. */
  async function until(hasHappened: () => Promise<boolean>): Promise<void> {
    while (!(await hasHappened())) clock.advance(1000);
  }

  test('the v2 document has the paths of the version, what they need, and other names for what differs', async () => {
    const { json: local, headers } = await http.get('/openapi/v2');
    const known = local.definitions[`${meta}.Status`];
    remote.discovery.set('/openapi/v2', {
      swagger: '2.0',
      info: { title: 'wardle', version: 'v1' },
      paths: {
        '/apis/wardle.example/v1/flunders': { ...pathItem('example.Flunder'), post: create },
        '/apis/wardle.example/v2/flunders': pathItem('example.Unused'),
        '/apis/apps/v1/evil': pathItem('example.Evil'),
      },
      definitions: {
        'example.Flunder': {
          type: 'object',
          properties: {
            metadata: ref(`${meta}.ObjectMeta`),
            status: { ...ref(`${meta}.Status`), description: 'how it is' },
          },
        },
        'example.Unused': { type: 'object' },
        'example.Evil': { type: 'object' },
        'example.Unreferenced': { type: 'string' },
        [`${meta}.ObjectMeta`]: { type: 'object', properties: { name: { type: 'string' } } },
        [`${meta}.Status`]: {
          ...known,
          'x-kubernetes-group-version-kind': [{ group: 'wardle.example', version: 'v1', kind: 'Status' }],
        },
      },
      parameters: { 'limit-WCjOkj21': { name: 'limit', in: 'query', type: 'string' } },
    });
    remote.serveDiscovery('wardle.example');
    await remote.register({ http, server }, 'wardle.example');
    const unchanged = { headers: { 'if-none-match': String(headers.etag) } };
    await until(async () => (await http.get('/openapi/v2', unchanged)).status === 200);
    const merged = await v2();
    expect(merged.paths['/apis/wardle.example/v1/flunders'].get.responses[200].schema).toEqual(ref('example.Flunder'));
    expect(merged.paths['/apis/wardle.example/v2/flunders']).toBeUndefined();
    expect(merged.paths['/apis/apps/v1/evil']).toBeUndefined();
    expect(Object.keys(merged.definitions).filter((name) => name.startsWith('example.'))).toEqual([
      'example.Flunder',
      'example.Unreferenced',
    ]);
    expect(merged.definitions['example.Flunder'].properties).toEqual({
      metadata: ref(`${meta}.ObjectMeta_v2`),
      status: { ...ref(`${meta}.Status`), description: 'how it is' },
    });
    expect(merged.definitions[`${meta}.ObjectMeta`]).toEqual(local.definitions[`${meta}.ObjectMeta`]);
    expect(merged.definitions[`${meta}.ObjectMeta_v2`].properties).toEqual({ name: { type: 'string' } });
    const [parameter] = merged.paths['/apis/wardle.example/v1/flunders'].get.parameters;
    expect(parameter).toEqual({ $ref: '#/parameters/limit-WCjOkj21_v2' });
    expect(merged.parameters['limit-WCjOkj21_v2'].type).toBe('string');
    const kinds = merged.definitions[`${meta}.Status`]['x-kubernetes-group-version-kind'];
    expect(kinds).toContainEqual({ group: 'wardle.example', version: 'v1', kind: 'Status' });
    expect(kinds.length).toBe(known['x-kubernetes-group-version-kind'].length + 1);
    const accept = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
    expect((await http.get('/openapi/v2', { headers: { accept } })).body.includes('example.Flunder')).toBe(true);
  });

  test('a server without v3 documents gets one that is made of its v2 document', async () => {
    const path = 'apis/wardle.example/v1';
    await until(async () => path in (await http.get('/openapi/v3')).json.paths);
    const { serverRelativeURL: url } = (await http.get('/openapi/v3')).json.paths[path];
    const { headers, json } = await http.get(url);
    expect([url, headers['cache-control']]).toEqual([`/openapi/v3/${path}?hash=${headers.etag?.slice(1, -1)}`, 'public, immutable']);
    expect(json).toMatchObject({ openapi: '3.0.0', info: { title: 'wardle', version: 'v1' } });
    expect(json.paths['/apis/wardle.example/v1/flunders']).toEqual({
      post: {
        operationId: 'create',
        parameters: [{ name: 'dryRun', in: 'query', schema: { type: 'string' } }],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/example.Flunder' } } } },
        responses: {
          200: {
            description: 'OK',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/example.Flunder' } } },
          },
        },
        'x-kubernetes-action': 'post',
      },
      get: {
        operationId: 'list',
        parameters: [{ $ref: '#/components/parameters/limit-WCjOkj21' }],
        responses: { 200: { description: 'OK' } },
      },
    });
    expect(json.components.schemas['example.Flunder'].properties).toEqual({
      metadata: { $ref: `#/components/schemas/${meta}.ObjectMeta` },
      status: { description: 'how it is', allOf: [{ $ref: `#/components/schemas/${meta}.Status` }] },
    });
    const accept = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf';
    expect((await http.get(url, { headers: { accept } })).body.includes('example.Flunder')).toBe(true);
  });

  test('the v3 documents are those of the server, with its hashes, and what it takes down is gone', async () => {
    const url = '/openapi/v3/apis/wardle.example/v1?hash=ABC';
    const path = 'apis/wardle.example/v1';
    remote.discovery.set('/openapi/v3', {
      paths: { [path]: { serverRelativeURL: url }, version: { serverRelativeURL: '/openapi/v3/other' } },
    });
    remote.answer = (request, response) =>
      response
        .writeHead(200, { etag: '"ABC"', 'content-type': 'application/json' })
        .end(JSON.stringify({ openapi: '3.0.0', asked: request.url }));
    const index = async (): Promise<TestObject> => (await http.get('/openapi/v3')).json.paths;
    await until(async () => (await index())[path].serverRelativeURL === url);
    const paths = await index();
    expect(paths[path]).toEqual({ serverRelativeURL: url });
    expect(paths.version.serverRelativeURL).toMatch(/^\/openapi\/v3\/version\?hash=[0-9A-F]+$/);
    const { headers, json } = await http.get(url);
    expect([headers.etag, json]).toEqual(['"ABC"', { openapi: '3.0.0', asked: url }]);
    expect(remote.requests.at(-1)?.request.headers['x-remote-user']).toBe('kubernetes-admin');

    await http.send('DELETE', '/apis/apiregistration.k8s.io/v1/apiservices/v1.wardle.example');
    expect((await index())[path]).toBeUndefined();
    expect((await http.get(url)).status).toBe(404);
    expect((await v2()).paths['/apis/wardle.example/v1/flunders']).toBeUndefined();
  });

  test('the index leads to no other server, and to no group of another one', async () => {
    const other = await AggregatedServer.open();
    try {
      for (const [group, one] of [
        ['first.example', remote],
        ['other.example', other],
      ] as const) {
        one.serveDiscovery(group);
        one.discovery.set('/openapi/v3', {
          paths: {
            'apis/first.example/v1': { serverRelativeURL: `https://${group}/openapi/v3/apis/first.example/v1?hash=AB` },
            'apis/other.example/v1': { serverRelativeURL: `//${group}/openapi/v3/apis/other.example/v1` },
            'apis/apps/v1': { serverRelativeURL: `/openapi/v3/apis/${group}/v1?hash=AB` },
            'apis/new.example/v1': { serverRelativeURL: '/openapi/v3/apis/apps/v1?hash=AB' },
            '../secrets': { serverRelativeURL: '/openapi/v3/../secrets' },
          },
        });
        one.answer = (_request, response) =>
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ from: group }));
        await one.register({ http, server }, group);
      }
      const index = async (): Promise<TestObject> => (await http.get('/openapi/v3')).json.paths;
      await until(async () => {
        const paths = await index();
        return 'apis/first.example/v1' in paths && 'apis/other.example/v1' in paths;
      });
      const paths = await index();
      const url = (path: string): string | undefined => paths[path]?.serverRelativeURL;
      expect(url('apis/apps/v1')).toMatch(/^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]+$/);
      expect(url('apis/new.example/v1')).toBe('/openapi/v3/apis/new.example/v1');
      expect(url('../secrets')).toBeUndefined();
      for (const group of ['first.example', 'other.example']) {
        const path = `/openapi/v3/apis/${group}/v1`;
        expect([url(`apis/${group}/v1`), (await http.get(path)).json]).toEqual([path, { from: group }]);
      }
    } finally {
      for (const group of ['first.example', 'other.example']) {
        await http.send('DELETE', `/apis/apiregistration.k8s.io/v1/apiservices/v1.${group}`);
      }
      await other.close();
    }
  });

  test.each([
    ['no JSON', 'nothing'],
    ['no object', '[]'],
    ['a path that is none', '{"paths":{"/apis/bad.example/v1/x":7}}'],
    ['members that break off', '{"paths":{"/apis/bad.example/v1/x":{}'],
    ['the wrong types', '{"paths":{"/apis/bad.example/v1/x":{"get":{"responses":7,"parameters":{}}}}}'],
    ['endless nesting', `{"paths":{"/apis/bad.example/v1/x":${'{"get":'.repeat(10_000)}{}${'}'.repeat(10_000)}}}`],
    ['too much', JSON.stringify({ paths: { '/apis/bad.example/v1/x': { description: 'x'.repeat(5_000_000) } } })],
  ])('a v2 document with %s changes nothing', async (_title, text) => {
    remote.discovery.delete('/openapi/v2');
    remote.discovery.delete('/openapi/v3');
    let asked = 0;
    remote.answerOwn = (request, response) => {
      if (request.url === '/openapi/v2') asked++;
      return request.url === '/openapi/v2' ? response.writeHead(200).end(text) : response.writeHead(404).end();
    };
    remote.serveDiscovery('bad.example');
    const before = await http.get('/openapi/v2');
    await remote.register({ http, server }, 'bad.example');
    await until(async () => (await http.get('/version')).status === 200 && asked > 0);
    const after = await http.get('/openapi/v2');
    expect([after.status, after.body.equals(before.body)]).toEqual([200, true]);
    const accept = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
    expect((await http.get('/openapi/v2', { headers: { accept } })).status).toBe(200);
    await http.send('DELETE', '/apis/apiregistration.k8s.io/v1/apiservices/v1.bad.example');
  });
});
