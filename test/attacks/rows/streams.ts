import { lines } from '../builders/raw.ts';
import { configMaps } from '../builders/targets.ts';
import type { Attack, Attacks, Raw, Request } from '../harness/attack.ts';
import { hungUp } from '../harness/attack.ts';

const pods = '/api/v1/namespaces/default/pods';
const mebibyte = 2 ** 20;

/** A chunk of TLS, and garbage before its collection. */
const someMemory = 100 * mebibyte;

const pod: Request = {
  method: 'POST',
  path: pods,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    metadata: {
      name: 'attacked',
      annotations: {
        'simulation.kubeloom.dev/log': 'started',
        'simulation.kubeloom.dev/port.80': 'echo',
        'simulation.kubeloom.dev/port.81': `http: ${'x'.repeat(100_000)}`,
      },
    },
    spec: { containers: [{ name: 'main', image: 'busybox' }] },
  }),
};

const webSocket = (path: string, protocol = 'v4.channel.k8s.io'): string =>
  lines(
    `GET ${path} HTTP/1.1`,
    'host: x',
    'connection: upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
    'origin: https://attacks',
    `sec-websocket-protocol: ${protocol}`,
  );

const spdy = (path: string, protocol: string): string =>
  lines(`POST ${path} HTTP/1.1`, 'host: x', 'connection: upgrade', 'upgrade: SPDY/3.1', `x-stream-protocol-version: ${protocol}`);

/** Returns a WebSocket frame with a mask of zeros. */
function message(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload;
  const size = length < 126 ? Buffer.alloc(0) : Buffer.alloc(length < 65_536 ? 2 : 8);
  if (size.length === 2) size.writeUInt16BE(length);
  if (size.length === 8) size.writeBigUInt64BE(BigInt(length));
  const kind = length < 126 ? length : size.length === 2 ? 126 : 127;
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | kind]), size, Buffer.alloc(4), payload]);
}

const times = (bytes: Uint8Array, total: number): Buffer => Buffer.alloc(total - (total % bytes.length), bytes);
const ping = message(9, Buffer.alloc(125, 'p'));
/** A SPDY PING with a client's number. */
const spdyPing = Buffer.from('800300060000000400000001', 'hex');
/** SYN_STREAM with headers that cannot be decompressed, and RST_STREAM and DATA of unknown streams. */
const spdyData = Buffer.from('000000070000000178', 'hex');

/** A client that writes and never reads. */
const deaf = (name: string, wire: () => Raw['wire']): Attack => ({
  name: `a client that reads nothing: ${name}`,
  send: () => ({ wire: wire(), isDeaf: true, leavesAfter: 2_000 }),
  codes: [hungUp],
  maxGrown: someMemory,
});

const exec = (...command: string[]): string =>
  `${pods}/attacked/exec?stdout=1&stdin=1&${command.map((word) => `command=${encodeURIComponent(word)}`).join('&')}`;

const pings = 24 * mebibyte;

const floods: Attack[] = [
  deaf('pings to exec', () => [webSocket(exec('sleep', '60')), times(ping, pings)]),
  deaf('pings to a watch', () => [webSocket(`${configMaps.path}?watch=1`, 'a'), times(ping, pings)]),
  deaf('pings to a log', () => [webSocket(`${pods}/attacked/log?follow=1`, 'binary.k8s.io'), times(ping, pings)]),
  deaf('pings to portforward', () => [webSocket(`${pods}/attacked/portforward?ports=80`), times(ping, pings)]),
  deaf('pings to a tunnel', () => [webSocket(`${pods}/attacked/portforward`, 'SPDY/3.1+portforward.k8s.io'), times(ping, pings)]),
  deaf('pings of SPDY', () => [spdy(exec('sleep', '60'), 'v4.channel.k8s.io'), times(spdyPing, pings / 4)]),
  deaf('pings of SPDY in a tunnel', () => [
    webSocket(`${pods}/attacked/portforward`, 'SPDY/3.1+portforward.k8s.io'),
    times(message(2, times(spdyPing, 60_000)), pings / 4),
  ]),
  deaf('data for no stream of SPDY', () => [spdy(exec('sleep', '60'), 'v4.channel.k8s.io'), times(spdyData, pings / 4)]),
  deaf('close frames', () => [webSocket(exec('sleep', '60')), times(message(8, Buffer.from([3, 232])), pings / 4)]),
  deaf('input that a command does not read', () => [webSocket(exec('sleep', '60')), times(message(2, Buffer.from('\0x')), pings / 4)]),
  deaf('what is echoed', () => [webSocket(`${pods}/attacked/portforward?ports=80`), times(message(2, Buffer.alloc(60_000)), pings)]),
  deaf('requests with long answers', () => [
    webSocket(`${pods}/attacked/portforward?ports=81`),
    times(message(2, Buffer.from('\0\r\n\r\n')), pings / 4),
  ]),
  deaf('sizes of a terminal', () => [
    webSocket(`${exec('sleep', '60')}&tty=1`),
    times(message(2, times(Buffer.from('{}'), 60_000)), pings / 4),
    times(message(2, Buffer.from(`\x04${'{}'.repeat(30_000)}`)), pings / 4),
  ]),
];

/** Runs a script to its end. The server's text `done` marks the end. */
const script = (name: string, text: string, done = '"status":"', input: () => Raw['wire'] = () => []): Attack => ({
  name: `a script that ${name}`,
  send: () => ({ wire: [webSocket(exec('sh', '-c', text)), ...input()], until: done }),
  codes: [101],
  maxGrown: 3 * someMemory,
});

const megabyte = `X=0123456789abcdef;${'X=$X$X;'.repeat(16)}echo $X >/tmp/f;`;

const scripts: Attack[] = [
  script('writes 1 MiB 3,000 times', `${megabyte}${'cat /tmp/f>/tmp/g;'.repeat(3_000)}`),
  script('reads 1 MiB 3,000 times', `${megabyte}${'cat /tmp/f>/dev/null;'.repeat(2_900)}`),
  script('pipes 1 MiB 800 times', `${megabyte}cat /tmp/f${'|cat'.repeat(800)}>/dev/null`),
  script('prints 1 MiB 100 times', `${megabyte}${'cat /tmp/f;'.repeat(100)}`),
  script(
    'has 2,500 large variables',
    `${megabyte}${Array.from({ length: 2_500 }, (_, at) => `V${at}=y$X;echo $V${at}>/dev/null;`)
      .join('')
      .slice(0, 60_000)}`,
  ),
  script('runs itself', `export A='sh -c "$A"'; sh -c "$A"`),
  script('runs itself twice', `export A='sh -c "$A"; sh -c "$A"'; sh -c "$A"`),
  script('negates 30,000 times', `test ${'! '.repeat(30_000)} x`),
  script('makes deep folders', `mkdir ${'a/'.repeat(30_000)}`),
  script(
    'lists 15,000 times',
    `mkdir ${Array.from({ length: 4_000 }, (_, at) => `/tmp/${at}`).join(' ')};ls ${'/tmp '.repeat(5_000)}>/dev/null`,
  ),
  script('removes 20,000 times', `mkdir ${Array.from({ length: 4_000 }, (_, at) => `/tmp/${at}`).join(' ')};rm -f ${'x '.repeat(15_000)}`),
  script('cuts lines', `${megabyte}${'tail -n 1 /tmp/f>/dev/null;head -n 1 /tmp/f>/dev/null;'.repeat(1_000)}`),
  script('reads input byte by byte', 'head -n 1', '"status":"', () => [
    times(message(2, Buffer.from('\0x')), 6 * mebibyte),
    message(8, Buffer.from([3, 232])),
  ]),
  script('unpacks empty files', 'tar xf - -C /tmp', '"status":"', () => [
    message(2, Buffer.concat([Buffer.from([0]), archiveOf(6_000)])),
    message(2, Buffer.alloc(1025)),
  ]),
];

/** Returns an archive of empty files with different names. */
function archiveOf(count: number): Buffer {
  const blocks = Buffer.alloc(512 * count);
  for (let at = 0; at < count; at++) {
    blocks.write(`f${at}`, 512 * at);
    blocks.write('00000000000', 512 * at + 124);
    blocks.write('0', 512 * at + 156);
  }
  return blocks;
}

/** Opens the connection of a flood before its other bytes. */
const opening = ({ name, send }: Attack): Attack => ({
  name: `${name}: is connected`,
  send: () => ({ wire: (send() as Raw).wire.slice(0, 1) }),
  codes: [101],
});

export const streams: Attacks = {
  title: 'streams',
  flags: ['--simulate'],
  setup: [pod],
  serves: [`${pods}/attacked/log`],
  rows: [...floods.map(opening), ...floods, ...scripts],
};
