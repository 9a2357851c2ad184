import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { startServer } from '../../../../runtime/index.ts';
import { HttpClient, type HttpResponse } from '../../../support/http-client.ts';
import { review, testGroup } from '../../../support/test-group.ts';
import { TestServer } from '../../../support/test-server.ts';
import { withoutIdentity } from '../../../support/without-identity.ts';

const json = 'application/json';

describe('a Snapshot', () => {
  const suite = TestServer.forSuite({ ...withoutIdentity, testControls: true });
  const maps = '/api/v1/namespaces/default/configmaps';
  const snapshots = `${testGroup}/snapshots`;
  const post = (path: string, object: object) => suite.http.send('POST', path, JSON.stringify(object), json);
  const namesOfMaps = async (): Promise<string[]> =>
    (await suite.http.get(maps)).json.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);

  test('comes back, and the state in which the server became ready', async () => {
    await post(maps, { metadata: { name: 'kept' } });
    const before = suite.server.revision();
    const taken = await post(snapshots, { metadata: { name: 'one' } });
    expect([taken.status, taken.json.status]).toEqual([201, { revision: before, objects: expect.any(Number) }]);
    expect(suite.server.revision()).toBe(before);
    await post(maps, { metadata: { name: 'lost' } });
    await suite.http.send('DELETE', `${maps}/kept`, '{}', json);
    const restored = await review(suite.http, 'snapshotrestores', { snapshot: 'one' });
    expect([restored.status, restored.json.status]).toEqual([201, { revision: suite.server.revision() }]);
    expect(await namesOfMaps()).toEqual(['kept', 'kube-root-ca.crt']);
    await review(suite.http, 'snapshotrestores', {});
    expect(await namesOfMaps()).toEqual(['kube-root-ca.crt']);
    expect((await suite.http.get(`${snapshots}/one`)).json.status).toEqual(taken.json.status);
    await review(suite.http, 'snapshotrestores', { snapshot: 'one' });
    expect(await namesOfMaps()).toEqual(['kept', 'kube-root-ca.crt']);
    await review(suite.http, 'snapshotrestores', { snapshot: 'fresh', watches: 'Expire' });
    expect(await namesOfMaps()).toEqual(['kube-root-ca.crt']);
  });

  test.each([
    ['absent', {}, 201],
    ['null', { spec: null }, 201],
    ['empty', { spec: {} }, 201],
    ['with a field', { spec: { snapshot: 'one' } }, 422],
  ])('may have a spec that is %s', async (title, fields, want) => {
    const metadata = { name: `spec-${title.replaceAll(' ', '-')}` };
    expect((await post(snapshots, { metadata, ...fields })).status).toBe(want);
  });

  test('is gone once it is deleted', async () => {
    await post(snapshots, { metadata: { name: 'two' } });
    expect((await suite.http.send('DELETE', `${snapshots}/two`, '{}', json)).status).toBe(200);
    const { status, json: error } = await review(suite.http, 'snapshotrestores', { snapshot: 'two' });
    expect([status, error.message]).toEqual([422, 'SnapshotRestore.testing.kubeloom.dev "" is invalid: spec.snapshot: Not found: "two"']);
  });

  test('has another name than the state in which the server became ready', async () => {
    const { status, json: error } = await post(snapshots, { metadata: { name: 'fresh' } });
    expect([status, error.details.causes]).toEqual([
      422,
      [{ field: 'metadata.name', reason: 'FieldValueForbidden', message: expect.any(String) }],
    ]);
  });

  test('is not taken by a dry run', async () => {
    expect((await suite.http.send('POST', `${snapshots}?dryRun=All`, '{"metadata":{"name":"dry"}}', json)).status).toBe(201);
    expect((await review(suite.http, 'snapshotrestores', { snapshot: 'dry' })).status).toBe(422);
  });
});

describe('a ServerFork', () => {
  const suite = TestServer.forSuite({ testControls: true });
  const forks = `${testGroup}/serverforks`;
  const maps = '/api/v1/namespaces/default/configmaps';
  const post = (http: HttpClient, path: string, object: object) => http.send('POST', path, JSON.stringify(object), json);
  const fork = (name: string, spec?: object) => post(suite.http, forks, { metadata: { name }, spec });
  const clientOf = ({ json: { status } }: HttpResponse): HttpClient => {
    const { caCertificate, clientCertificate, clientKey } = suite.server;
    return HttpClient.for({ url: status.server, caCertificate, clientCertificate, clientKey });
  };
  const remove = (name: string) => suite.http.send('DELETE', `${forks}/${name}`, '{}', json);

  test('is a server of its own until it is deleted, with the state of a Snapshot', async () => {
    await post(suite.http, `${testGroup}/snapshots`, { metadata: { name: 'empty' } });
    await post(suite.http, maps, { metadata: { name: 'shared' } });
    const [now, before] = [await fork('now'), await fork('before', { snapshot: 'empty' })];
    expect([now.status, now.json.status]).toEqual([201, { server: expect.any(String), kubeconfig: expect.any(String) }]);
    expect(now.json.status.kubeconfig).toContain(now.json.status.server);
    const [one, other] = [clientOf(now), clientOf(before)];
    try {
      expect((await one.get(`${maps}/shared`)).status).toBe(200);
      expect((await other.get(`${maps}/shared`)).status).toBe(404);
      expect((await post(one, maps, { metadata: { name: 'own' } })).status).toBe(201);
      expect((await suite.http.get(`${maps}/own`)).status).toBe(404);
      // a fork has its own controls
      expect((await one.get(forks)).json.items).toEqual([]);
      await review(one, 'snapshotrestores', {});
      expect((await one.get(`${maps}/own`)).status).toBe(404);
      expect((await suite.http.get(`${maps}/shared`)).status).toBe(200);
      expect((await remove('now')).status).toBe(200);
      await expect(one.get(maps)).rejects.toThrow();
      expect((await other.get(maps)).status).toBe(200);
    } finally {
      one.close();
      other.close();
    }
  });

  test.each([
    ['with an unknown Snapshot is invalid', () => fork('lost', { snapshot: 'absent' }), 'spec.snapshot: Not found: "absent"'],
    [
      'keeps its spec',
      async () => {
        await fork('kept');
        const patch = JSON.stringify({ spec: { snapshot: 'other' } });
        return suite.http.send('PATCH', `${forks}/kept`, patch, 'application/merge-patch+json');
      },
      'field is immutable',
    ],
  ])('%s', async (_, write, why) => {
    const { status, json: error } = await write();
    expect([status, error.message]).toEqual([422, expect.stringContaining(why)]);
  });
});

test('a store that keeps no snapshots cannot be forked', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kubeloom-test-group-'));
  const server = await startServer({ testControls: true, storage: 'lmdb', dataDir: folder });
  const http = HttpClient.for(server);
  try {
    for (const resource of ['snapshots', 'serverforks']) {
      const refused = await http.send('POST', `${testGroup}/${resource}`, '{"metadata":{"name":"one"}}', json);
      expect([refused.status, refused.json.message]).toEqual([400, expect.stringContaining('need --storage=memory')]);
    }
    const restored = await review(http, 'snapshotrestores', {});
    expect([restored.status, restored.json.message]).toEqual([400, expect.stringContaining('need --storage=memory')]);
  } finally {
    http.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
});
