import { type ClientHttp2Session, connect } from 'node:http2';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningServer, startServer } from '../../../runtime/index.ts';
import { HttpClient } from '../../support/http-client.ts';

describe('URLs', () => {
  let server: RunningServer;
  let client: HttpClient;
  let session: ClientHttp2Session;
  beforeAll(async () => {
    server = await startServer();
    client = HttpClient.for(server);
    const { caCertificate: ca, clientCertificate: cert, clientKey: key } = server;
    session = connect(server.url, { ca, cert, key });
  });
  afterAll(async () => {
    session.destroy();
    client.close();
    await server.close();
  });

  const asking = (length: number): string =>
    `/api/v1/configmaps?labelSelector=${encodeURIComponent(`x in (${'value,'.repeat(length / 6)}last)`)}`;
  const statusOver2 = (path: string) =>
    new Promise((resolve, reject) => {
      const stream = session.request({ ':path': path });
      stream.on('response', (headers) => resolve(headers[':status']));
      stream.on('error', reject);
      stream.resume();
    });

  test('with long selectors are read', async () => {
    expect((await client.get(asking(500_000))).status).toBe(200);
    // near this server's maximum size of one HTTP/2 field
    expect(await statusOver2(asking(45_000))).toBe(200);
  });

  test('of more than a mebibyte are too large', async () => {
    const { status, headers, body } = await client.get(asking(1_500_000));
    expect([status, headers['content-type'], body.toString()]).toEqual([
      431,
      'text/plain; charset=utf-8',
      '431 Request Header Fields Too Large',
    ]);
  });
});
