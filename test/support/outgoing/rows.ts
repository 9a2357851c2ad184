import type { ProbeAnswer } from './probe-server.ts';

/** A called server, and the client's error if the call fails. */
export interface Row {
  readonly title: string;
  /** The tested aspect. */
  readonly about: 'certificate' | 'path' | 'answer' | 'redirect' | 'handshake' | 'host';
  /** The listener of the probe server. Default: `issued`. */
  readonly listener?: string;
  /** The path of the URL. Default: `/` and the row's number. */
  readonly path?: string;
  /** Default: 127.0.0.1. */
  readonly host?: string;
  readonly answer?: ProbeAnswer;
  readonly timeoutSeconds?: number;
}

const respond =
  (status: number, body = '', headers: Record<string, string> = {}): ProbeAnswer =>
  (response) =>
    response.writeHead(status, headers).end(body);

const text = { 'content-type': 'text/plain' };
const json = { 'content-type': 'application/json' };
const status = (fields: object): string => JSON.stringify({ kind: 'Status', apiVersion: 'v1', ...fields });

const certificates: Omit<Row, 'about'>[] = [
  'issued',
  'untrusted',
  'selfSigned',
  'selfSignedUntrusted',
  'chain',
  'chainWithoutRoot',
  'intermediateAsRoot',
  'intermediateMissing',
  'leafAsRoot',
  'impostor',
  'byLeaf',
  'otherName',
  'otherAddress',
  'commonNameOnly',
  'noName',
  'expired',
  'future',
  'clientOnly',
  'expiredRoot',
  'plain',
  'closing',
  'resetting',
  'refusing',
].map((listener) => ({ title: `certificate ${listener}`, listener, path: '/seen' }));

const paths: Omit<Row, 'about'>[] = [
  '',
  '/',
  '//double',
  '/a//b',
  '/slash/',
  '/a%2Fb',
  '/a%20b',
  '/a/../b',
  '/./a',
  '/%C3%A9',
  '/a+b',
  '/a:b@c',
].map((path) => ({ title: `path "${path}"`, path }));

const bodies: Readonly<Record<string, readonly [string, Record<string, string>]>> = {
  'no body': ['', {}],
  'no body of JSON': ['', json],
  text: ['broken\n', text],
  'text without a type': ['broken', {}],
  'JSON that is no Status': ['{}', json],
  'a type that is none': ['broken', { 'content-type': 'text/' }],
  'a failed Status': [status({ status: 'Failure', message: 'no', reason: 'Invalid', code: 422 }), json],
  'a failed Status without a message': [status({ status: 'Failure', code: 409 }), json],
  'a successful Status': [status({ status: 'Success', message: 'yes' }), json],
  'a Status without its kind': ['{"status":"Failure","message":"no","code":400}', json],
};

const statuses = [200, 201, 204, 206, 207, 300, 304, 400, 401, 403, 404, 405, 406, 409, 410, 415, 418, 422, 429, 500, 502, 503, 504, 599];

const answers: Omit<Row, 'about'>[] = [
  ...statuses.flatMap((code) =>
    ['no body', 'text'].map((kind) => ({ title: `${code} with ${kind}`, answer: respond(code, ...bodies[kind]) })),
  ),
  ...[200, 403, 406, 500].flatMap((code) =>
    Object.keys(bodies)
      .filter((kind) => kind !== 'no body' && kind !== 'text')
      .map((kind) => ({ title: `${code} with ${kind}`, answer: respond(code, ...bodies[kind]) })),
  ),
  { title: 'long text', answer: respond(500, 'x'.repeat(3000), text) },
  { title: 'closed without an answer', answer: (response) => void response.socket?.destroy() },
  {
    title: 'cut off',
    answer: (response) => response.writeHead(200, { 'content-length': 100 }).write('{', () => response.destroy()),
  },
  { title: 'no answer', answer: () => undefined, timeoutSeconds: 1 },
  {
    title: 'no end of the answer',
    answer: (response) => void response.writeHead(200, json).write('{'),
    timeoutSeconds: 1,
  },
  { title: 'Retry-After longer than the timeout', answer: respond(429, '', { 'retry-after': '9' }), timeoutSeconds: 1 },
  { title: 'Retry-After of zero', answer: respond(503, 'busy', { ...text, 'retry-after': '0' }) },
  {
    title: 'Retry-After that is a date',
    answer: respond(503, 'busy', { ...text, 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }),
  },
  { title: 'no HTTP', answer: (response) => response.socket?.end('garbage\r\n\r\n') },
  { title: 'no status', answer: (response) => response.socket?.end('HTTP/1.1 abc OK\r\n\r\n') },
];

const redirects: Omit<Row, 'about'>[] = [
  ...[300, 301, 302, 303, 304, 307, 308].flatMap((code) => [
    { title: `${code} to another path`, answer: respond(code, '', { location: '/seen?x=y' }) },
    { title: `${code} without a location`, answer: respond(code) },
  ]),
  { title: '307 to itself', path: '/loop', answer: respond(307, '', { location: '/loop' }) },
  { title: '307 relative', path: '/deep/er', answer: respond(307, '', { location: '../seen' }) },
  { title: '307 to no URL', answer: respond(307, '', { location: 'https://[::1' }) },
  { title: '307 to another scheme', answer: respond(307, '', { location: 'ftp://127.0.0.1/x' }) },
  { title: '307 to nobody', answer: respond(307, '', { location: 'https://127.0.0.1:1/x' }) },
];

/** Answers that few servers give, as bytes. Connections that end are not kept, so that no other row gets them. */
const bytes =
  (text: string): ProbeAnswer =>
  (response) =>
    response.socket?.end(text);
const refusal = status({ status: 'Failure', message: 'no', code: 400 });
const oddAnswers: Omit<Row, 'about'>[] = Object.entries({
  'lines without carriage returns': `HTTP/1.1 400 no\nConnection: close\nContent-Type: application/json\nContent-Length: ${refusal.length}\n\n${refusal}`,
  'a name with a space': `HTTP/1.1 400 no\r\nA b: c\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${refusal.length}\r\n\r\n${refusal}`,
  'HTTP/1.2': `HTTP/1.2 400 no\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${refusal.length}\r\n\r\n${refusal}`,
  'an unknown transfer encoding': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: foo\r\n\r\n{}',
  'headers that break off': 'HTTP/1.1 200 OK\r\nA: b\r\n',
  'a chunk without a length': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n{}\r\n',
}).map(([title, text]) => ({ title, answer: bytes(text) }));

const listeners = ['garbage', 'brief', 'lateVersion', 'sslV2', 'oversized', 'halfRecord', 'alert'];
const handshakes: Omit<Row, 'about'>[] = listeners.map((listener) => ({ title: `handshake ${listener}`, listener }));

/** Names that no resolver is asked about. */
const hosts: Omit<Row, 'about'>[] = ['256.1.1.1', 'x.onion', 'x-.invalid'].map((host) => ({ title: `host ${host}`, host }));

const about = (what: Row['about'], all: readonly Omit<Row, 'about'>[]): Row[] => all.map((row) => ({ ...row, about: what }));

export const rows: readonly Row[] = [
  ...about('certificate', certificates),
  ...about('path', paths),
  ...about('answer', answers),
  ...about('redirect', redirects),
  ...about('handshake', handshakes),
  ...about('host', hosts),
  ...about('answer', oddAnswers),
].map((row, at) => ({ path: `/row-${at}`, ...row }));
