import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import WebSocket from 'ws';
import { decodeCbor } from '../../../runtime/codec/cbor.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { ObjectFixture, type Query, storages, whileTimePasses, withQuery } from '../../support/object-fixture.ts';
import { RawTls } from '../../support/raw-tls.ts';

const protobuf = 'application/vnd.kubernetes.protobuf';
const as = (kind: string, mediaType = 'application/json') => `${mediaType};as=${kind};v=v1;g=meta.k8s.io`;

const lines = (...all: string[]): string => `${all.join('\r\n')}\r\n\r\n`;

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
    const socket = new WebSocket(address, { origin: url, ca, cert, key, headers: { accept } });
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

  const key = 'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==';
  const version = 'sec-websocket-version: 13';
  const origin = 'origin: https://page.example';
  test.each([
    { of: 'no key', headers: [version, origin], want: 'HTTP/1.1 400 Bad Request\r\n\r\nmismatch challenge/response' },
    {
      of: 'no version',
      headers: [key, origin],
      want: 'HTTP/1.1 400 Bad Request\r\nSec-WebSocket-Version: 13\r\n\r\nmissing or bad WebSocket Version',
    },
    {
      of: 'another version',
      headers: [key, 'sec-websocket-version: 8', origin],
      want: 'HTTP/1.1 400 Bad Request\r\nSec-WebSocket-Version: 13\r\n\r\nmissing or bad WebSocket Version',
    },
    { of: 'no origin', headers: [key, version], want: 'HTTP/1.1 403 Forbidden\r\n\r\n' },
    { of: 'an origin that is not a URI', headers: [key, version, 'origin: null'], want: 'HTTP/1.1 403 Forbidden\r\n\r\n' },
    {
      of: 'two subprotocols',
      headers: [key, version, origin, 'sec-websocket-protocol: a, b'],
      want: 'HTTP/1.1 400 Bad Request\r\n\r\n',
    },
    { of: 'one subprotocol', headers: [key, version, origin, 'sec-websocket-protocol: a'], want: 'HTTP/1.1 101 Switching Protocols' },
  ])('with $of, the handshake is answered as by kube-apiserver', async ({ headers, want }) => {
    const { url, caCertificate, clientCertificate, clientKey } = fixture.server;
    const wire = await RawTls.open({ url, caCertificate, admin: { certificate: clientCertificate, key: clientKey } });
    wire.send(lines(`GET ${maps}?watch=1 HTTP/1.1`, 'host: x', 'connection: upgrade', 'upgrade: websocket', ...headers));
    await wire.until(/\r\n\r\n/);
    if (!want.includes('101')) await wire.closed;
    wire.destroy();
    expect(wire.text.slice(0, want.length)).toBe(want);
    if (!want.includes('101')) expect(wire.text).toHaveLength(want.length);
  });

  test('end after timeoutSeconds', async () => {
    const pending = messages('application/json', { timeoutSeconds: 1, labelSelector: 'is=nothing' }, 1);
    const seen = await whileTimePasses(fixture, clock, pending);
    expect(seen).toEqual([]);
  });
});
