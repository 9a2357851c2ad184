import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ownersOf, WriteFixture } from '../../support/write-fixture.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';

const workload = (name: string, replicas?: number) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    ...(replicas === undefined ? {} : { replicas }),
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
  },
});

const scale = (name: string, replicas: number, rest: object = {}) => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name, ...rest },
  spec: { replicas },
});

describe('scale', () => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await WriteFixture.open();
  });
  afterAll(() => fixture.close());

  const kinds: [string, string, object][] = [
    ['/apis/apps/v1', 'deployments', workload('all', 1)],
    ['/apis/apps/v1', 'replicasets', { ...workload('all', 1), kind: 'ReplicaSet' }],
    [
      '/apis/apps/v1',
      'statefulsets',
      { ...workload('all', 1), kind: 'StatefulSet', spec: { ...workload('all', 1).spec, serviceName: 's' } },
    ],
    [
      '/api/v1',
      'replicationcontrollers',
      {
        ...workload('all', 1),
        apiVersion: 'v1',
        kind: 'ReplicationController',
        spec: { ...workload('all', 1).spec, selector: { app: 'all' } },
      },
    ],
  ];

  test.each(kinds)('%s %s: read, replaced, patched and applied, with its selector', async (root, resource, object) => {
    const path = `${root}/namespaces/default/${resource}`;
    await fixture.create(`${path}?fieldManager=maker`, object);
    const at = `${path}/all/scale`;
    const read = await fixture.get(at);
    expect(read.json).toMatchObject({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      spec: { replicas: 1 },
      status: { replicas: 0, selector: 'app=all' },
    });
    expect(read.json.metadata.managedFields).toBeUndefined();
    expect((await fixture.put(`${at}?fieldManager=a`, scale('all', 2))).json.spec.replicas).toBe(2);
    expect((await fixture.patch('merge', `${at}?fieldManager=b`, { spec: { replicas: 3 } })).json.spec.replicas).toBe(3);
    expect((await fixture.patch('strategic', `${at}?fieldManager=c`, { spec: { replicas: 4 } })).json.spec.replicas).toBe(4);
    const applied = await fixture.patch('apply', `${at}?fieldManager=d&force=true`, scale('all', 5));
    expect([applied.status, applied.json.spec.replicas]).toEqual([200, 5]);
    expect(ownersOf((await fixture.get(`${path}/all`)).json)).toEqual(['d Apply scale', 'maker Update']);
  });

  test('writing the replicas takes ownership of the field', async () => {
    await fixture.create(`${deployments}?fieldManager=maker`, workload('hands', 1));
    await fixture.put(`${deployments}/hands/scale?fieldManager=scaler`, scale('hands', 3));
    const { json } = await fixture.get(`${deployments}/hands`);
    // the scale's entry has no time, and comes first
    const [scaler, maker] = json.metadata.managedFields;
    expect(maker.fieldsV1['f:spec']['f:replicas']).toBeUndefined();
    expect(scaler).toMatchObject({
      manager: 'scaler',
      operation: 'Update',
      apiVersion: 'apps/v1',
      subresource: 'scale',
      fieldsV1: { 'f:spec': { 'f:replicas': {} } },
    });
    expect(json.metadata.generation).toBe(2);
  });

  test('a conflict names the owner of the field, and force takes the field', async () => {
    await fixture.patch('apply', `${deployments}/fight?fieldManager=one`, workload('fight', 1));
    const rejected = await fixture.patch('apply', `${deployments}/fight/scale?fieldManager=two`, scale('fight', 2));
    expect(rejected.json).toMatchObject({
      code: 409,
      message: 'Apply failed with 1 conflict: conflict with "one": .spec.replicas',
    });
    const forced = await fixture.patch('apply', `${deployments}/fight/scale?fieldManager=two&force=true`, scale('fight', 2));
    expect(forced.status).toBe(200);
    expect(ownersOf((await fixture.get(`${deployments}/fight`)).json)).toEqual(['two Apply scale', 'one Apply']);
    const back = await fixture.patch('apply', `${deployments}/fight?fieldManager=one`, workload('fight', 1));
    expect(back.json.message).toBe('Apply failed with 1 conflict: conflict with "two" with subresource "scale": .spec.replicas');
  });

  test('of an absent object is NotFound', async () => {
    const response = await fixture.patch('apply', `${deployments}/none/scale?fieldManager=a`, scale('none', 1));
    expect([response.status, response.json.message]).toEqual([404, 'deployments.apps "none" not found']);
  });

  test.each<[string, number, object, number, string]>([
    [
      'negative replicas',
      -1,
      {},
      422,
      'Scale.autoscaling "wrong" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      'another uid',
      1,
      { uid: 'other' },
      409,
      'Operation cannot be fulfilled on deployments.apps "wrong": StorageError: invalid object, Code: 4, Key: /registry/deployments/default/wrong, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other',
    ],
    [
      'an old version',
      1,
      { resourceVersion: '1' },
      409,
      'Operation cannot be fulfilled on deployments.apps "wrong": the object has been modified; please apply your changes to the latest version and try again',
    ],
  ])('rejects %s', async (_what, replicas, metadata, code, message) => {
    await fixture.create(deployments, workload('wrong', 1));
    const response = await fixture.put(`${deployments}/wrong/scale`, scale('wrong', replicas, metadata));
    expect([response.status, response.json.message]).toEqual([code, expect.stringContaining(message)]);
  });

  test('a dry run returns the resulting scale', async () => {
    await fixture.create(deployments, workload('dry', 1));
    const response = await fixture.put(`${deployments}/dry/scale?dryRun=All`, scale('dry', 7));
    expect([response.status, response.json.spec.replicas]).toEqual([200, 7]);
    expect((await fixture.get(`${deployments}/dry/scale`)).json.spec.replicas).toBe(1);
  });
});
