import { describe, expect, test } from '@jest/globals';
import { OpenApiV2Encoder } from '../../../../runtime/endpoints/discovery/openapi-protobuf.ts';
import { rootMembers, rootOperations } from '../../../../runtime/endpoints/discovery/openapi-roots.ts';
import { joinV2, type V2Document, writeV2 } from '../../../../runtime/endpoints/discovery/openapi-v2.ts';
import type { OpenApiMembers } from '../../../../runtime/machinery/catalog.ts';
import { TimeSlice } from '../../../../runtime/machinery/event-loop/yield.ts';

const part = (name: string, description: string): OpenApiMembers => ({
  paths: new Map([[`/apis/${name}`, JSON.stringify({ get: { description, responses: { 401: { description } } } })]]),
  schemas: new Map([[name, JSON.stringify({ type: 'object', description, 'x-kubernetes-kind': [name] })]]),
});

const head = { openapi: '3.0.0', info: { title: 'Kubernetes', version: 'unversioned' }, securitySchemes: {} };
const join = (...parts: OpenApiMembers[]): Promise<V2Document> => joinV2(head, [], parts, new TimeSlice());

describe('the OpenAPI v2 document', () => {
  test('has its definitions by name, and the first of two with one name', async () => {
    const document = await join(part('b', 'first'), part('a', 'é'), part('b', 'second'));
    expect((await writeV2(document, new TimeSlice())).toString()).toBe(
      '{"swagger":"2.0","info":{"title":"Kubernetes","version":"unversioned"},' +
        '"paths":{"/apis/a":{"get":{"description":"é","responses":{"401":{"description":"é"}}}},' +
        '"/apis/b":{"get":{"description":"first","responses":{"401":{"description":"first"}}}}},' +
        '"definitions":{"a":{"type":"object","description":"é","x-kubernetes-kind":["a"]},' +
        '"b":{"type":"object","description":"first","x-kubernetes-kind":["b"]}}}',
    );
    expect((await writeV2(await join(), new TimeSlice())).toString()).toBe(
      '{"swagger":"2.0","info":{"title":"Kubernetes","version":"unversioned"},"paths":{},"definitions":{}}',
    );
  });

  test('has shared parameters once, and what the head says about credentials', async () => {
    const shared = { ...part('a', ''), parameters: new Map([['limit-x', '{"name":"limit","in":"query"}']]) };
    const document = await joinV2({ ...head, securitySchemes: { T: {} } }, [], [shared, shared], new TimeSlice());
    expect(JSON.parse((await writeV2(document, new TimeSlice())).toString())).toMatchObject({
      parameters: { 'limit-x': { name: 'limit', in: 'query' } },
      securityDefinitions: { T: {} },
      security: [{ T: [] }],
    });
  });

  test('has the operations of what is no group-version', () => {
    const { paths, schemas } = rootMembers(rootOperations(['', 'apps']));
    const roots = ['/api/', '/apis/apps/', '/apis/', '/version/', '/.well-known/openid-configuration/'];
    expect([...paths.keys()]).toEqual([...roots, '/openid/v1/jwks/']);
    const mediaTypes = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
    expect(JSON.parse(paths.get('/apis/apps/') ?? '')).toEqual({
      get: {
        consumes: mediaTypes,
        produces: mediaTypes,
        schemes: ['https'],
        tags: ['apps'],
        operationId: 'getAppsAPIGroup',
        responses: {
          200: { description: 'OK', schema: { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.APIGroup' } },
          401: { description: 'Unauthorized' },
        },
      },
    });
    const group = JSON.parse(schemas.get('io.k8s.apimachinery.pkg.apis.meta.v1.APIGroup') ?? '');
    expect(group.properties).toMatchObject({
      name: { type: 'string' },
      preferredVersion: { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.GroupVersionForDiscovery' },
    });
    expect(JSON.stringify([...schemas.values()])).not.toContain('default');
  });

  test('in protobuf is the same after changes as if built from scratch', async () => {
    const states = [
      [part('a', 'one')],
      [part('a', 'one'), part('c', 'three'), part('b', 'two')],
      [part('a', 'changed'), part('c', 'three')],
      [],
    ];
    const encoder = new OpenApiV2Encoder();
    for (const parts of states) {
      const document = await join(...parts);
      const fresh = await new OpenApiV2Encoder().encode(document, new TimeSlice());
      expect((await encoder.encode(document, new TimeSlice())).equals(fresh)).toBe(true);
    }
  });

  test('yields to the event loop while a long one is built', async () => {
    const many = Array.from({ length: 400 }, (_, index) => part(`kind-${index}`, 'x'.repeat(20_000)));
    const document = await join(...many);
    let turns = 0;
    let counting = true;
    const count = (): void => {
      turns++;
      if (counting) setImmediate(count);
    };
    setImmediate(count);
    await writeV2(document, new TimeSlice());
    await new OpenApiV2Encoder().encode(document, new TimeSlice());
    counting = false;
    expect(turns).toBeGreaterThan(2);
  });
});
