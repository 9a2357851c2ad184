import { describe, expect, test } from '@jest/globals';
import { catalog } from '../../../../generated/v1.35/catalog.ts';
import { isEnvelope } from '../../../../runtime/codec/protobuf.ts';
import type { KubeObject } from '../../../../runtime/machinery/object.ts';
import { newStorageCodec } from '../../../../runtime/server/storage/storage-codec.ts';
import type { StoredObject, StoredResource } from '../../../../runtime/storage/object-store/contract.ts';
import { openObjectStore } from '../../../../runtime/storage/object-store/object-store.ts';
import type { StorageCodec } from '../../../../runtime/storage/storage-codec/storage-codec.ts';
import { GCMTransformer } from '../../../../runtime/storage/value/encrypt/aes/gcm.ts';
import { showEvent } from '../../../contract/storage/describe-object-store.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { createMemoryEngines } from '../../../support/shared-engines.ts';

const newCodec = (): StorageCodec =>
  newStorageCodec({
    mediaType: 'application/vnd.kubernetes.protobuf',
    builtin: catalog,
    features: { CBORServingAndStorage: false },
  });

const configMaps: StoredResource = {
  group: '',
  resource: 'configmaps',
  resourcePrefix: 'configmaps',
  namespaced: true,
  selectableFields: () => ({}),
};
const keyOf = (name: string): string => `/registry/configmaps/ns/${name}`;
const configMap = (name: string, size = 's'): KubeObject => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name, namespace: 'ns', uid: name, labels: { size } },
});

function openStores() {
  const { engines } = createMemoryEngines(3);
  const [first, second, raw] = engines;
  const decoded: string[] = [];
  const codec = newCodec();
  const decode = codec.decode.bind(codec);
  codec.decode = (stored) => {
    decoded.push(Buffer.from(stored).toString('latin1'));
    return decode(stored);
  };
  const clock = new ManualClock();
  const stores = [openObjectStore({ engine: first, codec, clock }), openObjectStore({ engine: second, codec: newCodec(), clock })] as const;
  return { stores, raw, decoded, close: () => Promise.all([...stores.map((store) => store.close()), raw.close()]) };
}

describe('a store whose values lie as those of kube-apiserver', () => {
  test('does not decode what it wrote, and knows what others write', async () => {
    const { stores, raw, decoded, close } = openStores();
    const [own, other] = await Promise.all(stores.map((store) => store.collection(configMaps)));
    const events: string[] = [];
    other.watch({ after: 1, onEvent: (event) => events.push(showEvent(event)) });
    const created = await own.create(configMap('a'));
    const updated = await own.update(configMap('a', 'm'), created?.revision ?? 0);
    expect(decoded).toEqual([]);
    expect(isEnvelope((await raw.get(keyOf('a')))?.value ?? Buffer.alloc(0))).toBe(true);

    const seen = await other.notOlderThan(updated?.revision ?? 0, { timeoutMs: 1000 });
    expect(seen.get('ns', 'a')?.labels.size).toBe('m');
    await other.delete('ns', 'a', updated?.revision ?? 0);
    expect(events).toEqual(['2 ADDED a', '3 MODIFIED a', '4 DELETED a']);
    await own.notOlderThan(4, { timeoutMs: 1000 });
    expect(own.latest().get('ns', 'a')).toBeUndefined();
    await close();
  });

  test('has objects that cannot be decoded as corrupt, and says why', async () => {
    const { stores, raw, close } = openStores();
    const values = {
      cut: Buffer.from('k8s\0\x0a\x05'),
      unknown: Buffer.from('k8s\0\x0a\x07\x0a\x02v7\x12\x01X\x12\x00', 'latin1'),
      odd: Buffer.from(JSON.stringify({ ...configMap('odd'), data: 5 })),
    };
    for (const [name, value] of Object.entries(values)) {
      await raw.write({ type: 'put', key: keyOf(name), value, expect: 0 });
    }
    const collection = await stores[0].collection(configMaps);
    // a commit of another process is delivered when the code of its kind is loaded
    expect([...(await collection.mostRecent()).scan()]).toEqual([]);
    const reasons = collection.corrupt().map(({ name, decodeError }: StoredObject) => [name, decodeError]);
    expect(Object.fromEntries(reasons)).toEqual({
      cut: 'unexpected EOF',
      unknown: 'no kind "X" is registered for version "v7" in scheme "storage"',
      odd: expect.stringContaining('cannot unmarshal number into Go'),
    });
    await close();
  });

  test('knows which objects would be written differently now', async () => {
    const { stores, raw, close } = openStores();
    const value = Buffer.from(JSON.stringify(configMap('json')));
    await raw.write({ type: 'put', key: keyOf('json'), value, expect: 0 });
    const collection = await stores[0].collection(configMaps);
    await collection.create(configMap('own'));
    const stale = [...collection.latest().scan()].map(async (one) => [one.name, await collection.isStale(one)]);
    expect(Object.fromEntries(await Promise.all(stale))).toEqual({ json: true, own: false });
    await close();
  });

  test('encrypts what is encoded, with the key of kube-apiserver', async () => {
    const [engine] = createMemoryEngines(1).engines;
    const transformer = new GCMTransformer(Buffer.alloc(32, 'k'));
    const transformers = { transformerForResource: () => transformer, onChange: () => () => undefined };
    const store = openObjectStore({ engine, codec: newCodec(), transformers, clock: new ManualClock() });
    await (await store.collection(configMaps)).create(configMap('a'));
    const { value } = (await engine.get(keyOf('a'))) ?? { value: Buffer.alloc(0) };
    const context = { authenticatedData: Buffer.from('/registry/configmaps/ns/a'), resource: 'configmaps' };
    const { data } = await transformer.transformFromStorage(value, context);
    expect(isEnvelope(data)).toBe(true);
    await store.close();
  });
});
