import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { type RunningServer, startServer } from '../../runtime/index.ts';
import { HttpClient } from '../support/http-client.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const protobuf = 'application/vnd.kubernetes.protobuf';
const magic = Buffer.from('k8s\0');

describe('content types', () => {
  let server: RunningServer;
  let client: HttpClient;

  beforeAll(async () => {
    server = await startServer();
    client = HttpClient.for(server);
    const body = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: held, labels: {a: b}}\ndata: {text: "häll ö"}\n';
    const { status } = await client.send('POST', configMaps, body, 'application/yaml');
    expect(status).toBe(201);
  });

  afterAll(async () => {
    client?.close();
    await server?.close();
  });

  const get = (path: string, accept: string) => client.get(path, { headers: { accept } });

  test('an object is the same in JSON and in YAML', async () => {
    const asJson = await get(`${configMaps}/held`, 'application/json');
    const asYaml = await get(`${configMaps}/held`, 'application/yaml');
    expect(asYaml.headers['content-type']).toBe('application/yaml');
    expect(parse(asYaml.body.toString())).toEqual(asJson.json);
  });

  test('what is read as protobuf can be written as protobuf', async () => {
    const read = await get(`${configMaps}/held`, protobuf);
    expect(read.headers['content-type']).toBe(protobuf);
    expect(read.body.subarray(0, 4)).toEqual(magic);
    const written = await client.send('PUT', `${configMaps}/held`, read.body, protobuf, {
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
    ['application/*', 'application/json'],
    [`${protobuf},application/json`, protobuf],
    ['application/json;q=0.5,application/yaml;q=0.9', 'application/yaml'],
    ['text/csv,application/json;q=0.1', 'application/json'],
    ['application/json;as=Table;v=v1;g=meta.k8s.io,application/json', 'application/json'],
  ])('Accept: %s is answered with %s', async (accept, type) => {
    const { status, headers } = await get(`${configMaps}/held`, accept);
    expect([status, headers['content-type']]).toEqual([200, type]);
  });

  test('Table carries columns, cells and partial objects', async () => {
    const { json } = await get(configMaps, 'application/json;as=Table;v=v1;g=meta.k8s.io');
    expect(json).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1' });
    expect(json.columnDefinitions.map((column: { name: string }) => column.name)).toEqual(['Name', 'Data', 'Age']);
    expect(json.rows[0].cells.slice(0, 2)).toEqual(['held', 1]);
    expect(json.rows[0].object).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'held' } });
  });

  test('PartialObjectMetadataList has metadata and nothing else', async () => {
    const { json } = await get(configMaps, 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io');
    expect(json).toMatchObject({ kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' });
    expect(Object.keys(json.items[0]).sort()).toEqual(['apiVersion', 'kind', 'metadata']);
  });

  test('autoscaling v1 and v2 serve the same object', async () => {
    const path = (version: string): string =>
      `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
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
    expect((await client.send('POST', path('v1'), JSON.stringify(body), 'application/json')).status).toBe(201);
    const { json: v2 } = await client.get(`${path('v2')}/two-faced`);
    expect(v2.apiVersion).toBe('autoscaling/v2');
    expect(v2.spec.metrics).toEqual([
      { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
    ]);
    const { json: v1 } = await client.get(`${path('v1')}/two-faced`);
    expect(v1.spec.targetCPUUtilizationPercentage).toBe(70);
    expect(v1.metadata).toEqual(v2.metadata);
  });

  test('serves OpenAPI v3 at hashed paths, and v2 in JSON and protobuf', async () => {
    const { json: index } = await client.get('/openapi/v3');
    const address = index.paths['apis/apps/v1'].serverRelativeURL;
    expect(address).toMatch(/^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]{128}$/);
    const document = await client.get(address);
    expect(document.json.openapi).toBe('3.0.0');
    expect(document.headers.etag).toBeDefined();
    const again = await client.get('/openapi/v3/apis/apps/v1', {
      headers: { 'if-none-match': String(document.headers.etag) },
    });
    expect(again.status).toBe(304);
    const v2 = await client.get('/openapi/v2');
    expect(v2.json.swagger).toBe('2.0');
    expect(Object.keys(v2.json.definitions)).toContain('io.k8s.api.core.v1.Pod');
    const binary = await get('/openapi/v2', 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf');
    expect(binary.status).toBe(200);
    expect(binary.body.length).toBeGreaterThan(100_000);
  });

  test('aggregated discovery is negotiated and has an ETag', async () => {
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    const { json, headers } = await get('/apis', accept);
    expect(headers['content-type']).toBe('application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList');
    expect(json).toMatchObject({ kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2' });
    const again = await client.get('/apis', { headers: { accept, 'if-none-match': String(headers.etag) } });
    expect(again.status).toBe(304);
    expect((await client.get('/apis')).json.kind).toBe('APIGroupList');
  });
});
