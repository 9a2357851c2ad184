import { describe, expect, test } from '@jest/globals';
import { TestServer } from '../../support/test-server.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const suite = TestServer.forSuite();

const post = (path: string, body: object) => suite.http.send('POST', path, JSON.stringify(body), 'application/json');
const put = (path: string, body: object) => suite.http.send('PUT', path, JSON.stringify(body), 'application/json');
const patch = (path: string, type: string, body: unknown) =>
  suite.http.send('PATCH', path, typeof body === 'string' ? body : JSON.stringify(body), `application/${type}`);

const deployment = (name: string) => ({
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'a', image: 'a:1', env: [{ name: 'X', value: '1' }] }] },
    },
  },
});

describe('patches', () => {
  test('a JSON patch with a failing test changes nothing', async () => {
    await post(maps, { metadata: { name: 'tested' }, data: { a: '1' } });
    const response = await patch(`${maps}/tested`, 'json-patch+json', [
      { op: 'replace', path: '/data/a', value: '2' },
      { op: 'test', path: '/data/a', value: '1' },
    ]);
    expect(response).toMatchObject({ status: 422, json: { reason: 'Invalid' } });
    expect((await suite.http.get(`${maps}/tested`)).json.data).toEqual({ a: '1' });
  });

  test('a merge patch removes members that are null', async () => {
    await post(maps, { metadata: { name: 'merged' }, data: { a: '1', b: '2' } });
    const { json } = await patch(`${maps}/merged`, 'merge-patch+json', { data: { a: null, c: '3' } });
    expect(json.data).toEqual({ b: '2', c: '3' });
  });

  test('a strategic patch merges lists by their keys', async () => {
    await post(deployments, deployment('strategic'));
    const { json } = await patch(`${deployments}/strategic`, 'strategic-merge-patch+json', {
      spec: {
        template: {
          spec: {
            containers: [
              { name: 'b', image: 'b:1' },
              { name: 'a', env: [{ name: 'Y', value: '2' }] },
            ],
          },
        },
      },
    });
    const containers = json.spec.template.spec.containers;
    expect(containers.map(({ name }: { name: string }) => name).sort()).toEqual(['a', 'b']);
    const a = containers.find(({ name }: { name: string }) => name === 'a');
    expect(a.env.map(({ name }: { name: string }) => name).sort()).toEqual(['X', 'Y']);
    expect(json.metadata.generation).toBe(2);
  });

  test('a patch that changes nothing keeps the version', async () => {
    const made = await post(maps, { metadata: { name: 'same' }, data: { a: '1' } });
    const { json } = await patch(`${maps}/same`, 'merge-patch+json', { data: { a: '1' } });
    expect(json.metadata.resourceVersion).toBe(made.json.metadata.resourceVersion);
  });

  test('a patch of an old version is a conflict', async () => {
    const made = await post(maps, { metadata: { name: 'old' } });
    await patch(`${maps}/old`, 'merge-patch+json', { data: { a: '1' } });
    const { resourceVersion } = made.json.metadata;
    const response = await patch(`${maps}/old`, 'merge-patch+json', {
      metadata: { resourceVersion },
      data: { a: '2' },
    });
    expect(response).toMatchObject({ status: 409, json: { reason: 'Conflict' } });
  });

  test.each([
    ['an unknown type', 'text/plain', '{}', 415],
    ['invalid JSON', 'application/merge-patch+json', '{', 400],
    ['a list', 'application/merge-patch+json', '[]', 400],
    ['an object in place of a list', 'application/json-patch+json', '{}', 400],
    ['another name', 'application/merge-patch+json', '{"metadata":{"name":"other"}}', 400],
    ['another namespace', 'application/merge-patch+json', '{"metadata":{"namespace":"other"}}', 400],
    ['another uid', 'application/merge-patch+json', '{"metadata":{"uid":"other"}}', 422],
    ['a field of the wrong type', 'application/merge-patch+json', '{"data":{"a":1}}', 422],
  ])('%s is rejected', async (_name, type, body, status) => {
    await post(maps, { metadata: { name: 'rejected' } });
    const response = await suite.http.send('PATCH', `${maps}/rejected`, body, type);
    expect({ status: response.status, kind: response.json?.kind }).toEqual({ status, kind: 'Status' });
  });

  test('a hundred concurrent patches of one object all succeed', async () => {
    await post(maps, { metadata: { name: 'busy' } });
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, i) => patch(`${maps}/busy`, 'merge-patch+json', { data: { [`k${i}`]: 'x' } })),
    );
    expect(responses.every(({ status }) => status === 200)).toBe(true);
    expect(Object.keys((await suite.http.get(`${maps}/busy`)).json.data)).toHaveLength(100);
  });
});

describe('field validation', () => {
  const body = '{"metadata":{"name":"strict"},"data":{"a":"1","a":"2"},"extra":1}';

  test('Strict lists every problem', async () => {
    const response = await suite.http.send('POST', `${maps}?fieldValidation=Strict&dryRun=All`, body, 'application/json');
    expect(response.status).toBe(400);
    expect(response.json.message).toBe(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: duplicate field "data.a", unknown field "extra"',
    );
  });

  test('Warn warns of each', async () => {
    const response = await suite.http.send('POST', `${maps}?dryRun=All`, body, 'application/json');
    expect(response.status).toBe(201);
    expect(String(response.headers.warning)).toContain('299 - "unknown field \\"extra\\""');
  });

  test('Ignore reports none', async () => {
    const response = await suite.http.send('POST', `${maps}?fieldValidation=Ignore&dryRun=All`, body, 'application/json');
    expect(response.headers.warning).toBeUndefined();
  });
});

describe('deleting', () => {
  test('returns a Status, or the object, by kind', async () => {
    await post(maps, { metadata: { name: 'gone' } });
    const { json } = await suite.http.send('DELETE', `${maps}/gone`);
    expect(json).toMatchObject({
      kind: 'Status',
      status: 'Success',
      details: { name: 'gone', kind: 'configmaps', uid: expect.any(String) },
    });
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await post(accounts, { metadata: { name: 'gone' } });
    expect((await suite.http.send('DELETE', `${accounts}/gone`)).json.kind).toBe('ServiceAccount');
  });

  test('reads its options from the body or the query, and rejects invalid ones', async () => {
    await post(maps, { metadata: { name: 'held' } });
    const bad = await suite.http.send('DELETE', `${maps}/held?propagationPolicy=Sometimes`);
    expect(bad.status).toBe(422);
    const options = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Foreground' };
    const body = JSON.stringify(options);
    // Node does not frame the body of a DELETE automatically
    const headers = { 'content-length': String(body.length) };
    const held = await suite.http.send('DELETE', `${maps}/held`, body, 'application/json', { headers });
    expect(held.json.metadata.finalizers).toEqual(['foregroundDeletion']);
  });

  test('a collection deletes the selected objects', async () => {
    for (const name of ['x1', 'x2', 'y1']) {
      await post(maps, { metadata: { name, labels: { set: name[0] } } });
    }
    const { json } = await suite.http.send('DELETE', `${maps}?labelSelector=set%3Dx`);
    expect(json.items).toHaveLength(2);
    expect((await suite.http.get(`${maps}?labelSelector=set`)).json.items).toHaveLength(1);
  });
});

describe('subresources', () => {
  test('status is written separately', async () => {
    await post(deployments, deployment('status'));
    const { json } = await suite.http.get(`${deployments}/status/status`);
    json.status = { replicas: 3 };
    json.spec.replicas = 9;
    const written = await put(`${deployments}/status/status`, json);
    expect(written.json).toMatchObject({ spec: { replicas: 1 }, status: { replicas: 3 }, metadata: { generation: 1 } });
  });

  test('scale is read and written', async () => {
    await post(deployments, deployment('scaled'));
    const path = `${deployments}/scaled/scale`;
    const { json } = await suite.http.get(path);
    expect(json).toMatchObject({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      spec: { replicas: 1 },
      status: { replicas: 0, selector: 'app=scaled' },
    });
    expect((await put(path, { ...json, spec: { replicas: 4 } })).json.spec).toEqual({ replicas: 4 });
    expect((await patch(path, 'merge-patch+json', { spec: { replicas: 5 } })).json.spec).toEqual({ replicas: 5 });
    expect((await put(path, { ...json, spec: { replicas: -1 } })).status).toBe(422);
    expect((await patch(path, 'merge-patch+json', { spec: { replicas: -1 } })).status).toBe(422);
  });

  test('connecting to a node fails without one, but for an empty log', async () => {
    const pods = '/api/v1/namespaces/default/pods';
    await post(pods, { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } });
    expect((await suite.http.get(`${pods}/p/exec?command=x`)).json).toMatchObject({ kind: 'Status', code: 400 });
    const { status, body } = await suite.http.get(`${pods}/p/log`);
    expect([status, String(body)]).toEqual([204, '']);
  });
});
