import { randomBytes } from 'node:crypto';
import { frame, frames, preface } from '../../support/raw-tls.ts';
import { lines, raw } from '../builders/raw.ts';
import { configMaps } from '../builders/targets.ts';
import { large, long, many } from '../builders/text.ts';
import { type Attack, type Attacks, hungUp, type Raw } from '../harness/attack.ts';

const { path } = configMaps;
const get = `GET ${path} HTTP/1.1`;
const host = 'host: x';

const upgrade = 'connection: upgrade';
const webSocket = [
  upgrade,
  'upgrade: websocket',
  'sec-websocket-version: 13',
  'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
  'origin: https://attacks',
];
const watch = `GET ${path}?watch=1 HTTP/1.1`;

const upgrades: Attack[] = [
  raw('WebSocket without a key', () => [lines(watch, host, ...webSocket.slice(0, 3))], [400]),
  raw('WebSocket with a key that is too short', () => [lines(watch, host, ...webSocket.slice(0, 3), 'sec-websocket-key: x')], [403]),
  raw('WebSocket without an origin', () => [lines(watch, host, ...webSocket.slice(0, 4))], [403]),
  raw('WebSocket of the origin null', () => [lines(watch, host, ...webSocket.slice(0, 4), 'origin: null')], [403]),
  raw(
    'WebSocket of version 8',
    () => [lines(watch, host, upgrade, 'upgrade: websocket', 'sec-websocket-version: 8', ...webSocket.slice(3))],
    [400],
  ),
  raw('WebSocket with unknown protocols', () => [lines(watch, host, ...webSocket, 'sec-websocket-protocol: a, b, __proto__')], [400]),
  raw(
    'WebSocket with 50,000 protocols',
    () => [lines(watch, host, ...webSocket, `sec-websocket-protocol: ${many(50_000, (at) => `p${at}`)}`)],
    [400],
  ),
  raw(
    'WebSocket with invalid extensions',
    () => [lines(watch, host, ...webSocket, `sec-websocket-extensions: ${long(100_000, 'a;b="')}`)],
    [101],
  ),
  raw('WebSocket on a GET', () => [lines(get, host, ...webSocket)], [200]),
  raw('WebSocket on an unknown path', () => [lines('GET /nowhere HTTP/1.1', host, ...webSocket)], [404]),
  raw('WebSocket followed by junk', () => [lines(watch, host, ...webSocket), Buffer.alloc(100_000, 0xff)], [101]),
  raw('a WebSocket frame of 2^60 bytes', () => [lines(watch, host, ...webSocket), webSocketFrame(2n ** 60n)], [101]),
  raw('WebSocket frames without a mask', () => [lines(watch, host, ...webSocket), long(60_000, '\x81\x01a')], [101]),
  raw('an upgrade to h2c', () => [lines(get, host, 'connection: upgrade, http2-settings', 'upgrade: h2c', 'http2-settings: AAAA')], [200]),
  raw('an empty upgrade', () => [lines(get, host, upgrade, 'upgrade:')], [200]),
];

const two = (name: string, wire: () => Raw['wire']): Attack =>
  // a client that breaks HTTP/2 is disconnected, or ignored until it leaves
  raw(`HTTP/2: ${name}`, () => wire(), [hungUp], { speaks: 'h2', leavesAfter: 300 });

const http2: Attack[] = [
  two('no preface', () => ['GET / HTTP/1.1\r\n\r\n']),
  two('random bytes', () => [preface, randomBytes(100_000)]),
  two('100,000 pings', () => [preface, Buffer.alloc(1_700_000, frame(frames.ping, 0, 0, Buffer.alloc(8)))]),
  two('100,000 settings', () => [preface, Buffer.alloc(900_000, frame(frames.settings, 0, 0))]),
  two('100,000 empty pieces of data', () => [preface, Buffer.alloc(900_000, frame(frames.data, 0, 1))]),
  two('10,000 streams that are reset', () => [
    preface,
    ...Array.from({ length: 10_000 }, (_, at) =>
      // :method GET, :scheme https, :path /
      Buffer.concat([
        frame(frames.headers, 5, 2 * at + 1, Buffer.from([0x82, 0x87, 0x84])),
        frame(frames.reset, 0, 2 * at + 1, Buffer.alloc(4)),
      ]),
    ),
  ]),
  two('headers that never end', () => [
    preface,
    frame(frames.headers, 0, 1, Buffer.from([0x82])),
    Buffer.alloc(900_000, frame(frames.continuation, 0, 1)),
  ]),
  two('windows that exceed 2^31', () => [
    preface,
    Buffer.alloc(130_000, frame(frames.windowUpdate, 0, 0, Buffer.from([0x7f, 0xff, 0xff, 0xff]))),
  ]),
  two('a frame of 16 MiB that never arrives', () => [preface, Buffer.from([0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 1])]),
];

const plain: Attack[] = [
  raw('HTTP without TLS', () => [lines(get, host)], [400], { speaks: 'plain' }),
  raw('random bytes without TLS', () => [randomBytes(100_000)], [hungUp], { speaks: 'plain', leavesAfter: 300 }),
  raw('a handshake that stops', () => [Buffer.from('16030100', 'hex')], [hungUp], { speaks: 'plain', leavesAfter: 50 }),
  raw('a record of TLS that is too long', () => [Buffer.from('160301ffff', 'hex'), Buffer.alloc(70_000)], [hungUp], {
    speaks: 'plain',
    leavesAfter: 300,
  }),
  raw('TLS without HTTP', () => ['nonsense\r\n\r\n'], [400]),
  raw('TLS and 3 MiB of zero bytes', () => [Buffer.alloc(large)], [400]),
];

export const connections: Attacks = {
  title: 'upgrades, HTTP/2 and TLS',
  rows: [...upgrades, ...http2, ...plain],
};

/** Returns the head of a WebSocket frame with a mask. */
function webSocketFrame(length: bigint): Buffer {
  const head = Buffer.alloc(14);
  head[0] = 0x82;
  head[1] = 0xff;
  head.writeBigUInt64BE(length, 2);
  return head;
}
