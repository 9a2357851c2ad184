import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { SpdyConnection } from '../../../../runtime/streaming/spdy/connection.ts';

/** A PING with a client's number. */
const ping = Buffer.from('800300060000000400000001', 'hex');

test('pings of a client that reads nothing are left in the socket, and answered when it reads', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const client = connect((server.address() as { port: number }).port, '127.0.0.1');
  const [transport] = await accepted;
  const connection = new SpdyConnection({ transport, role: 'server' });
  client.pause();
  const count = 1_000_000;
  let isWritten = false;
  client.write(Buffer.alloc(ping.length * count, ping), () => {
    isWritten = true;
  });
  let longest = 0;
  while (transport.writableLength <= 256 * 1024) await new Promise((resolve) => setImmediate(resolve));
  for (let turn = 0; turn < 1_000; turn++) {
    longest = Math.max(longest, transport.writableLength);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(longest).toBeLessThan(512 * 1024);
  expect(isWritten).toBe(false);
  let read = 0;
  client.on('data', (chunk) => {
    read += chunk.length;
    if (read === ping.length * count) client.end();
  });
  client.resume();
  await connection.closed;
  expect(read).toBe(ping.length * count);
  server.close();
});
