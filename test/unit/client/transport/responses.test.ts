import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { RESTClient } from '../../../../runtime/client/transport/rest-client.ts';
import { Transport } from '../../../../runtime/client/transport/transport.ts';

const broken = 'net/http: HTTP/1.x transport connection broken:';
const retry = 'unexpected error when reading response body. Please retry. Original error:';

/** The bytes of a response, and the resulting error of a client in kube-apiserver v1.35.0. */
describe.each(['at once', 'a byte at a time'])('a response that comes %s, with', (pace) => {
  let server: Server;
  let url: string;
  let bytes = '';

  beforeAll(async () => {
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => send(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
  });

  async function send(socket: Socket): Promise<void> {
    const all = Buffer.from(bytes, 'latin1');
    if (pace === 'at once') socket.write(all);
    else {
      for (const byte of all) {
        socket.write(Buffer.of(byte));
        await setImmediate();
      }
    }
    socket.end();
  }

  async function post(): Promise<string> {
    const transport = new Transport();
    const client = new RESTClient({ url, transport, headers: {}, credentials: () => ({}) });
    try {
      const { status, body } = await client.post(Buffer.from('{}'), { timeout: 30_000, maxResponseBytes: 1000 });
      return `${status} ${body}`;
    } catch (error) {
      return (error as Error).message.replace(/^Post "[^"]*": /, '');
    } finally {
      transport.close();
    }
  }

  const failed = (text: string): string => `an error on the server ("${text}") has prevented the request from succeeding`;
  test.each([
    ['HTTP/1.0', 'HTTP/1.0 500 x\r\nContent-Type: text/plain\r\n\r\nold', failed('old')],
    ['a status without a text', 'HTTP/1.1 500\r\nContent-Length: 0\r\n\r\n', failed('')],
    ['a status of two digits', 'HTTP/1.1 50 x\r\n\r\n', `${broken} malformed HTTP status code "50"`],
    ['a status of four digits', 'HTTP/1.1 5000 x\r\n\r\n', `${broken} malformed HTTP status code "5000"`],
    ['no HTTP', 'garbage\r\n\r\n', `${broken} malformed HTTP response "garbage"`],
    ['nothing', '', 'EOF'],
    ['a header without a colon', 'HTTP/1.1 500 x\r\nbroken\r\n\r\n', `${broken} malformed MIME header: missing colon: "broken"`],
    ['a header without a name', 'HTTP/1.1 500 x\r\n: broken\r\n\r\n', `${broken} malformed MIME header line: ": broken"`],
    ['a length that is none', 'HTTP/1.1 500 x\r\nContent-Length: x\r\n\r\n', `${broken} bad Content-Length "x"`],
    ['a length below zero', 'HTTP/1.1 500 x\r\nContent-Length: -1\r\n\r\n', `${broken} bad Content-Length "-1"`],
    [
      'two lengths',
      'HTTP/1.1 500 x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      `${broken} http: message cannot contain multiple Content-Length headers; got ["1" "2"]`,
    ],
    ['a body that is too short', 'HTTP/1.1 200 x\r\nContent-Length: 9\r\n\r\nab', `${retry} unexpected EOF`],
    ['chunks that end', 'HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n', '200 ab'],
    ['chunks that break off', 'HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nab', `${retry} unexpected EOF`],
    [
      'gzip that is none, and short',
      'HTTP/1.1 200 x\r\nContent-Encoding: gzip\r\nContent-Length: 9\r\n\r\nplaintext',
      `${retry} unexpected EOF`,
    ],
    [
      'gzip that is none',
      'HTTP/1.1 200 x\r\nContent-Encoding: gzip\r\nContent-Length: 11\r\n\r\nplain texts',
      `${retry} gzip: invalid header`,
    ],
    ['gzip without a body', 'HTTP/1.1 200 x\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n', '200 '],
    ['lines without carriage returns', 'HTTP/1.1 200 OK\nContent-Length: 2\nX-A: b\n\nab', '200 ab'],
    ['mixed lines', 'HTTP/1.1 200 OK\r\nContent-Length: 2\nX-A: b\r\n\nab', '200 ab'],
    ['a name with a space', 'HTTP/1.1 200 OK\r\nA b: c\r\nContent-Length: 2\r\n\r\nab', '200 ab'],
    ['a space before the colon', 'HTTP/1.1 200 OK\r\nX-A : c\r\nContent-Length : 1\r\nContent-Length: 2\r\n\r\nab', '200 ab'],
    ['HTTP/1.2', 'HTTP/1.2 200 OK\r\nContent-Length: 2\r\n\r\nab', '200 ab'],
    ['HTTP/2.0', 'HTTP/2.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n', '200 ab'],
    ['HTTP/0.9', 'HTTP/0.9 200 OK\r\nContent-Length: 2\r\n\r\nab', '200 ab'],
    ['HTTP/1.10', 'HTTP/1.10 200 OK\r\n\r\n', `${broken} malformed HTTP version "HTTP/1.10"`],
    ['http in lower case', 'http/1.1 200 OK\r\n\r\n', `${broken} malformed HTTP version "http/1.1"`],
    ['no version', '200 OK\r\n\r\n', `${broken} malformed HTTP status code "OK"`],
    ['no space', 'HTTP/1.1\r\n\r\n', `${broken} malformed HTTP response "HTTP/1.1"`],
    ['spaces before the status', 'HTTP/1.1   200 OK\r\nContent-Length: 2\r\n\r\nab', '200 ab'],
    [
      'an unknown transfer encoding',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: foo\r\n\r\nab',
      `${broken} unsupported transfer encoding: "foo"`,
    ],
    [
      'identity',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nContent-Length: 2\r\n\r\nab',
      `${broken} unsupported transfer encoding: "identity"`,
    ],
    [
      'two transfer encodings',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n\r\nab',
      `${broken} too many transfer encodings: ["chunked" "gzip"]`,
    ],
    [
      'a list of transfer encodings',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\nab',
      `${broken} unsupported transfer encoding: "gzip, chunked"`,
    ],
    ['CHUNKED', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: CHUNKED\r\n\r\n2\r\nab\r\n0\r\n\r\n', '200 ab'],
    ['chunks and a length', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n', '200 ab'],
    ['chunks of HTTP/1.0', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n', '200 2\r\nab\r\n0\r\n\r\n'],
    ['the same length twice', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2 \r\n\r\nab', '200 ab'],
    ['an empty length', 'HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\nab', `${broken} invalid empty Content-Length ""`],
    ['a signed length', 'HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nab', `${broken} bad Content-Length "+2"`],
    [
      'a very large length',
      'HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775808\r\n\r\nab',
      `${broken} bad Content-Length "9223372036854775808"`,
    ],
    ['no length', 'HTTP/1.1 200 OK\r\nX-A: b\r\n\r\nab', '200 ab'],
    ['more than its length', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabcdef', '200 ab'],
    ['a folded header', 'HTTP/1.1 200 OK\r\nX-A: a\r\n  b\r\n\tc\r\nContent-Length: 2\r\n\r\nab', '200 ab'],
    ['a first header that is indented', 'HTTP/1.1 200 OK\r\n X-A: a\r\n\r\n', `${broken} malformed MIME header initial line: " X-A: a"`],
    ['a control character in a value', 'HTTP/1.1 200 OK\r\nX-A: a\x01b\r\n\r\n', `${broken} malformed MIME header line: "X-A: a\\x01b"`],
    ['a carriage return in a value', 'HTTP/1.1 200 OK\r\nX-A: a\rb\r\n\r\n', `${broken} malformed MIME header line: "X-A: a\\rb"`],
    ['an empty value', 'HTTP/1.1 200 OK\r\nX-A:\r\nContent-Length: 2\r\n\r\nab', '200 ab'],
    ['a name that is none', 'HTTP/1.1 200 OK\r\nX(A: a\r\n\r\n', `${broken} malformed MIME header line: "X(A: a"`],
    ['headers that break off', 'HTTP/1.1 200 OK\r\nX-A: a\r\n', `${broken} unexpected EOF`],
    ['a header that breaks off', 'HTTP/1.1 200 OK\r\nX-A', `${broken} malformed MIME header: missing colon: "X-A"`],
    ['a value that breaks off', 'HTTP/1.1 200 OK\r\nX-A: b', `${broken} unexpected EOF`],
    ['a status line that breaks off', 'HTTP/1.1 200 O', `${broken} unexpected EOF`],
    ['a version that breaks off', 'HTTP/1', `${broken} malformed HTTP response "HTTP/1"`],
    [
      'a chunk without a length',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\nab\r\n',
      `${retry} empty hex number for chunk length`,
    ],
    [
      'a chunk with a length that is none',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\nab\r\n',
      `${retry} invalid byte in chunk length`,
    ],
    [
      'a chunk with a very long length',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n11111111111111111\r\nab\r\n',
      `${retry} http chunk length too large`,
    ],
    ['a chunk with spaces after its length', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2 \t\r\nab\r\n0\r\n\r\n', '200 ab'],
    ['a chunk with an extension', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nab\r\n0;c\r\n\r\n', '200 ab'],
    [
      'a chunk whose line ends without a carriage return',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\nab\r\n0\r\n\r\n',
      `${retry} chunked line ends with bare LF`,
    ],
    [
      'a chunk with a carriage return in its line',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r;\r\nab\r\n0\r\n\r\n',
      `${retry} invalid CR in chunked line`,
    ],
    [
      'a chunk that is longer than its length',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n',
      `${retry} malformed chunked encoding`,
    ],
    ['trailers', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\nX-B: c\r\n\r\n', '200 ab'],
    [
      'trailers that break off',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\nX-B: c\r\n',
      `${retry} http: suspiciously long trailer after chunked body`,
    ],
    [
      'no end of the chunks',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n',
      `${retry} http: unexpected EOF reading trailer`,
    ],
    ['no end of a length', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2', `${retry} unexpected EOF`],
    ['no last chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n', `${retry} unexpected EOF`],
    ['204 with chunks', 'HTTP/1.1 204 No\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n', '204 '],
    ['204 with a length', 'HTTP/1.1 204 No\r\nContent-Length: 2\r\n\r\nab', '204 '],
    ['hints and more', 'HTTP/1.1 103 x\r\nLink: a\r\n\r\nHTTP/1.1 100 x\r\n\r\nHTTP/1.1 200 OK\nContent-Length: 2\r\n\r\nab', '200 ab'],
    ['a status of -12', 'HTTP/1.1 -12 x\r\n\r\n', `${broken} malformed HTTP status code "-12"`],
    ['no text of a status', 'HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nab', '200 ab'],
    ['hints before it', 'HTTP/1.1 103 x\r\nLink: a\r\n\r\nHTTP/1.1 500 x\r\nContent-Length: 0\r\n\r\n', failed('')],
  ])('%s', async (_title, sent, wanted) => {
    bytes = sent;
    expect(await post()).toBe(wanted);
  });
});
