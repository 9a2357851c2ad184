import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ui } from '../../../runtime/cli/ui.ts';

// a link may be opened by another program, and a server may be anybody's
test.each([
  ['/ui/login?link=a&calc'],
  ['https://other.example.com/'],
  ['file:///etc/passwd'],
  ['//other.example.com/ui/login?link=a'],
  [undefined],
])('kubeloom ui takes %j from a server for no link', async (path) => {
  const server = createServer((_request, response) => {
    response.writeHead(201, { 'Content-Type': 'application/json' }).end(JSON.stringify({ path }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = await mkdtemp(join(tmpdir(), 'kubeloom-ui-'));
  try {
    const kubeconfig = join(folder, 'config');
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const clusters = [{ name: 'a', cluster: { server: address } }];
    const contexts = [{ name: 'a', context: { cluster: 'a', user: 'a' } }];
    const config = { apiVersion: 'v1', kind: 'Config', 'current-context': 'a', clusters, contexts, users: [{ name: 'a', user: {} }] };
    await writeFile(kubeconfig, JSON.stringify(config));
    await expect(ui([`--kubeconfig=${kubeconfig}`])).rejects.toThrow(`${address} answered with no link`);
  } finally {
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true });
  }
});
