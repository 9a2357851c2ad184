import { describe, expect, test } from '@jest/globals';
import { quietNamespaces } from '../support/quiet-namespaces.ts';
import { TestServer } from '../support/test-server.ts';

const json = 'application/json';
const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, more: object = {}): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...more });

interface Bad {
  readonly name: string;
  readonly method?: string;
  readonly path?: string;
  readonly body?: string | Uint8Array;
  readonly type?: string;
  readonly headers?: Record<string, string>;
  readonly code: number;
  readonly reason: string;
  readonly message?: RegExp;
}

const table: readonly Bad[] = [
  {
    name: 'truncated JSON',
    body: '{"apiVersion":',
    code: 400,
    reason: 'BadRequest',
    message: /unexpected end|unexpected EOF/i,
  },
  { name: 'an empty body', body: '', code: 400, reason: 'BadRequest' },
  { name: 'a body that is a list', body: '[]', code: 400, reason: 'BadRequest' },
  { name: 'YAML that cannot be parsed', body: 'a: [', type: 'application/yaml', code: 400, reason: 'BadRequest' },
  {
    name: 'protobuf without its magic',
    body: Buffer.from([1, 2, 3, 4, 5, 6]),
    type: 'application/vnd.kubernetes.protobuf',
    code: 400,
    reason: 'BadRequest',
  },
  {
    name: 'protobuf with a length beyond its end',
    body: Buffer.concat([Buffer.from('k8s\0'), Buffer.from([0x0a, 0xff, 0xff, 0x7f])]),
    type: 'application/vnd.kubernetes.protobuf',
    code: 400,
    reason: 'BadRequest',
  },
  {
    name: 'a field of the wrong type',
    body: configMap('typed', { data: { a: 1 } }),
    code: 400,
    reason: 'BadRequest',
    message:
      /^ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap\.data of type string$/,
  },
  {
    name: 'a kind other than that of the path',
    body: configMap('x').replace('ConfigMap', 'Secret'),
    code: 400,
    reason: 'BadRequest',
  },
  { name: 'an unknown kind', body: configMap('x').replace('ConfigMap', 'Nonsense'), code: 400, reason: 'BadRequest' },
  {
    name: 'a version other than that of the path',
    body: configMap('x').replace('"v1"', '"v2"'),
    code: 400,
    reason: 'BadRequest',
    message: /^ConfigMap in version "v2" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "v2"/,
  },
  {
    name: 'an invalid name',
    body: configMap('Not_A_Name'),
    code: 422,
    reason: 'Invalid',
    message:
      /^ConfigMap "Not_A_Name" is invalid: metadata\.name: Invalid value: "Not_A_Name": a lowercase RFC 1123 subdomain must consist of/,
  },
  {
    name: 'an absent name',
    body: configMap(''),
    code: 422,
    reason: 'Invalid',
    message: /metadata\.name: Required value: name or generateName is required/,
  },
  {
    name: 'a namespace other than that of the path',
    body: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', namespace: 'other' } }),
    code: 400,
    reason: 'BadRequest',
    message: /^the namespace of the provided object does not match the namespace sent on the request$/,
  },
  { name: 'an unknown media type', body: 'x', type: 'text/csv', code: 415, reason: 'UnsupportedMediaType' },
  {
    name: 'an Accept header of unsupported types',
    method: 'GET',
    headers: { accept: 'text/csv' },
    code: 406,
    reason: 'NotAcceptable',
  },
  {
    name: 'a body of more than 3 MiB',
    body: configMap('large', { data: { a: 'x'.repeat(3 * 1024 * 1024) } }),
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: /^Request entity too large: limit is 3145728$/,
  },
  {
    name: 'a limit that is not a number',
    method: 'GET',
    path: `${configMaps}?limit=many`,
    code: 400,
    reason: 'BadRequest',
  },
  {
    name: 'a label selector that cannot be parsed',
    method: 'GET',
    path: `${configMaps}?labelSelector=a%20in`,
    code: 400,
    reason: 'BadRequest',
  },
  {
    name: 'a field selector that is not supported',
    method: 'GET',
    path: `${configMaps}?fieldSelector=data.a%3D1`,
    code: 400,
    reason: 'BadRequest',
    message: /^"data\.a" is not a known field selector: only "metadata\.name", "metadata\.namespace"$/,
  },
  {
    name: 'a forged continue token',
    method: 'GET',
    path: `${configMaps}?limit=1&continue=forged`,
    code: 400,
    reason: 'BadRequest',
  },
  {
    name: 'a dryRun that is not All',
    path: `${configMaps}?dryRun=Some`,
    body: configMap('dry'),
    code: 422,
    reason: 'Invalid',
    message: /dryRun: Unsupported value: \["Some"\]: supported values: "All"/,
  },
  {
    name: 'an unknown fieldValidation',
    path: `${configMaps}?fieldValidation=Maybe`,
    body: configMap('x'),
    code: 422,
    reason: 'Invalid',
  },
  {
    name: 'a path that is not served',
    method: 'GET',
    path: '/apis/nobody.example.com/v1/things',
    code: 404,
    reason: '',
  },
  {
    name: 'a resource that is not served',
    method: 'GET',
    path: '/api/v1/namespaces/default/things',
    code: 404,
    reason: 'NotFound',
  },
  { name: 'an encoded slash in a name', method: 'GET', path: `${configMaps}/a%2Fb`, code: 404, reason: 'NotFound' },
  {
    name: 'an invalid percent-encoding',
    method: 'GET',
    path: `${configMaps}/%zz`,
    code: 400,
    // the server refuses it before any handler
    reason: '',
  },
  { name: 'PUT on a collection', method: 'PUT', body: configMap('x'), code: 405, reason: 'MethodNotAllowed' },
  {
    name: 'a JSON patch that is not a list',
    method: 'PATCH',
    path: '/api/v1/namespaces/default',
    body: '{}',
    type: 'application/json-patch+json',
    code: 400,
    reason: 'BadRequest',
  },
  {
    name: 'a patch of an unknown type',
    method: 'PATCH',
    path: '/api/v1/namespaces/default',
    body: '{}',
    code: 415,
    reason: 'UnsupportedMediaType',
    message: /^415: Unsupported Media Type$/,
  },
  {
    name: 'JSON nested too deeply',
    body: `{"data":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
    code: 400,
    reason: 'BadRequest',
  },
  {
    name: 'a label named __proto__',
    body: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","labels":{"__proto__":"x"}}}',
    code: 422,
    reason: 'Invalid',
    message: /metadata\.labels: Invalid value: "__proto__": name part must consist of alphanumeric characters/,
  },
  {
    name: '20,000 invalid labels',
    body: configMap('x', {
      metadata: { name: 'x', labels: Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`!${i}`, ''])) },
    }),
    code: 422,
    reason: 'Invalid',
    message: /^ConfigMap "x" is invalid: \[metadata\.labels: Invalid value: "!0": .*\]; and 19\d\d\d more$/,
  },
  {
    name: 'a name of a megabyte',
    body: configMap('A'.repeat(1 << 20)),
    code: 422,
    reason: 'Invalid',
    message: /^ConfigMap "A{1024}"\.\.\. \(1048576 bytes\) is invalid: /,
  },
  {
    name: 'a limit of 100,000 digits',
    method: 'GET',
    path: `${configMaps}?limit=${'1'.repeat(100_000)}`,
    code: 400,
    reason: 'BadRequest',
    message: /^strconv\.ParseInt: parsing "1{1024}"\.\.\. \(100000 bytes\): value out of range$/,
  },
  {
    name: 'a resourceVersion of 100,000 digits',
    method: 'GET',
    path: `${configMaps}?resourceVersion=${'1'.repeat(100_000)}`,
    code: 400,
    reason: 'BadRequest',
    message: /value out of range$/,
  },
  {
    name: 'a continue token of 100,000 characters',
    method: 'GET',
    path: `${configMaps}?continue=${'A'.repeat(100_000)}`,
    code: 400,
    reason: 'BadRequest',
  },
  {
    name: 'a label selector of 100,000 letters',
    method: 'GET',
    path: `${configMaps}?labelSelector=${'a'.repeat(100_000)}`,
    code: 400,
    reason: 'BadRequest',
  },
  {
    name: 'a field selector of 100,000 letters',
    method: 'GET',
    path: `${configMaps}?fieldSelector=${'a'.repeat(100_000)}`,
    code: 400,
    reason: 'BadRequest',
  },
];

/** The limit for requests of any size. */
const maxResponseBytes = 64 * 1024;

describe("bad input is rejected in Kubernetes' words", () => {
  const suite = TestServer.forSuite(quietNamespaces);

  test.each(table)('$name', async ({ method = 'POST', path = configMaps, body, type = json, headers, code, reason, message }) => {
    const response = await suite.http.send(method, path, body, body === undefined ? undefined : type, { headers });
    expect({ code: response.status, reason: response.json?.reason ?? '' }).toEqual({ code, reason });
    if (message) expect(response.json.message).toMatch(message);
    expect(response.body.length).toBeLessThan(maxResponseBytes);
    expect(response.body.toString()).not.toMatch(/\.(ts|js|mjs):\d+|node_modules|\bat \w+ \(/);
  });

  test('the server still works afterwards and stores nothing', async () => {
    const { json: list } = await suite.http.get(configMaps);
    expect(list.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual([]);
  });

  test.each(['__proto__', 'constructor', 'toString'])('%s is an ordinary key', async (key) => {
    const body = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"proto-${key.toLowerCase().replaceAll('_', '')}"},"data":{"${key}":"value"}}`;
    const { status, body: bytes } = await suite.http.send('POST', configMaps, body, json);
    expect(status).toBe(201);
    expect(bytes.toString()).toContain(`"data":{"${key}":"value"}`);
    const { body: list } = await suite.http.get(configMaps);
    expect(list.toString()).toContain(`"data":{"${key}":"value"}`);
    expect(({} as Record<string, unknown>).value).toBeUndefined();
  });
});
