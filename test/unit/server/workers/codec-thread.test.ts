import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { catalog } from '../../../../generated/v1.35/catalog.ts';
import { isEnvelope } from '../../../../runtime/codec/protobuf.ts';
import { systemClock } from '../../../../runtime/machinery/clock.ts';
import { newStorageCodec } from '../../../../runtime/server/storage/storage-codec.ts';
import { CodecThread } from '../../../../runtime/server/workers/codec-thread.ts';
import { StorageCodec } from '../../../../runtime/storage/storage-codec/storage-codec.ts';

const mediaType = 'application/vnd.kubernetes.protobuf';

describe('values that would hold up the event loop', () => {
  let thread: CodecThread;
  let codec: StorageCodec;

  beforeAll(() => {
    thread = new CodecThread({ builtin: { release: 'v1.35', groups: 'all' }, mediaType, customAsCbor: false }, systemClock);
    // without the thread, the codec knows no kinds
    codec = new StorageCodec({ mediaType, customAsCbor: false, kinds: () => ({ ...known }), large: thread });
  });
  afterAll(() => thread.close());

  const refuse = (): never => {
    throw new Error('not on this thread');
  };
  const known = { protobuf: { encode: refuse, decode: refuse }, prune: refuse, fromStored: refuse };
  const data = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`key-${10_000 + at}`, 'value of the key']));
  const json = Buffer.from(JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, data }));

  test('are encoded and decoded by a thread, many at once', async () => {
    const stored = await Promise.all([codec.encode(json), codec.encode(json)]);
    expect(stored.every(isEnvelope)).toBe(true);
    expect(Buffer.from(await codec.decode(stored[1])).equals(json)).toBe(true);
    const local = newStorageCodec({ mediaType, builtin: catalog, features: { CBORServingAndStorage: false } });
    expect(Buffer.compare(await local.encode(json), stored[0])).toBe(0);
  });

  test('that are no objects fail there', async () => {
    const stored = Buffer.concat([Buffer.from('k8s\0'), Buffer.alloc(100_000, 0xff)]);
    await expect(codec.decode(stored)).rejects.toMatchObject({ isDecodeError: true });
  });

  test('are refused when the store is closed', async () => {
    const closed = new CodecThread({ builtin: { release: 'v1.35', groups: 'all' }, mediaType, customAsCbor: false }, systemClock);
    const running = closed.encode(json);
    await closed.close();
    await expect(running).rejects.toThrow('ended');
    await expect(closed.encode(json)).rejects.toThrow('the store is closed');
  });
});
