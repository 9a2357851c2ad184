import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Authorizer } from '../../../runtime/authorization/authorizer.ts';
import { type RunningServer, startServer } from '../../../runtime/index.ts';
import { openLmdbEngine } from '../../../runtime/storage/lmdb/lmdb-engine.ts';
import { HttpClient } from '../../support/http-client.ts';
import { quietNamespaces } from '../../support/quiet-namespaces.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const option = 'ignoreStoreReadErrorWithClusterBreakingPotential';
const unsafe = { [option]: true };

/** Without the memory engine, whose contents do not outlive a server and cannot be corrupted. */
describe('objects whose stored bytes cannot be decoded', () => {
  let folder: string;
  let server: RunningServer;
  let client: HttpClient;
  let refuseUnsafe = false;
  const authorizer: Authorizer = {
    authorize: ({ verb }) =>
      refuseUnsafe && verb === 'unsafe-delete-ignore-read-errors'
        ? { decision: 'deny', reason: 'not for you' }
        : { decision: 'allow', reason: '' },
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'unreadable-'));
    const engine = await openLmdbEngine({ path: folder, unsafeNoFsync: true });
    for (const name of ['one', 'two', 'three', 'two-large']) {
      const value = Buffer.from('{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"');
      await engine.write({ type: 'put', key: `/registry/configmaps/default/${name}`, value, expect: 0 });
    }
    await engine.close();
  });
  afterAll(() => rm(folder, { recursive: true }));

  const open = async (gate: boolean): Promise<void> => {
    const featureGates = [`AllowUnsafeMalformedObjectDeletion=${gate}`];
    server = await startServer({
      ...quietNamespaces,
      storage: 'lmdb',
      dataDir: folder,
      unsafeNoFsync: true,
      featureGates,
      authorizer,
    });
    client = HttpClient.for(server);
    await client.send('POST', maps, '{"metadata":{"name":"fine"}}', 'application/json');
  };
  const close = async (): Promise<void> => {
    client.close();
    await server.close();
  };
  const remove = (path: string, options?: object) => client.send('DELETE', path, options && JSON.stringify(options), 'application/json');
  const corrupt = (name: string) =>
    expect.stringMatching(
      new RegExp(
        `^Internal error occurred: StorageError: corrupt object, Code: 7, Key: /registry/configmaps/default/${name}, ResourceVersion: 0, AdditionalErrorMsg: object not decodable revision=\\d+: `,
      ),
    );

  describe('with the gate disabled', () => {
    beforeAll(() => open(false));
    afterAll(close);

    test.each([
      ['GET', undefined],
      ['DELETE', undefined],
      ['DELETE', JSON.stringify(unsafe)],
      ['PUT', '{"metadata":{"name":"one"}}'],
      ['PATCH', '{"data":{"a":"b"}}'],
    ])('%s is a 500 with the reason (%s)', async (method, body) => {
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
      const { json } = await client.send(method, `${maps}/one`, body, body && type);
      expect(json).toMatchObject({ code: 500, reason: 'InternalError', message: corrupt('one') });
    });

    test.each([maps, '/api/v1/configmaps'])('a list that contains them is a 500 that names each: %s', async (path) => {
      const { json } = await client.get(path);
      expect(json).toMatchObject({
        code: 500,
        reason: 'StorageReadError',
        message: 'failed to read one or more configmaps from the storage',
        details: { name: 'list', kind: 'configmaps' },
      });
      expect(json.details.causes).toHaveLength(4);
      expect(json.details.causes[0]).toMatchObject({
        reason: 'UnexpectedServerResponse',
        field: '/registry/configmaps/default/one',
        message: expect.stringContaining('corrupt object'),
      });
    });

    test('other objects and lists of other namespaces can be read', async () => {
      expect((await client.get('/api/v1/namespaces/kube-system/configmaps')).status).toBe(200);
      expect((await client.get(`${maps}/fine`)).status).toBe(200);
      expect((await client.get(`${maps}?fieldSelector=metadata.name=fine`)).json.items).toHaveLength(1);
      expect((await client.get(`${maps}?fieldSelector=metadata.name=one`)).status).toBe(500);
    });

    test('their names are taken', async () => {
      const { json } = await client.send('POST', maps, '{"metadata":{"name":"one"}}', 'application/json');
      expect(json).toMatchObject({ code: 409, reason: 'AlreadyExists' });
    });
  });

  describe('with the gate enabled', () => {
    beforeAll(() => open(true));
    afterAll(close);

    test('a deletion without the option is rejected', async () => {
      expect((await remove(`${maps}/one`)).json).toMatchObject({ code: 500, message: corrupt('one') });
    });

    test.each([
      ['dryRun', { dryRun: ['All'] }],
      ['propagationPolicy', { propagationPolicy: 'Background' }],
      ['orphanDependents', { orphanDependents: true }],
      ['gracePeriodSeconds', { gracePeriodSeconds: 0 }],
      ['preconditions', { preconditions: { uid: 'u' } }],
    ])('the option cannot be combined with %s', async (name, others) => {
      expect((await remove(`${maps}/one`, { ...unsafe, ...others })).json).toMatchObject({
        code: 422,
        message: `DeleteOptions.meta.k8s.io "" is invalid: ${option}: Invalid value: true: cannot be set together with .${name}`,
      });
    });

    test.each(['fine', 'absent'])('the option is rejected for readable objects: %s', async (name) => {
      expect((await remove(`${maps}/${name}`, unsafe)).json).toMatchObject({
        code: 422,
        reason: 'Invalid',
        message: `configmaps "${name}" is invalid: ${option}: Invalid value: true: is exclusively used to delete corrupt object(s), try again by removing this option`,
      });
    });

    test('the option is rejected for collections', async () => {
      expect((await remove(maps, unsafe)).json).toMatchObject({
        code: 422,
        message: `DeleteOptions.meta.k8s.io "" is invalid: ${option}: Invalid value: true: is not allowed with DELETECOLLECTION, try again after removing the option`,
      });
    });

    test('the option needs its own permission', async () => {
      refuseUnsafe = true;
      const rejected = await remove(`${maps}/one`, unsafe);
      refuseUnsafe = false;
      expect(rejected.json).toMatchObject({
        code: 403,
        message: 'configmaps "one" is forbidden: not permitted to do "unsafe-delete-ignore-read-errors", reason: not for you',
      });
    });

    test('the option deletes them, in the body and in the query', async () => {
      expect((await remove(`${maps}/one`, unsafe)).json).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Success',
        details: { name: 'one', kind: 'ConfigMap' },
        code: 200,
      });
      expect((await client.get(`${maps}/one`)).status).toBe(404);
      for (const name of ['two', 'three']) expect((await remove(`${maps}/${name}?${option}=true`)).status).toBe(200);
      // a worker thread handles a body of this size
      const large = JSON.stringify(unsafe).padEnd(100_000);
      expect((await client.send('DELETE', `${maps}/two-large`, large, 'application/json')).status).toBe(200);
      const { json } = await client.get(maps);
      expect(json.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual(['fine']);
      const made = await client.send('POST', maps, '{"metadata":{"name":"one"}}', 'application/json');
      expect(made.status).toBe(201);
    });
  });
});
