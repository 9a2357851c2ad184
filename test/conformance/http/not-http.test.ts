import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningServer, startServer } from '../../../runtime/index.ts';

describe('clients that do not speak HTTPS get an error response', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.close());

  const said = (socket: Socket, sent: string): Promise<string> =>
    new Promise((resolve, reject) => {
      let text = '';
      socket.on('data', (part) => {
        text += part;
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(text));
      socket.write(sent);
    });

  test('HTTP without TLS', async () => {
    const { hostname, port } = new URL(server.url);
    expect(await said(connect(Number(port), hostname), 'GET /version HTTP/1.1\r\nHost: x\r\n\r\n')).toBe(
      'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n',
    );
  });

  test('TLS without HTTP', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connectTls({ host: hostname, port: Number(port), ca: server.caCertificate });
    expect(await said(socket, 'nonsense\r\n\r\n')).toBe(
      'HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n400 Bad Request',
    );
  });
});
