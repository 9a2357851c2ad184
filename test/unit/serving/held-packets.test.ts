import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningServer, startServer } from '../../../runtime/index.ts';

/**
 * Sends requests on one connection, each after the previous response. It runs in a thread: a client on the server's
 * event loop would read only complete responses.
 */
const client = `
const { connect } = require('node:tls');
const { parentPort, workerData: { rounds, ...to } } = require('node:worker_threads');
const socket = connect({ host: '127.0.0.1', ALPNProtocols: ['http/1.1'], ...to });
const statuses = [];
let text = '';
function send() {
  const data = { text: 'x'.repeat(60_000 + 997 * (statuses.length % 60)) };
  const body = JSON.stringify({ metadata: { name: 'large-' + statuses.length }, data });
  const head = 'POST /api/v1/namespaces/default/configmaps HTTP/1.1\\r\\nhost: a\\r\\ncontent-type: application/json\\r\\n';
  socket.write(head + 'content-length: ' + body.length + '\\r\\n\\r\\n' + body);
}
socket.setEncoding('latin1');
socket.on('secureConnect', send);
socket.on('data', (chunk) => {
  text += chunk;
  const end = text.indexOf('\\r\\n\\r\\n');
  const length = /content-length: (\\d+)/i.exec(text.slice(0, end));
  const isWhole = length === null ? text.endsWith('\\r\\n0\\r\\n\\r\\n') : text.length >= end + 4 + Number(length[1]);
  if (end < 0 || !isWhole) return;
  statuses.push(text.slice(9, 12));
  text = '';
  if (statuses.length === rounds) socket.end();
  else send();
});
socket.on('close', () => parentPort.postMessage(statuses));
`;

describe('large requests right after large responses, on one HTTP/1.1 connection', () => {
  let server: RunningServer;

  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.close());

  test('all get a response', async () => {
    const rounds = 200;
    const { port, caCertificate: ca, clientCertificate: cert, clientKey: key } = server;
    const worker = new Worker(client, { eval: true, workerData: { rounds, port, ca, cert, key } });
    const [statuses] = await once(worker, 'message');
    await worker.terminate();
    expect(statuses).toEqual(Array(rounds).fill('201'));
  });
});
