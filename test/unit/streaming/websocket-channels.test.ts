import { EventEmitter } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import type { WebSocket } from 'ws';
import { WebSocketChannels } from '../../../runtime/streaming/websocket-channels.ts';

const protocol = { name: 'v5.channel.k8s.io', isBase64: false, hasClose: true };

function open() {
  const socket = Object.assign(new EventEmitter(), { resume: () => undefined });
  return { socket, channels: new WebSocketChannels(socket as unknown as WebSocket, protocol) };
}

test('who waits for the end after the client has gone does not wait for ever', async () => {
  const { socket, channels } = open();
  const input = text(channels.readable(0));
  socket.emit('message', Buffer.from('\u0000typed'));
  socket.emit('close');
  expect(await input).toBe('typed');
  await channels.closed;
});

test('a client ends one channel, and what it sends there afterwards is ignored', async () => {
  const { socket, channels } = open();
  const input = text(channels.readable(0));
  for (const message of ['\u0000typed', [255, 0], '\u0000late']) socket.emit('message', Buffer.from(message as string));
  expect(await input).toBe('typed');
});
