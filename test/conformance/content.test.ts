import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { TestServer } from '../support/test-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const protobuf = 'application/vnd.kubernetes.protobuf';
const magic = Buffer.from('k8s\0');

describe('content types', () => {
  const suite = TestServer.forSuite();
  beforeAll(async () => {
    const body = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: held, labels: {a: b}}\ndata: {text: "häll ö"}\n';
    const { status } = await suite.http.send('POST', configMaps, body, 'application/yaml');
    expect(status).toBe(201);
  });

  const get = (path: string, accept: string) => suite.http.get(path, { headers: { accept } });

  test('an object is the same in JSON and in YAML', async () => {
    const asJson = await get(`${configMaps}/held`, 'application/json');
    const asYaml = await get(`${configMaps}/held`, 'application/yaml');
    expect(asYaml.headers['content-type']).toBe('application/yaml');
    expect(parse(asYaml.body.toString())).toEqual(asJson.json);
  });

  test('an object read as protobuf can be written as protobuf', async () => {
    const read = await get(`${configMaps}/held`, protobuf);
    expect(read.headers['content-type']).toBe(protobuf);
    expect(read.body.subarray(0, 4)).toEqual(magic);
    const written = await suite.http.send('PUT', `${configMaps}/held`, read.body, protobuf, {
      headers: { accept: 'application/json' },
    });
    expect(written.status).toBe(200);
    expect(written.json).toEqual((await get(`${configMaps}/held`, 'application/json')).json);
  });

  test('lists and Statuses can be protobuf, too', async () => {
    const list = await get(configMaps, protobuf);
    expect(list.body.subarray(0, 4)).toEqual(magic);
    expect(list.body.includes('ConfigMapList')).toBe(true);
    const missing = await get(`${configMaps}/absent`, protobuf);
    expect(missing.status).toBe(404);
    expect(missing.body.subarray(0, 4)).toEqual(magic);
  });

  test.each([
    ['*/*', 'application/json'],
    [`${protobuf},application/json`, protobuf],
    ['application/json;q=0.5,application/yaml;q=0.9', 'application/yaml'],
    ['text/csv,application/json;q=0.1', 'application/json'],
    ['application/json;as=Table;v=v1;g=meta.k8s.io,application/json', 'application/json'],
  ])('Accept: %s gets %s', async (accept, type) => {
    const { status, headers } = await get(`${configMaps}/held`, accept);
    expect([status, headers['content-type']]).toEqual([200, type]);
  });

  test('a Table has columns, cells and partial objects', async () => {
    const { json } = await get(configMaps, 'application/json;as=Table;v=v1;g=meta.k8s.io');
    expect(json).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1' });
    expect(json.columnDefinitions.map((column: { name: string }) => column.name)).toEqual(['Name', 'Data', 'Age']);
    expect(json.rows[0].cells.slice(0, 2)).toEqual(['held', 1]);
    expect(json.rows[0].object).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'held' } });
  });

  test('a PartialObjectMetadataList has only metadata', async () => {
    const { json } = await get(configMaps, 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io');
    expect(json).toMatchObject({ kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' });
    expect(Object.keys(json.items[0]).sort()).toEqual(['apiVersion', 'kind', 'metadata']);
  });

  test('autoscaling v1 and v2 serve the same object', async () => {
    const path = (version: string): string => `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
    const body = {
      apiVersion: 'autoscaling/v1',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'two-faced' },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        maxReplicas: 5,
        targetCPUUtilizationPercentage: 70,
      },
    };
    expect((await suite.http.send('POST', path('v1'), JSON.stringify(body), 'application/json')).status).toBe(201);
    const { json: v2 } = await suite.http.get(`${path('v2')}/two-faced`);
    expect(v2.apiVersion).toBe('autoscaling/v2');
    expect(v2.spec.metrics).toEqual([
      { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
    ]);
    const { json: v1 } = await suite.http.get(`${path('v1')}/two-faced`);
    expect(v1.spec.targetCPUUtilizationPercentage).toBe(70);
    expect(v1.metadata).toEqual(v2.metadata);
  });

  test('serves OpenAPI v3 at hashed paths, and v2 in JSON and protobuf', async () => {
    const { json: index } = await suite.http.get('/openapi/v3');
    const address = index.paths['apis/apps/v1'].serverRelativeURL;
    expect(address).toMatch(/^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]{128}$/);
    const document = await suite.http.get(address);
    expect(document.json.openapi).toBe('3.0.0');
    expect(document.headers.etag).toBeDefined();
    const again = await suite.http.get('/openapi/v3/apis/apps/v1', {
      headers: { 'if-none-match': String(document.headers.etag) },
    });
    expect(again.status).toBe(304);
    const v2 = await suite.http.get('/openapi/v2');
    expect(v2.json.swagger).toBe('2.0');
    expect(Object.keys(v2.json.definitions)).toContain('io.k8s.api.core.v1.Pod');
    const { get: getGroup } = v2.json.paths['/apis/apps/'];
    const schema = { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.APIGroup' };
    expect(getGroup).toMatchObject({ operationId: 'getAppsAPIGroup', responses: { 200: { schema } } });
    const binary = await get('/openapi/v2', 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf');
    expect(binary.status).toBe(200);
    expect(binary.body.length).toBeGreaterThan(100_000);
  });

  test.each([
    ['version', '/version/', 'getCodeVersion', 'version', 'io.k8s.apimachinery.pkg.version.Info'],
    ['api', '/api/', 'getCoreAPIVersions', 'core', 'io.k8s.apimachinery.pkg.apis.meta.v1.APIVersions'],
    ['apis', '/apis/', 'getAPIVersions', 'apis', 'io.k8s.apimachinery.pkg.apis.meta.v1.APIGroupList'],
    ['apis/apps', '/apis/apps/', 'getAppsAPIGroup', 'apps', 'io.k8s.apimachinery.pkg.apis.meta.v1.APIGroup'],
  ])('serves OpenAPI v3 of %s', async (path, url, operationId, tag, schema) => {
    const { serverRelativeURL } = (await suite.http.get('/openapi/v3')).json.paths[path];
    const { json, headers } = await suite.http.get(serverRelativeURL);
    expect(serverRelativeURL).toBe(`/openapi/v3/${path}?hash=${JSON.parse(String(headers.etag))}`);
    expect(json.info).toEqual({ title: 'Kubernetes', version: '1.35' });
    expect(json.paths[url].get).toMatchObject({ operationId, tags: [tag] });
    const ref = { $ref: `#/components/schemas/${schema}` };
    expect(json.paths[url].get.responses[200].content['application/json'].schema).toEqual(ref);
    expect(Object.keys(json.components.schemas)).toContain(schema);
    expect(json.components.schemas['io.k8s.api.apps.v1.Deployment']).toBeUndefined();
  });

  test.each([
    ['.well-known/openid-configuration', 'getServiceAccountIssuerOpenIDConfiguration', 'application/json'],
    ['openid/v1/jwks', 'getServiceAccountIssuerOpenIDKeyset', 'application/jwk-set+json'],
  ])('serves OpenAPI v3 of %s', async (path, operationId, mediaType) => {
    const { paths, components } = (await suite.http.get(`/openapi/v3/${path}`)).json;
    const { get: operation } = paths[`/${path}/`];
    expect(operation.operationId).toBe(operationId);
    expect(operation.responses[200].content).toEqual({ [mediaType]: { schema: { type: 'string' } } });
    expect(Object.keys(components)).toEqual(['securitySchemes']);
  });

  test('/apis/ is never aggregated', async () => {
    const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    const { json } = await get('/apis/', `${aggregated},application/json`);
    expect(json).toEqual((await suite.http.get('/apis')).json);
    expect((await get('/apis/', aggregated)).status).toBe(406);
  });

  test('aggregated discovery is negotiated and has an ETag', async () => {
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    const { json, headers } = await get('/apis', accept);
    expect(headers['content-type']).toBe('application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList');
    expect(json).toMatchObject({ kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2' });
    const again = await suite.http.get('/apis', { headers: { accept, 'if-none-match': String(headers.etag) } });
    expect(again.status).toBe(304);
    expect((await suite.http.get('/apis')).json.kind).toBe('APIGroupList');
  });
});
