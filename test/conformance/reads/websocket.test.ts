import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import WebSocket from 'ws';
import { decodeCbor } from '../../../runtime/codec/cbor.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { ObjectFixture, type Query, storages, whileTimePasses, withQuery } from '../../support/object-fixture.ts';

const protobuf = 'application/vnd.kubernetes.protobuf';
const as = (kind: string, mediaType = 'application/json') => `${mediaType};as=${kind};v=v1;g=meta.k8s.io`;

describe.each(storages)('watches over WebSocket, %s storage', (storage) => {
  const clock = new ManualClock();
  let fixture: ObjectFixture;
  let maps: string;

  beforeAll(async () => {
    fixture = await ObjectFixture.open(storage, { clock, featureGates: ['CBORServingAndStorage=true'] });
    maps = await fixture.fresh();
    await fixture.put(maps, 'a', { data: { n: '1' } }, { is: 'a' });
  });
  afterAll(() => fixture.close());

  function messages(accept: string, query: Query, count: number): Promise<{ data: Buffer; isBinary: boolean }[]> {
    const { url, caCertificate: ca, clientCertificate: cert, clientKey: key } = fixture.server;
    const address = `${url.replace('https', 'wss')}${withQuery(maps, { watch: '1', ...query })}`;
    const socket = new WebSocket(address, { ca, cert, key, headers: { accept } });
    const seen: { data: Buffer; isBinary: boolean }[] = [];
    return new Promise((resolve, reject) => {
      socket.on('error', reject);
      socket.on('message', (data: Buffer, isBinary) => {
        seen.push({ data, isBinary });
        if (seen.length === count) socket.close();
      });
      socket.on('close', () => resolve(seen));
    });
  }

  test('are text messages in JSON', async () => {
    const seen = await messages('application/json', { allowWatchBookmarks: 'true' }, 2);
    expect(seen.map(({ isBinary }) => isBinary)).toEqual([false, false]);
    expect(seen.map(({ data }) => JSON.parse(data.toString()).type)).toEqual(['ADDED', 'BOOKMARK']);
  });

  test('are binary messages in protobuf', async () => {
    const [{ data, isBinary }] = await messages(protobuf, {}, 1);
    expect(isBinary).toBe(true);
    // a bare metav1.WatchEvent: the message is its frame
    expect(data.subarray(0, 7)).toEqual(Buffer.from('\n\u0005ADDED'));
    const [partial] = await messages(as('PartialObjectMetadata', protobuf), {}, 1);
    expect(partial.data.subarray(0, 7)).toEqual(Buffer.from('\n\u0005ADDED'));
  });

  test('are binary messages in CBOR', async () => {
    const seen = await messages('application/cbor', { allowWatchBookmarks: 'true', labelSelector: 'is=a' }, 2);
    expect(seen.map(({ isBinary }) => isBinary)).toEqual([true, true]);
    expect(seen.map(({ data }) => decodeCbor(data))).toMatchObject([
      { type: 'ADDED', object: { metadata: { name: 'a' } } },
      { type: 'BOOKMARK' },
    ]);
  });

  test('may be Tables and partial metadata', async () => {
    const [{ data }] = await messages(as('Table'), {}, 1);
    expect(JSON.parse(data.toString())).toMatchObject({ type: 'ADDED', object: { kind: 'Table' } });
    const [partial] = await messages(as('PartialObjectMetadata'), {}, 1);
    expect(JSON.parse(partial.data.toString())).toMatchObject({ object: { kind: 'PartialObjectMetadata' } });
  });

  test('of compacted history are one error', async () => {
    const old = await fixture.put(maps, 'compacted');
    await fixture.put(maps, 'compacted', { data: { n: '2' } });
    await fixture.server.compact();
    const seen = await messages('application/json', { resourceVersion: old }, 2);
    expect(seen.map(({ data }) => JSON.parse(data.toString()))).toMatchObject([
      { type: 'ERROR', object: { reason: 'Expired', code: 410 } },
    ]);
    await fixture.remove(maps, 'compacted');
  });

  test('end after timeoutSeconds', async () => {
    const pending = messages('application/json', { timeoutSeconds: 1, labelSelector: 'is=nothing' }, 1);
    const seen = await whileTimePasses(fixture, clock, pending);
    expect(seen).toEqual([]);
  });
});
