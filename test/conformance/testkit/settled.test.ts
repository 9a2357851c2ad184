import { afterEach, describe, expect, test } from '@jest/globals';
import type { RunningServer, ServerOptions } from '../../../runtime/index.ts';
import { HttpClient } from '../../support/http-client.ts';
import { startTestServer } from '../../support/test-server.ts';
import { WatchStream } from '../../support/watch-stream.ts';

const json = 'application/json';
const maps = '/api/v1/namespaces/default/configmaps';
const operator = { 'user-agent': 'my-operator/v1' };
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Started {
  readonly server: RunningServer;
  readonly http: HttpClient;
  create(name: string, headers?: Record<string, string>, data?: string): Promise<unknown>;
}

async function start(options: ServerOptions): Promise<Started> {
  const server = await startTestServer({ testControls: true, ...options });
  closing.push(() => server.close());
  const http = HttpClient.for(server);
  closing.push(() => http.close());
  const create = (name: string, headers = {}, data = '') =>
    http.send('POST', maps, JSON.stringify({ metadata: { name }, data: { data } }), json, { headers });
  return { server, http, create };
}

/** Starts an operator that creates a config map `x-copy` for each `x` after a while. */
async function startOperator({ server, create }: Started, thinks: number): Promise<void> {
  const watch = await WatchStream.open(server, `${maps}?watch=true`, operator);
  closing.push(() => watch.close());
  const follow = async (): Promise<void> => {
    for (let event = await watch.next(); event !== undefined; event = await watch.next()) {
      const { name } = event.object.metadata;
      if (name.endsWith('-copy') || name.endsWith('.crt')) continue;
      await new Promise((resolve) => setTimeout(resolve, thinks));
      await create(`${name}-copy`, operator);
    }
  };
  void follow();
}

describe('a server settles', () => {
  test.each([
    { options: { clock: 'manual' }, settled: {} },
    { options: {}, settled: { quiet: '150ms' } },
  ] as const)('once an operator has done what it was told to do: $options', async ({ options, settled }) => {
    const started = await start(options);
    await startOperator(started, 30);
    await Promise.all(['a', 'b', 'c'].map((name) => started.create(name)));
    await started.server.settled({ controllers: ['my-operator/*'], ...settled });
    const { json: list } = await started.http.get(maps);
    const names = list.items.map((map: { metadata: { name: string } }) => map.metadata.name);
    expect(names).toEqual(expect.arrayContaining(['a-copy', 'b-copy', 'c-copy']));
  });

  test('not before the events of a watch have left the server', async () => {
    const { server, create } = await start({ workerThreshold: Number.POSITIVE_INFINITY });
    const watch = await WatchStream.open(server, `${maps}?watch=true`, operator);
    closing.push(() => watch.close());
    watch.pause();
    // more than a connection's buffers
    const large = 'x'.repeat(500_000);
    for (let n = 0; n < 24; n++) await create(`large-${n}`, {}, large);
    const options = { controllers: ['my-operator/*'], quiet: '20ms' } as const;
    await expect(server.settled({ ...options, timeout: '200ms' })).rejects.toThrow(
      'the server has not settled within 200ms: the watch of configmaps by kubernetes-admin (my-operator/v1) has events that are not delivered',
    );
    watch.resume();
    await expect(server.settled(options)).resolves.toBeUndefined();
  });

  test.each([
    { fault: { watch: { action: 'Stall' } }, ends: 'with the plan' },
    { fault: { holdEvents: { duration: '10m' } }, ends: 'when they are due' },
  ] as const)('not before events that a fault withholds are sent, $ends', async ({ fault }) => {
    const { server, create } = await start({ clock: 'manual' });
    const plan = await server.faults.add({ match: { verbs: ['watch'], resources: ['configmaps'] }, fault });
    const watch = await WatchStream.open(server, `${maps}?watch=true&resourceVersion=${server.revision()}`, operator);
    closing.push(() => watch.close());
    await create('late');
    const options = { controllers: ['my-operator/*'], quiet: '20ms', timeout: '200ms' } as const;
    await expect(server.settled(options)).rejects.toThrow('has events that are not delivered');
    if ('watch' in fault) plan.remove();
    else await server.clock.advance('10m');
    await expect(server.settled({ ...options, timeout: '4s' })).resolves.toBeUndefined();
    expect((await watch.next())?.object.metadata.name).toBe('late');
  });

  test('not while somebody writes, but Leases may be renewed', async () => {
    const { server, http, create } = await start({});
    let isWriting = true;
    const writing = (async () => {
      for (let n = 0; isWriting; n++) await create(`busy-${n}`);
    })();
    await expect(server.settled({ quiet: '100ms', timeout: '300ms' })).rejects.toThrow(
      /not settled within 300ms: (something is written|a create of configmaps by kubernetes-admin is under way)$/,
    );
    isWriting = false;
    await writing;
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    await http.send('POST', leases, '{"metadata":{"name":"leader"}}', json);
    const holder = (n: number): string => JSON.stringify({ metadata: { name: 'leader' }, spec: { holderIdentity: String(n) } });
    let isLeading = true;
    const leading = (async () => {
      for (let n = 0; isLeading; n++) await http.send('PUT', `${leases}/leader`, holder(n), json, { headers: { 'user-agent': 'leader' } });
    })();
    await http.get('/readyz', { headers: operator });
    await expect(server.settled({ controllers: ['my-operator/*'], quiet: '100ms' })).resolves.toBeUndefined();
    isLeading = false;
    await leading;
  });

  test('not before a controller that is named has come', async () => {
    const { server } = await start({});
    await expect(server.settled({ controllers: ['my-operator/*'], timeout: '50ms' })).rejects.toThrow(
      'the server has not settled within 50ms: my-operator/* has not asked for anything yet',
    );
    await expect(server.settled({ quiet: 'soon' })).rejects.toThrow('option "quiet": "soon" is not a duration');
  });
});
