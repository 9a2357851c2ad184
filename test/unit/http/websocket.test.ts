import { EventEmitter } from 'node:events';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { expect, test } from '@jest/globals';
import type { ApiContext } from '../../../runtime/http/context.ts';
import { offerUpgrade } from '../../../runtime/http/upgrade.ts';
import { acceptWebSocket } from '../../../runtime/http/websocket.ts';
import { speaks } from '../../../runtime/http/websocket-handshake.ts';

/** A socket that is slow to write, and counts the writes that are joined into one. */
class SlowSocket extends Duplex {
  readonly written: Buffer[] = [];
  joined = 0;

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.written.push(chunk);
    setImmediate(done);
  }

  override _writev(chunks: readonly { chunk: Buffer }[], done: () => void): void {
    this.joined += chunks.length;
    setImmediate(done);
  }

  setTimeout(): void {}
  setNoDelay(): void {}
}

function upgradeRequest(): IncomingMessage {
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
  };
  return Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/', headers });
}

test('messages of a WebSocket are not joined, so that each has a TLS record of its own', async () => {
  const [req, socket] = [upgradeRequest(), new SlowSocket()];
  offerUpgrade(req, socket, Buffer.alloc(0));
  const ctx = { req, res: new EventEmitter(), state: {} } as unknown as ApiContext;
  const accepted = await acceptWebSocket(ctx, { handshake: speaks('v4.channel.k8s.io'), maxMessage: 1000 });
  const sent = ['one', 'two', 'three'].map((message) => new Promise((resolve) => accepted?.socket.send(message, resolve)));
  await Promise.all(sent);
  expect(socket.joined).toBe(0);
  expect(socket.written.filter((bytes) => bytes.includes('HTTP/1.1 101'))).toHaveLength(1);
  expect(socket.written.map(String)).toEqual(expect.arrayContaining(['one', 'two', 'three']));
});
