import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WriteFixture } from '../../support/write-fixture.ts';

const root = '/api/v1/namespaces/default';

/** Upstream's conformance tests of patches, with their titles. */
describe('conformance', () => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await WriteFixture.open();
  });
  afterAll(() => fixture.close());

  test('Namespaces should patch a Namespace', async () => {
    await fixture.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'patched' } });
    const labels = { testLabel: 'testValue' };
    const patched = await fixture.patch('strategic', '/api/v1/namespaces/patched', { metadata: { labels } });
    expect([patched.status, patched.json.metadata.labels]).toEqual([200, { 'kubernetes.io/metadata.name': 'patched', ...labels }]);
  });

  test('Namespaces should apply changes to a namespace status', async () => {
    const at = '/api/v1/namespaces/status-of';
    await fixture.create('/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'status-of' },
    });
    const condition = { type: 'StatusPatch', status: 'True', reason: 'E2E', message: 'Patched by an e2e test' };
    const body = { metadata: { annotations: { patched: 'true' } }, status: { conditions: [condition] } };
    const patched = await fixture.patch('merge', `${at}/status`, body);
    expect(patched.json.metadata.annotations).toEqual({ patched: 'true' });
    expect(patched.json.status.conditions).toEqual([expect.objectContaining(condition)]);
    const next = patched.json;
    next.status.conditions.push({ ...condition, type: 'StatusUpdate' });
    const updated = await fixture.put(`${at}/status`, next);
    expect([updated.status, updated.json.status.phase, updated.json.status.conditions.length]).toEqual([200, 'Active', 2]);
  });

  test('ResourceQuota should apply changes to a resourcequota status', async () => {
    const spec = { hard: { cpu: '500m' } };
    const path = `${root}/resourcequotas`;
    await fixture.create(path, { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec });
    const patched = await fixture.patch('merge', `${path}/q/status`, {
      spec: { hard: null },
      status: { hard: { cpu: '1' } },
    });
    expect([patched.json.status.hard, patched.json.spec]).toEqual([{ cpu: '1' }, spec]);
    const put = await fixture.put(`${path}/q/status`, { ...patched.json, spec: {}, status: { hard: { cpu: '2' } } });
    expect([put.json.status.hard, put.json.spec]).toEqual([{ cpu: '2' }, spec]);
  });

  test('Secrets should patch a secret', async () => {
    const path = `${root}/secrets`;
    const metadata = { name: 's', labels: { testsecret: 'true' } };
    await fixture.create(path, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata,
      type: 'Opaque',
      data: { key: 'dmFsdWU=' },
    });
    const body = { metadata: { labels: { 'testsecret-constant': 'true' } }, data: { key: 'dmFsdWUx' } };
    const { json } = await fixture.patch('strategic', `${path}/s`, body);
    expect([json.metadata.labels, json.data]).toEqual([{ testsecret: 'true', 'testsecret-constant': 'true' }, { key: 'dmFsdWUx' }]);
  });

  test('ServiceAccounts should run through the lifecycle of a ServiceAccount', async () => {
    const path = `${root}/serviceaccounts`;
    await fixture.create(path, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'sa' } });
    const { json } = await fixture.patch('strategic', `${path}/sa`, { automountServiceAccountToken: false });
    expect(json.automountServiceAccountToken).toBe(false);
    expect((await fixture.remove(`${path}/sa`)).status).toBe(200);
  });

  test('Events should be patched', async () => {
    const path = `${root}/events`;
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e' },
      involvedObject: { namespace: 'default', kind: 'Pod', name: 'p' },
      message: 'first',
      type: 'Normal',
    };
    await fixture.create(path, event);
    const { json } = await fixture.patch('strategic', `${path}/e`, { message: 'second' });
    expect([json.message, json.type]).toEqual(['second', 'Normal']);
  });

  test('PriorityClass endpoints can be operated with different HTTP methods', async () => {
    const path = '/apis/scheduling.k8s.io/v1/priorityclasses';
    const body = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'p' }, value: 7 };
    const made = await fixture.create(path, body);
    expect((await fixture.put(`${path}/p`, { ...made.json, description: 'updated' })).json.description).toBe('updated');
    const rejected = await fixture.put(`${path}/p`, { ...made.json, metadata: body.metadata, value: 8 });
    expect([rejected.status, rejected.json.message]).toEqual([
      422,
      expect.stringContaining('value: Forbidden: may not be changed in an update.'),
    ]);
    expect((await fixture.patch('merge', `${path}/p`, { description: 'patched' })).json.description).toBe('patched');
  });
});
