import { describe, expect, test } from '@jest/globals';
import { CBCTransformer } from '../../../../runtime/storage/value/encrypt/aes/cbc.ts';
import { ExtendedNonceGCMTransformer } from '../../../../runtime/storage/value/encrypt/aes/extended-nonce-gcm.ts';
import { GCMTransformer } from '../../../../runtime/storage/value/encrypt/aes/gcm.ts';
import { identityTransformer } from '../../../../runtime/storage/value/encrypt/identity.ts';
import { decodeEncryptedObject } from '../../../../runtime/storage/value/encrypt/kmsv2/encrypted-object.ts';
import { newSecretboxTransformer } from '../../../../runtime/storage/value/encrypt/secretbox.ts';
import { TransformationMetrics } from '../../../../runtime/storage/value/metrics.ts';
import { PrefixTransformers } from '../../../../runtime/storage/value/prefix-transformers.ts';
import { TransformError, type Transformer } from '../../../../runtime/storage/value/transformer.ts';
import { aescbcValue, aesgcmValue, type GoValue, goKeys, goSeed, kmsValue, secretboxValue } from './go-values.ts';

const bytes = (base64: string): Buffer => Buffer.from(base64, 'base64');
const contextOf = (key: string) => ({ authenticatedData: Buffer.from(key), resource: 'secrets' });
const here = contextOf('/registry/secrets/default/a');
const read = async (transformer: Transformer, data: Uint8Array, context = here) =>
  (await transformer.transformFromStorage(data, context)).data;

const uidOf = (data: Uint8Array): unknown => JSON.parse(Buffer.from(data).toString()).metadata.uid;
const textAfter = (value: GoValue, prefix: string): Buffer => {
  const stored = bytes(value.value);
  expect(stored.subarray(0, prefix.length).toString()).toBe(prefix);
  return stored.subarray(prefix.length);
};

const makers: readonly (readonly [name: string, make: (key: Buffer) => Transformer | Promise<Transformer>])[] = [
  ['aesgcm', (key) => new GCMTransformer(key)],
  ['aescbc', (key) => new CBCTransformer(key)],
  ['secretbox', newSecretboxTransformer],
  ['a seed', (key) => new ExtendedNonceGCMTransformer(key)],
];

describe('values that Kubernetes wrote are read', () => {
  test('aesgcm', async () => {
    const data = textAfter(aesgcmValue, 'k8s:enc:aesgcm:v1:g1:');
    const transformer = new GCMTransformer(bytes(goKeys.g1));
    expect(uidOf(await read(transformer, data, contextOf(aesgcmValue.key)))).toBe(aesgcmValue.uid);
  });

  test('aescbc', async () => {
    const data = textAfter(aescbcValue, 'k8s:enc:aescbc:v1:c1:');
    expect(uidOf(await read(new CBCTransformer(bytes(goKeys.c1)), data))).toBe(aescbcValue.uid);
  });

  test('secretbox', async () => {
    const data = textAfter(secretboxValue, 'k8s:enc:secretbox:v1:s1:');
    expect(uidOf(await read(await newSecretboxTransformer(bytes(goKeys.s1)), data))).toBe(secretboxValue.uid);
  });

  test('kms v2', async () => {
    const object = decodeEncryptedObject(textAfter(kmsValue, 'k8s:enc:kms:v2:vault:'));
    expect(object).toMatchObject({ keyID: 'key-1', encryptedDEKSourceType: 1 });
    expect([...object.annotations.keys()]).toEqual(['key.kms.test']);
    const transformer = new ExtendedNonceGCMTransformer(bytes(goSeed));
    expect(uidOf(await read(transformer, object.encryptedData, contextOf(kmsValue.key)))).toBe(kmsValue.uid);
  });
});

describe.each(makers)('%s', (name, make) => {
  const key = Buffer.alloc(32, 7);
  const authenticatesKey = name === 'aesgcm' || name === 'a seed';

  test('reads what it writes, of any size, and never writes the same twice', async () => {
    const transformer = await make(key);
    for (const size of [0, 1, 15, 16, 17, 4096, 300_000]) {
      const plain = Buffer.alloc(size, 'p');
      const [one, two] = [transformer.transformToStorage(plain, here), transformer.transformToStorage(plain, here)];
      expect(Buffer.compare(one, two)).not.toBe(0);
      expect(Buffer.compare(await read(transformer, one), plain)).toBe(0);
    }
  });

  test(`${name === 'aescbc' ? 'does not read' : 'refuses'} what another key wrote`, async () => {
    const plain = Buffer.from('{"a":"hidden value"}');
    const stored = (await make(key)).transformToStorage(plain, here);
    const other = read(await make(Buffer.alloc(32, 8)), stored);
    if (name !== 'aescbc') await expect(other).rejects.toThrow(TransformError);
    // the padding is valid by chance once in 256 times
    else expect(await other.catch(() => undefined)).not.toEqual(plain);
  });

  test('refuses every beginning of a value', async () => {
    const transformer = await make(key);
    const stored = transformer.transformToStorage(Buffer.from('secret'), here);
    for (let end = 0; end < stored.length; end += 1) {
      await expect(read(transformer, stored.subarray(0, end))).rejects.toThrow(TransformError);
    }
  });

  test(`${authenticatesKey ? 'refuses' : 'reads'} the value of another key of the store`, async () => {
    const transformer = await make(key);
    const stored = transformer.transformToStorage(Buffer.from('secret'), here);
    const elsewhere = read(transformer, stored, contextOf('/registry/secrets/default/b'));
    if (authenticatesKey) await expect(elsewhere).rejects.toThrow('cipher: message authentication failed');
    else expect(Buffer.from(await elsewhere).toString()).toBe('secret');
  });
});

describe('AES-CBC', () => {
  const transformer = new CBCTransformer(Buffer.alloc(16, 7));
  test.each([
    ['the stored data was shorter than the required size', Buffer.alloc(15)],
    ['the stored data is not a multiple of the block size', Buffer.alloc(33)],
    ['invalid PKCS7 data (empty or not padded)', Buffer.alloc(16)],
  ])('%s', async (message, data) => {
    await expect(read(transformer, data)).rejects.toThrow(message);
  });
});

test('the identity refuses encrypted values', async () => {
  expect(await read(identityTransformer, Buffer.from('{"a":1}'))).toEqual(Buffer.from('{"a":1}'));
  await expect(read(identityTransformer, Buffer.from('k8s:enc:aesgcm:v1:x'))).rejects.toThrow(
    'identity transformer tried to read encrypted data',
  );
});

describe('transformers by prefix', () => {
  const plain = Buffer.from('{"kind":"Secret"}');
  const gcm = (byte: number) => new GCMTransformer(Buffer.alloc(32, byte));
  const union = (...list: readonly (readonly [prefix: string, transformer: Transformer])[]) =>
    new PrefixTransformers(
      list.map(([prefix, transformer]) => ({ prefix, transformer })),
      { noMatch: 'no matching prefix found', metrics: new TransformationMetrics() },
    );
  const failing = (error: Error): Transformer => ({
    transformFromStorage: () => Promise.reject(error),
    transformToStorage: () => {
      throw error;
    },
  });

  test('the first writes, all read, and what another than the first reads is stale', async () => {
    const old = union(['old:', gcm(1)]);
    const rotated = union(['new:', gcm(2)], ['old:', gcm(1)], ['', identityTransformer]);
    const written = rotated.transformToStorage(plain, here);
    expect(Buffer.from(written.subarray(0, 4)).toString()).toBe('new:');
    expect(await rotated.transformFromStorage(written, here)).toEqual({ data: plain, stale: false });
    const before = old.transformToStorage(plain, here);
    expect(await rotated.transformFromStorage(before, here)).toEqual({ data: plain, stale: true });
    expect(await rotated.transformFromStorage(plain, here)).toEqual({ data: plain, stale: true });
  });

  test('of the same prefix are tried one after the other', async () => {
    const written = union(['k:', gcm(1)]).transformToStorage(plain, here);
    expect(await union(['k:', gcm(2)], ['k:', gcm(1)]).transformFromStorage(written, here)).toEqual({
      data: plain,
      stale: true,
    });
    const slow = union(['k:', failing(new TransformError('down'))], ['k:', gcm(1)]);
    expect(await slow.transformFromStorage(written, here)).toEqual({ data: plain, stale: true });
  });

  test('fail with all their errors', async () => {
    const written = union(['k8s:enc:', gcm(1)]).transformToStorage(plain, here);
    const all = union(
      ['k8s:enc:', gcm(2)],
      ['', identityTransformer],
      ['k8s:enc:', failing(new TransformError('down', { isTemporary: true }))],
    );
    await expect(read(all, written)).rejects.toMatchObject({
      message: '[cipher: message authentication failed, down]',
      isTemporary: true,
    });
  });

  test.each([
    ['no prefix', union(['k:', gcm(1)]), plain],
    ['an encrypted value for the identity', union(['', identityTransformer]), Buffer.from('k8s:enc:kms:v2:x')],
  ])('that do not know a value say so: %s', async (_, transformer, data) => {
    await expect(read(transformer, data)).rejects.toThrow('no matching prefix found');
  });

  test('are counted by result', async () => {
    const metrics = new TransformationMetrics();
    const transformer = new PrefixTransformers([{ prefix: 'k:', transformer: gcm(1) }], { noMatch: 'no', metrics });
    await read(transformer, transformer.transformToStorage(plain, here));
    await expect(read(transformer, Buffer.from('k:wrong'))).rejects.toThrow();
    await expect(read(transformer, plain)).rejects.toThrow();
    const text = metrics.render();
    const counted = (status: string, type: string, prefix: string) =>
      `apiserver_storage_transformation_operations_total{resource="secrets",status="${status}",transformation_type="${type}",transformer_prefix="${prefix}"} 1\n`;
    expect(text).toContain(counted('OK', 'to_storage', 'k:'));
    expect(text).toContain(counted('OK', 'from_storage', 'k:'));
    expect(text).toContain(counted('unknown-non-grpc', 'from_storage', 'k:'));
    expect(text).toContain(counted('unknown-non-grpc', 'from_storage', 'unknown'));
    expect(text).toContain('transformation_duration_seconds_count{transformation_type="to_storage",transformer_prefix="k:"} 1');
  });
});
