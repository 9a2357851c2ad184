import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import pino from 'pino';
import { EncryptionConfig } from '../../../../../runtime/storage/value/encryption-config/encryption-config.ts';
import type { Transformed } from '../../../../../runtime/storage/value/transformer.ts';
import { KMSPlugin } from '../../../../support/kms-plugin.ts';
import { ManualClock } from '../../../../support/manual-clock.ts';

const minute = 60_000;
const plain = Buffer.from('{"kind":"Secret"}');
const context = { authenticatedData: Buffer.from('/registry/secrets/default/a'), resource: 'secrets' };

describe('a key management service', () => {
  let plugin: KMSPlugin;
  let clock: ManualClock;
  let folder: string;
  const opened: EncryptionConfig[] = [];

  beforeEach(async () => {
    plugin = await KMSPlugin.create();
    await plugin.listen();
    clock = new ManualClock();
    folder = await mkdtemp(join(tmpdir(), 'kms-config-'));
  });
  afterEach(async () => {
    for (const config of opened.splice(0)) config.close();
    await plugin.close();
    await rm(folder, { recursive: true });
  });

  const write = async (timeout: string, ...providers: readonly object[]): Promise<string> => {
    const path = join(folder, 'config.yaml');
    const kms = { apiVersion: 'v2', name: 'vault', endpoint: plugin.endpoint, timeout };
    const resources = [{ resources: ['secrets'], providers: [{ kms }, ...providers] }];
    const config = { kind: 'EncryptionConfiguration', apiVersion: 'apiserver.config.k8s.io/v1', resources };
    await writeFile(path, JSON.stringify(config));
    return path;
  };
  const load = async ({ timeout = '2s', reload = false } = {}): Promise<EncryptionConfig> => {
    const path = await write(timeout, { identity: {} });
    const config = await EncryptionConfig.load({ path, reload, clock, logger: pino({ level: 'silent' }) });
    opened.push(config);
    return config;
  };
  const secrets = (config: EncryptionConfig) => config.transformers.transformerForResource('', 'secrets');
  const encrypt = (config: EncryptionConfig) => secrets(config).transformToStorage(plain, context);
  const read = async (config: EncryptionConfig, data: Uint8Array): Promise<Transformed> =>
    secrets(config).transformFromStorage(data, context);
  const health = async (config: EncryptionConfig): Promise<string> => {
    try {
      await config.healthCheck?.check();
      return 'ok';
    } catch (error) {
      return (error as Error).message;
    }
  };
  /** Advances time and waits for the resulting poll. */
  const advance = async (config: EncryptionConfig, ms: number): Promise<string> => {
    clock.advance(ms);
    return health(config);
  };

  /** Polls until the service responds within a short timeout, which a busy machine may miss. */
  const untilHealthy = async (config: EncryptionConfig): Promise<void> => {
    while ((await advance(config, 10_000)) !== 'ok');
  };

  test('encrypts one seed, with which all values are encrypted', async () => {
    const config = await load();
    const [one, two] = [encrypt(config), encrypt(config)];
    expect(Buffer.from(one).toString('latin1')).toMatch(/^k8s:enc:kms:v2:vault:/);
    expect(Buffer.compare(one, two)).not.toBe(0);
    expect(await read(config, one)).toEqual({ data: plain, stale: false });
    expect(plugin.calls).toEqual(['Status', 'Encrypt']);
  });

  test('decrypts the seed of values from before once, also for many at a time', async () => {
    const before = await load();
    const stored = Array.from({ length: 20 }, () => encrypt(before));
    const config = await load();
    plugin.calls.length = 0;
    const results = await Promise.all(stored.map((value) => read(config, value)));
    expect(results).toEqual(stored.map(() => ({ data: plain, stale: false })));
    await read(config, stored[0]);
    expect(plugin.calls).toEqual(['Decrypt']);
    expect(config.renderMetrics()).toContain('apiserver_envelope_encryption_dek_source_cache_size{provider_name="vault"} 1');
    expect(config.renderMetrics()).toContain('apiserver_storage_envelope_transformation_cache_misses_total 1');
  });

  test('with another key makes what the old one encrypted stale, and readable still', async () => {
    const config = await load();
    const stored = encrypt(config);
    plugin.keyID = 'key-2';
    expect(await advance(config, minute)).toBe('ok');
    expect(await read(config, stored)).toEqual({ data: plain, stale: true });
    expect(await read(config, encrypt(config))).toEqual({ data: plain, stale: false });
    expect(plugin.calls).toEqual(['Status', 'Encrypt', 'Status', 'Encrypt']);
    expect(config.renderMetrics()).toMatch(
      /key_id_hash_total\{apiserver_id_hash="sha256:[0-9a-f]{64}",key_id_hash="sha256:[0-9a-f]{64}",provider_name="vault",transformation_type="to_storage"\} 1/,
    );
  });

  test('that fails is unhealthy, its seed encrypts for three more minutes and decrypts for ever', async () => {
    const config = await load();
    const stored = encrypt(config);
    plugin.failure = { code: 14, message: 'no quorum: 50%' };
    expect(await advance(config, minute)).toBe(
      'kms-provider-0: failed to perform status section of the healthz check for KMS Provider vault, error: rpc error: code = Unavailable desc = no quorum: 50%',
    );
    await advance(config, 2 * minute);
    encrypt(config);
    await advance(config, 1);
    expect(() => encrypt(config)).toThrow(
      /^encryptedDEKSource with keyID hash "sha256:[0-9a-f]{64}" expired at 2026-01-01T00:03:00Z \(current time is 2026-01-01T00:03:00Z\)$/,
    );
    expect((await read(config, stored)).data).toEqual(plain);
    plugin.failure = undefined;
    expect(await advance(config, 10_000)).toBe('ok');
    encrypt(config);
  });

  test.each<[keyof Pick<KMSPlugin, 'healthz' | 'version' | 'keyID'>, string, string]>([
    ['healthz', 'sealed', 'got unexpected healthz status: sealed'],
    ['version', 'v1', 'expected KMSv2 API version v2, got v1'],
    ['version', 'v2beta1', 'KMSv2 API version should not change after the initial status response version v2, got v2beta1'],
    ['keyID', '', 'got invalid KMSv2 KeyID hash "": keyID is empty'],
  ])('whose status has the %s %j is unhealthy', async (member, value, problem) => {
    const config = await load();
    plugin[member] = value;
    expect(await advance(config, minute)).toBe(`kms-provider-0: kmsv2 Provider vault is not healthy, error: ${problem}`);
  });

  test('that comes after the server can be used once it is there', async () => {
    const stored = encrypt(await load());
    await plugin.stop();
    const config = await load({ timeout: '50ms' });
    let changes = 0;
    config.transformers.onChange(() => {
      changes += 1;
    });
    await expect(read(config, stored)).rejects.toMatchObject({
      message: 'got unexpected nil transformer',
      isTemporary: true,
    });
    expect(() => encrypt(config)).toThrow('got unexpected nil transformer');
    expect(await health(config)).toContain('code = DeadlineExceeded');
    await plugin.listen();
    await untilHealthy(config);
    expect(changes).toBe(1);
    expect((await read(config, stored)).data).toEqual(plain);
  });

  test('is connected again after a connection has ended', async () => {
    const stored = encrypt(await load());
    const config = await load();
    await plugin.stop();
    await plugin.listen();
    expect((await read(config, stored)).data).toEqual(plain);
  });

  test('may be late, but not later than its timeout', async () => {
    const stored = encrypt(await load());
    const config = await load({ timeout: '50ms' });
    await untilHealthy(config);
    plugin.hangs = true;
    await expect(read(config, stored)).rejects.toMatchObject({
      message: expect.stringContaining('failed to decrypt DEK, error: rpc error: code = DeadlineExceeded'),
      grpcCode: 'DeadlineExceeded',
      isTemporary: true,
    });
  });

  test('that has lost a key makes only the values of that key unreadable', async () => {
    const config = await load();
    const lost = encrypt(config);
    plugin.keyID = 'key-2';
    await advance(config, minute);
    const other = encrypt(config);
    plugin.destroyKey('key-1');
    const later = await load();
    await expect(read(later, lost)).rejects.toMatchObject({
      message: 'failed to decrypt DEK, error: rpc error: code = InvalidArgument desc = the key key-1 is gone: 100%',
      isTemporary: false,
    });
    expect((await read(later, other)).data).toEqual(plain);
  });

  test('a reload uses the new providers and still reads with the old ones', async () => {
    const config = await load({ reload: true });
    const changed = new Promise<void>((resolve) => config.transformers.onChange(resolve));
    await write('2s', { identity: {} }, { aesgcm: { keys: [{ name: 'k', secret: Buffer.alloc(16).toString('base64') }] } });
    clock.advance(minute);
    await changed;
    expect(/automatic_reloads_total\{.*\} \d+/.exec(config.renderMetrics())?.[0]).toMatch(/,status="success"\} 1$/);
    expect(await read(config, encrypt(config))).toEqual({ data: plain, stale: false });
  });

  test.each<[string, (path: string) => Promise<void>]>([
    ['cannot be parsed', (path) => writeFile(path, '{')],
    ['is gone', (path) => rm(path)],
  ])('a file that %s changes nothing, and is read again soon', async (_, spoil) => {
    const config = await load({ reload: true });
    const path = join(folder, 'config.yaml');
    await spoil(path);
    clock.advance(minute);
    const failed = /automatic_reloads_total\{.*status="failure"\} 1/;
    while (!failed.test(config.renderMetrics())) await new Promise(setImmediate);
    expect(await read(config, encrypt(config))).toEqual({ data: plain, stale: false });
    const changed = new Promise<void>((resolve) => config.transformers.onChange(resolve));
    await write('1s');
    clock.advance(1000);
    await changed;
  });
});
