import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WriteFixture } from '../../support/write-fixture.ts';

const apps = '/apis/apps/v1/namespaces/default';
const more = (field: string, value: number, than: string): string =>
  `status.${field}: Invalid value: ${value}: cannot be greater than ${than}`;
const negative = (field: string): string => `status.${field}: Invalid value: -1: must be greater than or equal to 0`;

describe('the counts of a status', () => {
  let fixture: WriteFixture;

  const workload = (replaced: object = {}): object => ({
    metadata: { name: 'w' },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      ...replaced,
    },
  });

  beforeAll(async () => {
    fixture = await WriteFixture.open();
    for (const plural of ['deployments', 'replicasets', 'statefulsets', 'daemonsets']) {
      expect((await fixture.create(`${apps}/${plural}`, workload())).status).toBe(201);
    }
    const controllers = '/api/v1/namespaces/default/replicationcontrollers';
    expect((await fixture.create(controllers, workload({ selector: { a: 'b' } }))).status).toBe(201);
  });
  afterAll(() => fixture.close());

  test.each([
    [`${apps}/deployments`, { updatedReplicas: 1 }, [more('updatedReplicas', 1, 'status.replicas')]],
    [`${apps}/deployments`, { replicas: 2, availableReplicas: 1 }, [more('availableReplicas', 1, 'readyReplicas')]],
    [`${apps}/deployments`, { replicas: -1 }, [negative('replicas')]],
    [`${apps}/replicasets`, { replicas: 1, readyReplicas: 2 }, [more('readyReplicas', 2, 'status.replicas')]],
    [`${apps}/statefulsets`, { replicas: 1, availableReplicas: 1 }, [more('availableReplicas', 1, 'status.readyReplicas')]],
    [`${apps}/daemonsets`, { numberReady: -1 }, [negative('numberReady')]],
    [
      '/api/v1/namespaces/default/replicationcontrollers',
      { fullyLabeledReplicas: 1 },
      [more('fullyLabeledReplicas', 1, 'status.replicas')],
    ],
  ])('%s %j', async (path, status, messages) => {
    const { status: code, json } = await fixture.patch('merge', `${path}/w/status`, { status });
    expect(code).toBe(422);
    for (const message of messages) expect(json.message).toContain(message);
  });

  test('that are consistent are accepted', async () => {
    const status = { replicas: 2, updatedReplicas: 2, readyReplicas: 1, availableReplicas: 1, unavailableReplicas: 1 };
    const { status: code, json } = await fixture.patch('merge', `${apps}/deployments/w/status`, { status });
    expect([code, json.status]).toEqual([200, status]);
  });
});

describe('the resourceVersion of a PUT', () => {
  let fixture: WriteFixture;
  const path = '/api/v1/namespaces/default/configmaps';
  beforeAll(async () => {
    fixture = await WriteFixture.open();
    await fixture.create(path, { metadata: { name: 'a' } });
  });
  afterAll(() => fixture.close());

  test.each([
    ['x', 500, 'strconv.ParseUint: parsing "x": invalid syntax'],
    ['-1', 500, 'strconv.ParseUint: parsing "-1": invalid syntax'],
    [
      '1',
      409,
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    ],
  ])('%s', async (resourceVersion, code, message) => {
    const { status, json } = await fixture.put(`${path}/a`, { metadata: { name: 'a', resourceVersion } });
    expect([status, json.message]).toEqual([code, message]);
  });

  test('0 counts as unset', async () => {
    expect((await fixture.put(`${path}/a`, { metadata: { name: 'a', resourceVersion: '0' } })).status).toBe(200);
  });

  test('a body without a name gets the one in the URL', async () => {
    const { status, json } = await fixture.put(`${path}/a`, {});
    expect([status, json.message]).toEqual([400, 'the name of the object (a based on URL) was undeterminable: name must be provided']);
  });
});
