import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { lines, raw } from '../builders/raw.ts';
import { configMaps, dry } from '../builders/targets.ts';
import { large, long, many, mebibyte } from '../builders/text.ts';
import { type Attack, type Attacks, hungUp } from '../harness/attack.ts';

const { path } = configMaps;
const object = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"attacked"}}';
const json = 'content-type: application/json';

const post = `POST ${dry(path)} HTTP/1.1`;
const get = `GET ${path} HTTP/1.1`;
const host = 'host: x';

const first: Attack[] = (
  [
    ['an unknown method', 'FOO / HTTP/1.1', [400]],
    ['a method of 100,000 letters', `${long(100_000, 'A')} / HTTP/1.1`, [400]],
    ['CONNECT', 'CONNECT evil.example.com:443 HTTP/1.1', [hungUp]],
    ['TRACE', `TRACE ${path} HTTP/1.1`, [405]],
    ['an asterisk', 'OPTIONS * HTTP/1.1', [200]],
    ['a whole URL', `GET https://evil.example.com${path} HTTP/1.1`, [200]],
    ['no path', 'GET  HTTP/1.1', [400]],
    ['a path without a slash', 'GET api HTTP/1.1', [400]],
    ['two spaces', `GET  ${path} HTTP/1.1`, [200]],
    ['a tab', `GET\t${path} HTTP/1.1`, [400]],
    ['a version of 9.9', `GET ${path} HTTP/9.9`, [505]],
    ['no version', `GET ${path}`, [400]],
    ['an invalid version', `GET ${path} HTTP/one`, [400]],
    ['a byte above ASCII', `GET ${path}/\xff HTTP/1.1`, [400]],
    ['a zero byte', `GET ${path}/\0 HTTP/1.1`, [400]],
  ] as const
).map(([name, line, codes]) => raw(`a request line with ${name}`, () => [lines(line, host, 'connection: close')], codes));

const hosts: Attack[] = (
  [
    ['no host', [], [400]],
    ['two hosts', ['host: a', 'host: b'], [400]],
    ['the same host twice', ['host: a', 'host: a'], [400]],
    ['an empty host', ['host:'], [200]],
    ['a host with a space', ['host: a b'], [400]],
    ['a host with a slash', ['host: a/b'], [400]],
    ['a host of 100,000 letters', [`host: ${long(100_000)}`], [200]],
  ] as const
).map(([name, more, codes]) => raw(name, () => [lines(get, ...more)], codes));

const lengths: Attack[] = (
  [
    ['both a length and chunks', ['content-length: 5', 'transfer-encoding: chunked'], `${chunk(object)}0\r\n\r\n`, [400]],
    ['chunks and then a length', ['transfer-encoding: chunked', 'content-length: 5'], `${chunk(object)}0\r\n\r\n`, [400]],
    ['two lengths', ['content-length: 5', 'content-length: 6'], object, [400]],
    ['a length with a sign', [`content-length: +${object.length}`], object, [400]],
    ['a negative length', ['content-length: -1'], object, [400]],
    ['a length with a comma', [`content-length: ${object.length}, ${object.length}`], object, [400]],
    ['a length in hexadecimal', ['content-length: 0x45'], object, [400]],
    ['a length of 30 digits', [`content-length: ${long(30, '9')}`], object, [400]],
    ['a length of four gigabytes', ['content-length: 4294967296'], object, [413]],
    ['a length just above the limit', ['content-length: 3145729'], object, [413]],
    ['a length that is too short', ['content-length: 5'], object, [400]],
    ['an encoding of identity', ['transfer-encoding: identity'], object, [501]],
    ['chunks twice', ['transfer-encoding: chunked, chunked'], `${chunk(object)}0\r\n\r\n`, [501]],
    ['an encoding of gzip', ['transfer-encoding: gzip'], object, [501]],
    ['an encoding hidden behind a tab', ['transfer-encoding: x\tchunked'], object, [501]],
    ['a chunk without end', ['transfer-encoding: chunked'], 'fffffffffffffffff\r\n', [400]],
    ['a chunk length that is not a number', ['transfer-encoding: chunked'], 'zz\r\n', [400]],
    ['a negative chunk length', ['transfer-encoding: chunked'], '-5\r\n', [400]],
    ['a chunk that is longer than it message', ['transfer-encoding: chunked'], '1\r\nabcdef\r\n0\r\n\r\n', [400]],
    ['an extension of a megabyte', ['transfer-encoding: chunked'], `5;${long(1_000_000)}\r\n`, [400]],
  ] as const
).map(([name, more, body, codes]) => raw(`a body with ${name}`, () => [lines(post, host, json, ...more), body], codes));

const trickles: Attack[] = [
  raw(
    'a body in 100,000 chunks of one space each',
    () => [lines(post, host, json, 'transfer-encoding: chunked'), long(600_000, '1\r\n \r\n'), `${chunk(object)}0\r\n\r\n`],
    [201],
  ),
  raw('a body that arrives byte by byte', () => [lines(post, host, json, `content-length: ${object.length}`), ...object], [201], {
    pause: 2,
  }),
  raw('headers that arrive byte by byte', () => [...lines(get, host)], [200], { pause: 2 }),
  raw(
    'chunks that exceed the limit',
    () => [lines(post, host, json, 'transfer-encoding: chunked'), ...new Array(64).fill(chunk(long(100_000)))],
    [413],
  ),
  raw(
    '20,000 trailers',
    () => [
      lines(post, host, json, 'transfer-encoding: chunked'),
      `${chunk(object)}0\r\n${many(20_000, (at) => `x${at}: y`, '\r\n')}\r\n\r\n`,
    ],
    [201],
  ),
  raw('a body that breaks off', () => [lines(post, host, json, 'content-length: 1000'), object], [400], {
    ends: true,
  }),
  raw('a client that leaves in its head', () => [get], [hungUp], { leavesAfter: 5 }),
  raw('a client that leaves in its body', () => [lines(post, host, json, 'content-length: 1000'), object], [hungUp], {
    leavesAfter: 5,
  }),
];

const floods: Attack[] = [
  raw('1,000 headers', () => [lines(get, host, ...names(1_000))], [200]),
  raw('10,000 headers', () => [lines(get, host, ...names(10_000))], [200]),
  raw('100,000 headers', () => [lines(get, host, ...names(100_000))], [431]),
  raw('one header 50,000 times', () => [lines(get, host, ...new Array(50_000).fill('a: b'))], [431]),
  raw('a header of 900 KiB', () => [lines(get, host, `x: ${long(900_000)}`)], [200]),
  raw('a header of two mebibytes', () => [lines(get, host, `x: ${long(2 * mebibyte)}`)], [431]),
  raw('a head without end', () => [`${get}\r\n${many(400_000, (at) => `x${at}: y`, '\r\n')}`], [431]),
  raw('a header without a colon', () => [lines(get, host, 'nonsense')], [400]),
  raw('a space in front of a colon', () => [lines(get, host, 'content-length : 5')], [400]),
  raw('a header without a name', () => [lines(get, host, ': x')], [400]),
  raw('a zero byte in a header', () => [lines(get, host, 'x: a\0b')], [400]),
  raw('a header over two lines', () => [lines(get, host, 'x: a', ' b')], [400]),
  raw('a header with a line feed alone', () => [lines(get, host, 'x: a\ny: b')], [400]),
  raw('1,000 requests at once', () => [long(lines(get, host).length * 1_000, lines(get, host))], [200]),
  raw('a request in the body of another', () => [lines(get, host, 'content-length: 30'), lines(get, host)], [200]),
];

const get2 = (name: string, header: string, value: () => string, codes: readonly number[], as: string = path): Attack => ({
  name,
  send: () => ({ method: 'GET', path: as, headers: { [header]: value() } }),
  codes,
});

const values: Attack[] = [
  get2('an Accept of 100,000 unsupported types', 'accept', () => many(100_000, () => 'a/b'), [406]),
  get2('an Accept of 100,000 types and one that is served', 'accept', () => `${many(50_000, () => 'a/b')},application/json`, [200]),
  get2('an Accept of 200,000 parameters', 'accept', () => `application/json${long(800_000, ';a=b')}`, [200]),
  get2('an Accept of commas', 'accept', () => long(900_000, ','), [406]),
  get2('an Accept of quotes', 'accept', () => `a/b;c=${long(900_000, '"\\')}`, [406]),
  get2('an Accept of a table in version __proto__', 'accept', () => 'application/json;as=Table;g=meta.k8s.io;v=__proto__', [406]),
  get2('an Accept with a quality of many digits', 'accept', () => `application/json;q=0.${long(500_000, '1')}`, [200]),
  get2('an Accept-Encoding of 100,000', 'accept-encoding', () => many(100_000, () => 'x;q=0.1'), [200]),
  get2('a User-Agent of 900 KB', 'user-agent', () => long(900_000), [200]),
  get2('an Audit-ID of 900 KB', 'audit-id', () => long(900_000), [200]),
  get2('a traceparent of 900 KB', 'traceparent', () => long(900_000), [200]),
  get2('an If-None-Match of 900 KB', 'if-none-match', () => long(900_000, '"a",'), [200], '/openapi/v2'),
  get2('a Range', 'range', () => `bytes=${many(100_000, () => '0-1')}`, [200]),
  get2('a group to impersonate without a user', 'impersonate-group', () => 'x', [400]),
  get2('a user of 500 KB to impersonate', 'impersonate-user', () => long(500_000), [403]),
  get2('a user __proto__ to impersonate', 'impersonate-user', () => '__proto__', [403]),
  raw(
    '10,000 groups to impersonate',
    () => [lines(get, host, 'impersonate-user: x', ...new Array(10_000).fill('impersonate-group: y'))],
    [403],
  ),
  raw(
    '1,000 extras to impersonate',
    () => [lines(get, host, 'impersonate-user: x', ...many(1_000, (at) => `impersonate-extra-e${at}: y`).split(','))],
    [403],
  ),
  raw('an unknown expectation', () => [lines(post, host, json, 'expect: magic', `content-length: ${object.length}`), object], [417]),
  raw(
    'an expectation of 100-continue',
    () => [lines(post, host, json, 'expect: 100-continue', `content-length: ${object.length}`), object],
    [201],
  ),
];

const typed = (name: string, type: string, codes: readonly number[]): Attack => ({
  name: `a Content-Type of ${name}`,
  send: () => ({ method: 'POST', path: dry(path), headers: { 'content-type': type }, body: object }),
  codes,
});

const types: Attack[] = [
  typed('an unknown type', 'unknown/type', [415]),
  typed('only a semicolon', ';', [415]),
  typed('100,000 letters', long(100_000), [415]),
  typed('100,000 parameters', `application/json${long(400_000, ';a=b')}`, [201]),
  typed('an open quote', 'application/json;charset="', [415]),
  typed('CBOR where its gate is closed', 'application/cbor', [415]),
  typed('a form', 'multipart/form-data; boundary=x', [415]),
];

const zipped = (name: string, body: () => Uint8Array, codes: readonly number[], encoding = 'gzip'): Attack => ({
  name,
  send: () => ({
    method: 'POST',
    path: dry(path),
    headers: { 'content-type': 'application/json', 'content-encoding': encoding },
    body: body(),
  }),
  codes,
});

/** A Content-Encoding does not count: compressed bytes are no JSON. */
const gzip: Attack[] = [
  zipped('100 MiB of zeros in gzip', () => gzipSync(Buffer.alloc(100 * mebibyte)), [400]),
  zipped('an object and 100 MiB of spaces in gzip', () => gzipSync(object + long(100 * mebibyte, ' ')), [400]),
  zipped('200 members of 5 MiB in gzip', () => Buffer.concat(new Array(200).fill(gzipSync(Buffer.alloc(5 * mebibyte)))), [400]),
  zipped('gzip in gzip', () => gzipSync(gzipSync(object)), [400]),
  zipped('gzip that is cut short', () => gzipSync(randomBytes(100_000)).subarray(0, 50_000), [400]),
  zipped('gzip with a wrong sum', () => Buffer.concat([gzipSync(object).subarray(0, -8), Buffer.alloc(8)]), [400]),
  zipped('an object that is not compressed', () => Buffer.from(object), [201]),
  zipped('empty gzip', () => Buffer.alloc(0), [400]),
  zipped('3 MiB of gzip heads', () => Buffer.alloc(large, gzipSync('')), [400]),
  zipped('brotli', () => Buffer.from(object), [201], 'br'),
  zipped('a hundred encodings', () => gzipSync(object), [400], long(600, 'gzip, ')),
];

export const headers: Attacks = {
  title: 'headers and framing',
  rows: [...first, ...hosts, ...lengths, ...trickles, ...floods, ...values, ...types, ...gzip],
};

function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

const names = (many: number): string[] => Array.from({ length: many }, (_, at) => `x-header-${at}: y`);
