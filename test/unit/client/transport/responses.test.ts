import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { RESTClient } from '../../../../runtime/client/transport/rest-client.ts';
import { Transport } from '../../../../runtime/client/transport/transport.ts';

const broken = 'net/http: HTTP/1.x transport connection broken:';
const retry = 'unexpected error when reading response body. Please retry. Original error:';

/** The bytes of a response, and what a client of kube-apiserver v1.35.0 is told of it. */
describe('a response with', () => {
  let server: Server;
  let url: string;
  let bytes = '';

  beforeAll(async () => {
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(bytes));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
  });

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
    ['hints before it', 'HTTP/1.1 103 x\r\nLink: a\r\n\r\nHTTP/1.1 500 x\r\nContent-Length: 0\r\n\r\n', failed('')],
  ])('%s', async (_title, sent, wanted) => {
    bytes = sent;
    expect(await post()).toBe(wanted);
  });
});
