import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningServer, type ServerOptions, startServer } from '../../../runtime/index.ts';
import { openLmdbEngine } from '../../../runtime/storage/lmdb/lmdb-engine.ts';
import { HttpClient } from '../../support/http-client.ts';
import { KMSPlugin } from '../../support/kms-plugin.ts';
import { quietNamespaces } from '../../support/quiet-namespaces.ts';
import { startTestServer } from '../../support/test-server.ts';

const secrets = '/api/v1/namespaces/default/secrets';
const hidden = 'nobody-may-read-this';
const body = (name: string) => JSON.stringify({ metadata: { name }, stringData: { password: hidden } });

const keys = (...names: readonly string[]) => ({
  keys: names.map((name) => ({ name, secret: Buffer.alloc(32, name).toString('base64') })),
});
const identity = { identity: {} };

describe('objects at rest', () => {
  let folder: string;
  let server: RunningServer | undefined;
  let client: HttpClient;
  const dataDir = () => join(folder, 'data');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'at-rest-'));
  });
  afterEach(() => close());
  afterAll(() => rm(folder, { recursive: true }));

  const open = async (providers: readonly object[], options: ServerOptions = {}): Promise<void> => {
    const path = join(folder, 'config.yaml');
    const resources = [{ resources: ['secrets'], providers }];
    const config = { kind: 'EncryptionConfiguration', apiVersion: 'apiserver.config.k8s.io/v1', resources };
    await writeFile(path, JSON.stringify(config));
    const storage = {
      storage: 'lmdb',
      dataDir: dataDir(),
      unsafeNoFsync: true,
      encryptionProviderConfig: path,
    } as const;
    server = await startTestServer({ ...quietNamespaces, ...storage, ...options });
    client = HttpClient.for(server);
  };
  const close = async (): Promise<void> => {
    if (server === undefined) return;
    client.close();
    await server.close();
    server = undefined;
  };
  const post = (name: string) => client.send('POST', secrets, body(name), 'application/json');
  /** Returns the first parts of a secret's stored value, after closing the server. */
  const stored = async (name: string): Promise<string> => {
    await close();
    const engine = await openLmdbEngine({ path: dataDir() });
    const value = await engine.get(`/registry/secrets/default/${name}`);
    await engine.close();
    return Buffer.from(value?.value ?? [])
      .toString('latin1')
      .split(':', 5)
      .join(':');
  };
  const passwordOf = async (name: string): Promise<string> => {
    const { json } = await client.get(`${secrets}/${name}`);
    const { data } = json as { data?: { password: string } };
    return Buffer.from(data?.password ?? '', 'base64').toString();
  };

  test('have no plain text in the files of the store, and are read after a restart', async () => {
    const shown = Buffer.from(hidden).toString('base64');
    await open([identity]);
    await post('shown');
    await close();
    expect((await readFile(join(dataDir(), 'data.mdb'))).includes(shown)).toBe(true);
    await rm(dataDir(), { recursive: true });
    for (const [name, provider] of [
      ['gcm', { aesgcm: keys('a') }],
      ['cbc', { aescbc: keys('a') }],
      ['box', { secretbox: keys('a') }],
    ] as const) {
      await open([provider, { aesgcm: keys('a') }, { aescbc: keys('a') }, identity]);
      expect((await post(name)).status).toBe(201);
      expect(await passwordOf(name)).toBe(hidden);
      await close();
    }
    const data = await readFile(join(dataDir(), 'data.mdb'));
    expect(data.includes(hidden)).toBe(false);
    expect(data.includes(shown)).toBe(false);
    await open([{ aesgcm: keys('a') }, { aescbc: keys('a') }, { secretbox: keys('a') }]);
    for (const name of ['gcm', 'cbc', 'box']) expect(await passwordOf(name)).toBe(hidden);
  });

  // worker threads write large values
  test.each([
    ['small', 1],
    ['large', 100_000],
  ])('are encrypted with another key by an update that changes nothing: %s', async (name, size) => {
    await open([{ aesgcm: keys('a') }]);
    const object = JSON.stringify({ metadata: { name }, stringData: { padding: 'x'.repeat(size) } });
    expect((await client.send('POST', secrets, object, 'application/json')).status).toBe(201);
    expect(await stored(name)).toBe('k8s:enc:aesgcm:v1:a');
    await open([{ aesgcm: keys('b', 'a') }, { aescbc: keys('a') }, { secretbox: keys('a') }]);
    const path = `${secrets}/${name}`;
    const before = (await client.get(path)).json as { metadata: { resourceVersion: string } };
    const replace = async () =>
      (await client.send('PUT', path, JSON.stringify((await client.get(path)).json), 'application/json')).json as typeof before;
    const after = await replace();
    expect(after.metadata.resourceVersion).not.toBe(before.metadata.resourceVersion);
    expect((await replace()).metadata.resourceVersion).toBe(after.metadata.resourceVersion);
    expect(await stored(name)).toBe('k8s:enc:aesgcm:v1:b');
  });

  test('are plain text again once the identity comes first', async () => {
    const readers = [{ aesgcm: keys('a', 'b') }, { aescbc: keys('a') }, { secretbox: keys('a') }];
    await open([...readers, identity]);
    await post('plain');
    await close();
    await open([identity, ...readers]);
    const patched = await client.send('PATCH', `${secrets}/plain`, '{}', 'application/merge-patch+json');
    expect(patched.status).toBe(200);
    expect(await stored('plain')).toMatch(/^\{"kind":"Secret"/);
  });

  test('without their key are corrupt objects, and nothing else fails', async () => {
    await open([{ aesgcm: keys('a', 'b') }, { aescbc: keys('a') }, { secretbox: keys('a') }, identity]);
    await post('lost');
    await close();
    await open([{ aesgcm: keys('other') }, identity], { featureGates: ['AllowUnsafeMalformedObjectDeletion=true'] });
    const corrupt =
      'StorageError: corrupt object, Code: 7, Key: /registry/secrets/default/lost, ResourceVersion: 0, ' +
      'AdditionalErrorMsg: data from the storage is not transformable revision=0: no matching key was found for the provided AES transformer';
    expect((await client.get(`${secrets}/lost`)).json).toMatchObject({
      code: 500,
      reason: 'InternalError',
      message: `Internal error occurred: ${corrupt}`,
    });
    const list = (await client.get(secrets)).json as { reason: string; details: { causes: { message: string }[] } };
    expect(list.reason).toBe('StorageReadError');
    expect(list.details.causes.map(({ message }) => message)).toContain(corrupt);
    expect((await post('lost')).status).toBe(409);
    expect((await post('fine')).status).toBe(201);
    expect(await passwordOf('fine')).toBe(hidden);
    const unsafe = '{"ignoreStoreReadErrorWithClusterBreakingPotential":true}';
    expect((await client.send('DELETE', `${secrets}/lost`, unsafe, 'application/json')).status).toBe(200);
    expect((await client.get(`${secrets}/lost`)).status).toBe(404);
    expect((await client.get('/readyz')).status).toBe(200);
  });

  test('can be encrypted by a key management service, whose health is that of the server', async () => {
    const plugin = await KMSPlugin.create();
    await plugin.listen();
    const kms = { apiVersion: 'v2', name: 'vault', endpoint: plugin.endpoint, timeout: '2s' };
    await rm(dataDir(), { recursive: true });
    await open([{ kms }, identity]);
    await post('one');
    expect((await client.get('/readyz/kms-providers')).body.toString()).toBe('ok');
    expect((await client.get('/livez/kms-providers')).status).toBe(404);
    expect(await stored('one')).toBe('k8s:enc:kms:v2:vault');
    await plugin.stop();
    await open([{ kms }, identity]);
    const health = await client.get('/healthz/kms-providers');
    expect(health.status).toBe(500);
    expect(health.body.toString()).toMatch(/^internal server error: kms-provider-0: failed to perform status section/);
    expect((await client.get('/readyz')).status).toBe(500);
    expect((await client.get('/livez')).status).toBe(200);
    expect((await client.get(`${secrets}/one`)).json).toMatchObject({
      code: 500,
      message: 'unable to transform key "/registry/secrets/default/one": got unexpected nil transformer',
    });
    expect((await client.get('/api/v1/namespaces/default/configmaps')).status).toBe(200);
    const metrics = (await client.get('/metrics')).body.toString();
    expect(metrics).toMatch(/kms_operations_latency_seconds_count\{grpc_status_code="DeadlineExceeded"/);
    await plugin.close();
  });

  test('an invalid file keeps the server from starting', async () => {
    const problem = 'error while parsing file: resources[0].providers[0].aesgcm.keys: Required value: at least one keys is required';
    await expect(open([{ aesgcm: { keys: [] } }])).rejects.toThrow(problem);
    await expect(startServer({ encryptionProviderConfigAutomaticReload: true })).rejects.toThrow(
      '--encryption-provider-config-automatic-reload must be set with --encryption-provider-config',
    );
  });

  test('a file that is reloaded has a health check and a start step of its own', async () => {
    await rm(dataDir(), { recursive: true });
    await open([{ aesgcm: keys('a') }], { encryptionProviderConfigAutomaticReload: true });
    const lines = (await client.get('/readyz?verbose')).body.toString().split('\n');
    expect(lines).toContain('[+]kms-providers ok');
    expect(lines).toContain('[+]poststarthook/start-encryption-provider-config-automatic-reload ok');
    expect((await client.get('/metrics')).body.toString()).toMatch(
      /apiserver_encryption_config_controller_last_config_info\{apiserver_id_hash="sha256:[0-9a-f]{64}",hash="sha256:[0-9a-f]{64}"\} 1/,
    );
  });
});
