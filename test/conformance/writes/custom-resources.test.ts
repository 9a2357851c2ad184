import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { storages } from '../../support/object-fixture.ts';
import { ownersOf, WriteFixture } from '../../support/write-fixture.ts';

const text = { type: 'string' };
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'boxes.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'boxes', singular: 'box', kind: 'Box', listKind: 'BoxList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  replicas: { type: 'integer' },
                  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                  ports: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['port', 'protocol'],
                    items: {
                      type: 'object',
                      required: ['port'],
                      properties: { port: { type: 'integer' }, protocol: { ...text, default: 'TCP' }, name: text },
                    },
                  },
                },
              },
              status: { type: 'object', properties: { replicas: { type: 'integer' } } },
            },
          },
        },
      },
    ],
  },
};
const boxes = '/apis/example.com/v1/namespaces/default/boxes';
const box = (name: string, spec: object, rest: object = {}) => ({
  apiVersion: 'example.com/v1',
  kind: 'Box',
  metadata: { name },
  spec,
  ...rest,
});

describe.each(storages)('writes of custom resources, %s', (storage) => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await WriteFixture.open({ storage });
    const made = await fixture.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
    expect(made.status).toBe(201);
    await fixture.served(boxes);
  });
  afterAll(() => fixture.close());

  test('strategic merge patch is not supported', async () => {
    await fixture.create(boxes, box('a', { replicas: 1 }));
    expect((await fixture.patch('strategic', `${boxes}/a`, {})).json).toMatchObject({
      code: 415,
      message:
        'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    });
    expect((await fixture.patch('merge', `${boxes}/a`, { spec: { replicas: 2 } })).json.spec.replicas).toBe(2);
  });

  test('apply follows the schema', async () => {
    const spec = { ports: [{ port: 80, name: 'web' }], free: { any: { thing: 1 } } };
    const { json } = await fixture.patch('apply', `${boxes}/applied?fieldManager=one`, box('applied', spec));
    expect(json.spec.ports).toEqual([{ port: 80, protocol: 'TCP', name: 'web' }]);
    expect(json.metadata.managedFields[0].fieldsV1).toEqual({
      'f:spec': {
        'f:free': { 'f:any': { '.': {}, 'f:thing': {} } },
        'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:name': {}, 'f:port': {} } },
      },
    });
    const other = { ports: [{ port: 80, protocol: 'UDP' }] };
    const two = await fixture.patch('apply', `${boxes}/applied?fieldManager=two`, box('applied', other));
    expect(two.json.spec.ports).toHaveLength(2);
    const unknown = await fixture.patch('apply', `${boxes}/applied?fieldManager=two`, box('applied', { nope: 1 }));
    expect([unknown.status, unknown.json.message]).toEqual([500, expect.stringContaining('.spec.nope: field not declared in schema')]);
    const again = await fixture.patch('apply', `${boxes}/applied?fieldManager=two`, box('applied', other));
    expect(again.json).toEqual(two.json);
  });

  test('the status and the scale have their own managed fields', async () => {
    await fixture.patch('apply', `${boxes}/owned?fieldManager=one`, box('owned', { replicas: 1 }, { status: { replicas: 9 } }));
    const status = box('owned', { replicas: 7 }, { status: { replicas: 1 } });
    await fixture.patch('apply', `${boxes}/owned/status?fieldManager=two`, status);
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'owned' }, spec: { replicas: 3 } };
    const rejected = await fixture.patch('apply', `${boxes}/owned/scale?fieldManager=three`, scale);
    expect(rejected.json.message).toBe('Apply failed with 1 conflict: conflict with "one": .spec.replicas');
    await fixture.put(`${boxes}/owned/scale?fieldManager=three`, scale);
    const { json } = await fixture.get(`${boxes}/owned`);
    expect([json.spec.replicas, json.status.replicas, json.metadata.generation]).toEqual([3, 1, 2]);
    expect(ownersOf(json).sort()).toEqual(['three Update scale', 'two Apply status']);
  });

  test('a scale that was never set must be set', async () => {
    await fixture.create(boxes, box('unset', {}));
    const { json } = await fixture.patch('merge', `${boxes}/unset/scale`, { metadata: { labels: {} } });
    expect([json.code, json.message]).toEqual([400, 'the spec replicas field ".spec.replicas" cannot be empty']);
    expect((await fixture.patch('merge', `${boxes}/unset/scale`, { spec: { replicas: 2 } })).json.spec.replicas).toBe(2);
  });
});
