import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pino from 'pino';
import { EncryptionConfig } from '../../../../../runtime/storage/value/encryption-config/encryption-config.ts';
import { loadConfiguration } from '../../../../../runtime/storage/value/encryption-config/load.ts';
import { ManualClock } from '../../../../support/manual-clock.ts';

const header = 'apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\n';
const key16 = Buffer.alloc(16, 1).toString('base64');
const key32 = Buffer.alloc(32, 1).toString('base64');
const aesgcm = { aesgcm: { keys: [{ name: 'a', secret: key16 }] } };
const entry = (resources: readonly string[], ...providers: readonly object[]) => ({ resources, providers });
const kms = (fields: object) => ({
  kms: { apiVersion: 'v2', name: 'vault', endpoint: 'unix:///run/kms.sock', ...fields },
});

describe('an EncryptionConfiguration', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'encryption-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const write = async (text: string): Promise<string> => {
    const path = join(folder, 'config.yaml');
    await writeFile(path, text);
    return path;
  };
  const problemOf = async (text: string, reload = false): Promise<string> =>
    loadConfiguration(await write(text), reload).then(
      () => '',
      (error: Error) => error.message.replaceAll(folder, ''),
    );
  const problemOfEntries = (...resources: readonly object[]) => problemOf(`${header}resources: ${JSON.stringify(resources)}`);

  test('has the defaults of upstream, also under its old name', async () => {
    const path = await write(
      `kind: EncryptionConfig\napiVersion: v1\nresources: [{resources: [secrets], providers: [{kms: {name: old, endpoint: "unix:///x"}}, {kms: {apiVersion: v2, name: b, endpoint: "unix:///y", timeout: 90s}}, {identity: {}}]}]`,
    );
    expect((await loadConfiguration(path, false)).configuration.resources).toEqual([
      entry(
        ['secrets'],
        { kms: { apiVersion: 'v1', name: 'old', endpoint: 'unix:///x', cachesize: 1000, timeout: '3s' } },
        { kms: { apiVersion: 'v2', name: 'b', endpoint: 'unix:///y', timeout: '1m30s' } },
        { identity: {} },
      ),
    ]);
  });

  test.each([
    ['no file', 'error while loading file: encryption provider configuration file "/config.yaml" is empty', ''],
    ['no kind', `Object 'Kind' is missing`, 'apiVersion: v1'],
    ['no version', `Object 'apiVersion' is missing`, 'kind: EncryptionConfiguration'],
    ['another kind', 'no kind "EncryptionConfigurations" is registered for version "apiserver.config.k8s.io/v1"', `${header.trim()}s`],
    [
      'unknown fields',
      'strict decoding error: unknown field "resources[0].providers[0].kms.pandas"',
      `${header}resources: [{resources: [secrets], providers: [{kms: {pandas: 1}}]}]`,
    ],
    [
      'repeated fields',
      'strict decoding error: yaml: unmarshal errors:\n  line 4: key "resources" already set in map',
      `${header}resources: []\nresources: []`,
    ],
    [
      'a wrong type',
      'json: cannot unmarshal string into Go struct field EncryptionConfiguration.resources of type []v1.ResourceConfiguration',
      `${header}resources: secrets`,
    ],
    ['nothing', 'resources: Required value: at least one resources is required', header],
  ])('is refused: %s', async (_, message, text) => {
    expect(await problemOf(text)).toContain(message);
  });

  const overlap = "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked";
  test.each([
    ['resources[0].resources: Required value: at least one resources[0].resources is required', [], aesgcm],
    [`resources[0].resources: Invalid value: ["secrets","*."]: ${overlap}`, ['secrets', '*.'], aesgcm],
    [`resources[0].resources: Invalid value: ["a.b","*.*"]: ${overlap}`, ['a.b', '*.*'], aesgcm],
    ['resources[0].resources: Invalid value: ["a.b","a.b"]: the same resource cannot be specified multiple times', ['a.b', 'a.b'], aesgcm],
    ['resources[0].resources[0]: Invalid value: "Pods": resource name should not contain capital letters', ['Pods'], aesgcm],
    [
      `resources[0].resources[0]: Invalid value: "*": use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources`,
      ['*'],
      aesgcm,
    ],
    [
      'resources[0].resources[0]: Invalid value: "serviceipallocations": resources which do not have REST API/s cannot be encrypted',
      ['serviceipallocations'],
      aesgcm,
    ],
    [
      `resources[0].resources[0]: Invalid value: "*.events.k8s.io": '*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file`,
      ['*.events.k8s.io'],
      aesgcm,
    ],
    [
      `resources[0].resources[0]: Invalid value: "a.extensions": 'extensions' group has been removed and cannot be used for encryption`,
      ['a.extensions'],
      aesgcm,
    ],
    [
      'resources[0].resources[0]: Invalid value: "secrets.*": encrypting the same resource across groups is not supported',
      ['secrets.*'],
      aesgcm,
    ],
    [
      'resources[0].providers[0]: Invalid value: provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity',
      ['secrets'],
      {},
    ],
    [
      'resources[0].providers[0]: Invalid value: more than one provider specified in a single element, should split into different list elements',
      ['secrets'],
      { ...aesgcm, identity: {} },
    ],
    ['resources[0].providers[0].aescbc.keys: Required value: at least one keys is required', ['secrets'], { aescbc: { keys: [] } }],
    [
      '[resources[0].providers[0].aesgcm.keys[0].name: Required value: name is a mandatory field for a key, resources[0].providers[0].aesgcm.keys[0].secret: Required value: secret is a mandatory field for a key]',
      ['secrets'],
      { aesgcm: { keys: [{}] } },
    ],
    [
      'resources[0].providers[0].aesgcm.keys[0].secret: Invalid value: "REDACTED": secrets must be base64 encoded',
      ['secrets'],
      { aesgcm: { keys: [{ name: 'a', secret: 'not base64' }] } },
    ],
    [
      'resources[0].providers[0].aesgcm.keys[0].secret: Invalid value: "REDACTED": secret is not of the expected length, got 3, expected one of [16 24 32]',
      ['secrets'],
      { aesgcm: { keys: [{ name: 'a', secret: 'YWJj' }] } },
    ],
    [
      'resources[0].providers[0].secretbox.keys[0].secret: Invalid value: "REDACTED": secret is not of the expected length, got 16, expected one of [32]',
      ['secrets'],
      { secretbox: { keys: [{ name: 'a', secret: key16 }] } },
    ],
    ['resources[0].providers[0].kms.name: Required value: name is a mandatory field for a provider', ['secrets'], kms({ name: '' })],
    [
      `resources[0].providers[0].kms.name: Invalid value: "a:b": invalid KMS provider name a:b, must not contain ':'`,
      ['secrets'],
      kms({ name: 'a:b' }),
    ],
    ['resources[0].providers[0].kms.timeout: Invalid value: "0s": timeout should be a positive value', ['secrets'], kms({ timeout: '0s' })],
    [
      'resources[0].providers[0].kms.endpoint: Invalid value: "": endpoint is a mandatory field for a kms',
      ['secrets'],
      kms({ endpoint: '' }),
    ],
    [
      'resources[0].providers[0].kms.endpoint: Invalid value: "tcp://a": unsupported scheme "tcp" for KMS provider, only unix is supported',
      ['secrets'],
      kms({ endpoint: 'tcp://a' }),
    ],
    ['resources[0].providers[0].kms.cachesize: Invalid value: 5: cachesize is not supported in v2', ['secrets'], kms({ cachesize: 5 })],
    [
      'resources[0].providers[0].kms.cachesize: Invalid value: 0: cachesize should be a positive value, or negative to disable',
      ['secrets'],
      kms({ apiVersion: 'v1', cachesize: 0 }),
    ],
    [
      'resources[0].providers[0].kms.apiVersion: Invalid value: "v3": unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported',
      ['secrets'],
      kms({ apiVersion: 'v3' }),
    ],
  ])('is refused: %s', async (message, resources, provider) => {
    expect(await problemOfEntries(entry(resources, provider))).toBe(message);
  });

  test('names every key management service once', async () => {
    const twice = [entry(['secrets'], kms({})), entry(['pods'], kms({}))];
    const message = 'resources[1].providers[0].kms.name: Invalid value: "vault": duplicate KMS provider name vault, names must be unique';
    expect(await problemOfEntries(...twice)).toBe(message);
  });

  const load = async (...resources: readonly object[]) =>
    EncryptionConfig.load({
      path: await write(`${header}resources: ${JSON.stringify(resources)}`),
      reload: false,
      clock: new ManualClock(),
      logger: pino({ level: 'silent' }),
    });

  test.each([
    ['resource "secrets" is masked by earlier rule "*."', '*.', 'secrets'],
    ['resource "*." is masked by earlier rule "*."', '*.', '*.'],
    ['resource "*.foo" is masked by earlier rule "*.foo"', '*.foo', '*.foo'],
    ['resource "*.*" is masked by earlier rule "*.*"', '*.*', '*.*'],
    ['resource "a.foo" is masked by earlier rule "*.*"', '*.*', 'a.foo'],
  ])('is refused: %s', async (message, first, second) => {
    await expect(load(entry([first], aesgcm), entry([second], aesgcm))).rejects.toThrow(`error while building transformers: ${message}`);
  });

  test('is refused with a key management service of version 1', async () => {
    await expect(load(entry(['secrets'], kms({ apiVersion: 'v1' })))).rejects.toThrow(
      'error while building transformers: KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead.  Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.',
    );
  });

  test('chooses by resource, then by group, then for all; others are stored as they are', async () => {
    const provider = (name: string) => ({ secretbox: { keys: [{ name, secret: key32 }] } });
    const config = await load(
      entry(['events'], { identity: {} }),
      entry(['secrets', 'deployments.apps'], provider('some')),
      entry(['*.apps'], provider('group')),
      entry(['*.'], provider('core')),
    );
    const prefixOf = (group: string, resource: string) => {
      const context = { authenticatedData: Buffer.from('k'), resource };
      const stored = config.transformers.transformerForResource(group, resource).transformToStorage(Buffer.from('{}'), context);
      return /^(?:[^:]+:){0,5}/.exec(Buffer.from(stored).toString('latin1'))?.[0].split(':')[4] ?? '';
    };
    expect(prefixOf('', 'secrets')).toBe('some');
    expect(prefixOf('apps', 'deployments')).toBe('some');
    expect(prefixOf('apps', 'daemonsets')).toBe('group');
    expect(prefixOf('', 'pods')).toBe('core');
    expect(prefixOf('', 'events')).toBe('');
    expect(prefixOf('batch', 'jobs')).toBe('');
    expect(config.healthCheck).toBeUndefined();
    config.close();
  });
});
