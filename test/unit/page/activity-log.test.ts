import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { Ring } from '../../../runtime/page/ring.ts';
import { runningPod } from '../../support/handled-pods.ts';
import { startTestServer } from '../../support/test-server.ts';

test('a ring has the latest items, oldest first', () => {
  const ring = new Ring<number>(3);
  for (const item of [1, 2, 3, 4, 5]) ring.add(item);
  expect([...ring]).toEqual([3, 4, 5]);
});

test('the log tells each change once, with its request and the watches that were sent it', async () => {
  const server = await startTestServer({ ui: true });
  try {
    const activity = async (since: number) => (await server.fetch(`/ui/activity?since=${since}`)).json();
    const before = (await activity(0)) as { sequence: number };
    const headers = { 'content-type': 'application/json', 'user-agent': 'writer/v1' };
    const watch = await server.fetch('/api/v1/namespaces/default/configmaps?watch=true', { headers: { 'user-agent': 'follower/v1' } });
    const reader = watch.body?.getReader();
    await reader?.read();
    const body = JSON.stringify({ metadata: { name: 'told' }, data: { a: '1' } });
    await server.fetch('/api/v1/namespaces/default/configmaps', { method: 'POST', headers, body });
    await reader?.read();
    // biome-ignore lint/suspicious/noExplicitAny: JSON
    const told = (await activity(before.sequence)) as any;
    const change = told.changes.find(({ name }: { name: string }) => name === 'told');
    expect(change).toMatchObject({ type: 'created', kind: 'ConfigMap', namespace: 'default', manager: 'writer' });
    const [follower] = told.requests.filter(({ agent }: { agent: string }) => agent === 'follower/v1');
    expect(told.requests).toContainEqual(
      expect.objectContaining({ agent: 'writer/v1', verb: 'create', code: 201, revision: change.revision }),
    );
    expect(told.events).toContainEqual(expect.objectContaining({ request: follower.id, type: 'ADDED', revision: change.revision }));
    // biome-ignore lint/suspicious/noExplicitAny: JSON
    const next = (await activity(told.sequence)) as any;
    expect(next.changes.filter(({ name }: { name: string }) => name === 'told')).toEqual([]);
    await reader?.cancel();
  } finally {
    await server.close();
  }
});

test('the log tells that a connection has changed its protocol', async () => {
  const server = await startTestServer({ ui: true, pods: { exec: async () => 0 } });
  try {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(runningPod('web', ['c']));
    await server.fetch('/api/v1/namespaces/default/pods', { method: 'POST', headers, body });
    const { caCertificate: ca, clientCertificate: cert, clientKey: key } = server;
    const url = `${server.url.replace('https', 'wss')}/api/v1/namespaces/default/pods/web/exec?command=true&stdout=true`;
    await once(new WebSocket(url, 'v5.channel.k8s.io', { ca, cert, key, headers: { 'user-agent': 'runner/v1' } }), 'close');
    // biome-ignore lint/suspicious/noExplicitAny: JSON
    const told = (await (await server.fetch('/ui/activity?since=0')).json()) as any;
    expect(told.requests.filter(({ agent }: { agent: string }) => agent === 'runner/v1')).toEqual([expect.objectContaining({ code: 101 })]);
  } finally {
    await server.close();
  }
});
