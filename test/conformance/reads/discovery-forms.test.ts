import { BinaryReader } from '@bufbuild/protobuf/wire';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RunningServer, startServer } from '../../../runtime/index.ts';
import { HttpClient } from '../../support/http-client.ts';
import { decodeOpenApiV3 } from '../../support/openapi-v3-messages.ts';
import { type Any, definition, definitions } from '../custom-resources/definition-fixture.ts';

let server: RunningServer;
let http: HttpClient;
const custom = definition({
  group: 'forms.example.com',
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: {
              type: 'object',
              'x-kubernetes-validations': [{ rule: 'self.size > 0 || self.note != "none"', message: 'both: are bad' }],
              required: ['size'],
              properties: {
                size: { type: 'integer', format: 'int32', minimum: 1, maximum: 12.5, default: 3 },
                note: { type: 'string', enum: ['none', 'on', '1'], default: 'on', pattern: '^[a-z]+$' },
                free: { type: 'object', additionalProperties: { type: 'boolean' } },
                list: { type: 'array', items: { type: 'number', multipleOf: 2 }, default: [2, 4], maxItems: 9 },
                either: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
              },
            },
          },
        },
      },
    },
  ],
});

beforeAll(async () => {
  server = await startServer();
  http = HttpClient.for(server);
  const { status, json } = await http.send('POST', definitions, JSON.stringify(custom), 'application/json');
  expect([status, json.message]).toEqual([201, undefined]);
});

afterAll(async () => {
  http?.close();
  await server?.close();
});

const get = (path: string, accept: string) => http.get(path, { headers: { accept } });

const maps: ReadonlySet<string> = new Set(['properties', 'schemas', 'responses', 'content', 'paths', 'info']);

/** Omits values that messages cannot express: zero values of fields, and defaults that are lists or objects. */
function asMessage(value: Any, member = '', isName = false): Any {
  if (!isName) {
    if (member.startsWith('x-') || member === 'enum') return value;
    if (member === 'default') return value !== null && typeof value === 'object' ? {} : value;
  }
  if (Array.isArray(value)) return value.map((one) => asMessage(one));
  if (value === null || typeof value !== 'object') return value;
  if (typeof value.$ref === 'string') return { $ref: value.$ref };
  const areNames = !isName && maps.has(member);
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, one]) => [name, asMessage(one, name, areNames)] as const)
      .filter(([name, one]) => name === 'default' || (one !== false && one !== 0 && one !== '')),
  );
}

test.each(['api/v1', 'apis/apps/v1', 'apis/apiextensions.k8s.io/v1', 'apis/forms.example.com/v1'])(
  'the OpenAPI v3 document of %s is the same in protobuf and in JSON',
  async (path) => {
    const json = await get(`/openapi/v3/${path}`, 'application/json');
    for (const at of ['.', '@']) {
      const response = await get(`/openapi/v3/${path}`, `application/com.github.proto-openapi.spec.v3${at}v1.0+protobuf`);
      expect(response.headers['content-type']).toBe('application/com.github.proto-openapi.spec.v3.v1.0+protobuf');
      expect(response.headers).toMatchObject({ vary: 'Accept', etag: json.headers.etag });
      expect(decodeOpenApiV3(response.body)).toEqual(asMessage(json.json));
    }
  },
);

test.each([
  ['/openapi/v3/apis/apps/v1', 'text/html'],
  ['/openapi/v3/apis/forms.example.com/v1', 'application/yaml'],
  ['/openapi/v2', 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf'],
])('%s is not acceptable as %s, which has no body', async (path, accept) => {
  const { status, body, headers } = await get(path, accept);
  const vary = path === '/openapi/v2' ? 'Accept-Encoding, Accept' : 'Accept';
  expect([status, body.length, headers.vary, headers['content-type']]).toEqual([406, 0, vary, undefined]);
});

test('the index of OpenAPI v3 is text for any Accept header', async () => {
  const { status, headers, body } = await get('/openapi/v3', 'text/html');
  expect([status, headers['content-type'], headers.etag]).toEqual([200, 'text/plain; charset=utf-8', undefined]);
  expect(body.toString()).toMatch(/^\{"paths":\{.*\}\}$/);
});

/** Fields of apidiscovery.k8s.io/v2 generated.proto: number -> member, with the message or "" for a string. */
const messages: Readonly<Record<string, Readonly<Record<number, readonly [member: string, message: string]>>>> = {
  APIGroupDiscoveryList: { 1: ['metadata', 'ListMeta'], 2: ['items', 'APIGroupDiscovery'] },
  ListMeta: { 1: ['selfLink', ''], 2: ['resourceVersion', ''], 3: ['continue', ''] },
  APIGroupDiscovery: { 1: ['metadata', 'ObjectMeta'], 2: ['versions', 'APIVersionDiscovery'] },
  ObjectMeta: {
    1: ['name', ''],
    2: ['generateName', ''],
    3: ['namespace', ''],
    4: ['selfLink', ''],
    5: ['uid', ''],
    6: ['resourceVersion', ''],
    8: ['creationTimestamp', 'Time'],
  },
  Time: {},
  APIVersionDiscovery: { 1: ['version', ''], 2: ['resources', 'APIResourceDiscovery'], 3: ['freshness', ''] },
  APIResourceDiscovery: {
    1: ['resource', ''],
    2: ['responseKind', 'GroupVersionKind'],
    3: ['scope', ''],
    4: ['singularResource', ''],
    5: ['verbs', ''],
    6: ['shortNames', ''],
    7: ['categories', ''],
    8: ['subresources', 'APISubresourceDiscovery'],
  },
  APISubresourceDiscovery: { 1: ['subresource', ''], 2: ['responseKind', 'GroupVersionKind'], 4: ['verbs', ''] },
  GroupVersionKind: { 1: ['group', ''], 2: ['version', ''], 3: ['kind', ''] },
};
const lists = new Set(['items', 'versions', 'resources', 'verbs', 'shortNames', 'categories', 'subresources']);

function decode(name: string, bytes: Uint8Array): Any {
  const reader = new BinaryReader(bytes);
  const value: Any = {};
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    const field = messages[name][number];
    if (name === 'ObjectMeta' && number === 7) {
      reader.skip(wire);
      continue;
    }
    const [member, message] = field;
    const part = message === '' ? reader.string() : decode(message, reader.bytes());
    const isEmpty = part === '' || message === 'Time';
    if (lists.has(member)) value[member] = [...(value[member] ?? []), part];
    else if (!isEmpty || name === 'GroupVersionKind') value[member] = part;
  }
  return value;
}

test.each([
  ['/api', 'v2'],
  ['/apis', 'v2'],
])('aggregated discovery of %s %s is the same in protobuf and in JSON', async (path, at) => {
  const as = `g=apidiscovery.k8s.io;v=${at};as=APIGroupDiscoveryList`;
  const { kind, apiVersion, ...json } = (await get(path, `application/json;${as}`)).json;
  expect(JSON.stringify(json)).not.toContain('creationTimestamp');
  // kubectl sends several clauses; the aggregated form wins in any position
  const { headers, body } = await get(path, `application/json,application/vnd.kubernetes.protobuf;${as}`);
  expect(headers['content-type']).toBe(`application/vnd.kubernetes.protobuf;${as}`);
  const envelope = new BinaryReader(body.subarray(4));
  envelope.tag();
  expect(Buffer.from(envelope.bytes()).toString()).toBe(`\n${String.fromCharCode(apiVersion.length)}${apiVersion}\x12\x15${kind}`);
  envelope.tag();
  expect(decode('APIGroupDiscoveryList', envelope.bytes())).toEqual(json);
});

test('only the aggregated form has an ETag', async () => {
  const { headers } = await get('/apis', 'application/json');
  expect([headers.etag, headers['cache-control']]).toEqual([undefined, 'no-cache, private']);
});
