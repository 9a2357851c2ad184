import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RunningServer, ServerOptions } from '../../runtime/index.ts';
import { EtcdClient } from '../../runtime/storage/etcd/etcd-client.ts';
import { EtcdCluster, missingEtcd } from '../support/etcd.ts';
import { HttpClient } from '../support/http-client.ts';
import { quietNamespaces } from '../support/quiet-namespaces.ts';
import { describeUnless } from '../support/skipping.ts';
import { startTestServer } from '../support/test-server.ts';
import { WatchStream } from '../support/watch-stream.ts';

const json = 'application/json';
const maps = '/api/v1/namespaces/default/configmaps';

describeUnless(missingEtcd)('two servers on etcd, with events in another', () => {
  let main: EtcdCluster;
  let events: EtcdCluster;
  const servers: RunningServer[] = [];
  const https: HttpClient[] = [];

  beforeAll(async () => {
    [main, events] = await Promise.all([EtcdCluster.start(), EtcdCluster.start()]);
    const options: ServerOptions = {
      ...quietNamespaces,
      etcdServers: main.endpoints,
      etcdPrefix: 'cluster',
      eventTTL: 600_000,
      etcdHealthcheckTimeout: 1000,
      etcdReadycheckTimeout: 1000,
      etcdServersOverrides: [`/events#${events.endpoints[0]}`],
    };
    // concurrently, in an empty store
    servers.push(...(await Promise.all([startTestServer(options), startTestServer(options)])));
    https.push(...servers.map((server) => HttpClient.for(server)));
  });
  afterAll(async () => {
    for (const http of https) http.close();
    await Promise.all(servers.map((server) => server.close()));
    await Promise.all([main?.stop(), events?.stop()]);
  });

  const send = async (at: number, method: string, path: string, body?: object) => {
    const { status, json: answer } = await https[at].send(method, path, body && JSON.stringify(body), json);
    return { status, answer };
  };
  /** Returns the keys of a cluster. */
  async function keysOf({ endpoints }: EtcdCluster, prefix: string): Promise<string[]> {
    const client = new EtcdClient({ endpoints });
    try {
      const { kvs } = await client.range({ key: prefix, rangeEnd: `${prefix}~`, keysOnly: true });
      return kvs.map(({ key }) => key);
    } finally {
      client.close();
    }
  }

  test('what one writes, the other reads and watches at once, and may overwrite', async () => {
    const watch = await WatchStream.open(servers[1], `${maps}?watch=1&fieldSelector=metadata.name%3Da`);
    for (let round = 0; round < 10; round += 1) {
      const [writer, reader] = [round % 2, (round + 1) % 2];
      const data = { data: { round: String(round) } };
      const made =
        round === 0
          ? await send(writer, 'POST', maps, { metadata: { name: 'a' }, ...data })
          : await send(writer, 'PUT', `${maps}/a`, { metadata: { name: 'a' }, ...data });
      expect(made.status).toBe(round === 0 ? 201 : 200);
      expect((await send(reader, 'GET', `${maps}/a`)).answer).toEqual(made.answer);
    }
    expect((await send(1, 'POST', maps, { metadata: { name: 'a' } })).status).toBe(409);
    expect((await send(0, 'DELETE', `${maps}/a`)).status).toBe(200);
    expect((await send(1, 'GET', `${maps}/a`)).status).toBe(404);
    const heard = await watch.take(11);
    expect(heard.map(({ type, object }) => `${type} ${object.data.round}`)).toEqual([
      'ADDED 0',
      ...Array.from({ length: 9 }, (_, at) => `MODIFIED ${at + 1}`),
      'DELETED 9',
    ]);
    watch.close();
  });

  test('of writers of both servers with the same condition one succeeds', async () => {
    const path = `${maps}/counter`;
    await send(0, 'POST', maps, { metadata: { name: 'counter' }, data: { n: '0' } });
    const increment = async (at: number): Promise<void> => {
      for (;;) {
        const { answer } = await send(at, 'GET', path);
        answer.data.n = String(Number(answer.data.n) + 1);
        if ((await send(at, 'PUT', path, answer)).status === 200) return;
      }
    };
    await Promise.all(Array.from({ length: 20 }, (_, at) => increment(at % 2)));
    expect((await send(0, 'GET', path)).answer.data.n).toBe('20');
  });

  test('objects lie below the prefix, and events in their own etcd', async () => {
    const involvedObject = { kind: 'ConfigMap', namespace: 'default', name: 'a' };
    const event = { metadata: { name: 'happened' }, involvedObject, reason: 'Test', message: '' };
    expect((await send(0, 'POST', '/api/v1/namespaces/default/events', event)).status).toBe(201);
    expect((await send(1, 'GET', '/apis/events.k8s.io/v1/namespaces/default/events/happened')).status).toBe(200);
    expect(await keysOf(events, '/cluster/events/default/')).toEqual(['/cluster/events/default/happened']);
    expect(await keysOf(main, '/cluster/events/')).toEqual([]);
    expect(await keysOf(main, '/cluster/namespaces/default')).toEqual(['/cluster/namespaces/default']);
    expect(await keysOf(main, '/registry/')).toEqual([]);
  });

  test('errors name the key of an object, with the prefix', async () => {
    await send(0, 'POST', maps, { metadata: { name: 'named' } });
    const { status, answer } = await send(1, 'PUT', `${maps}/named`, { metadata: { name: 'named', uid: 'other' } });
    expect(status).toBe(409);
    expect(answer.message).toContain('invalid object, Code: 4, Key: /cluster/configmaps/default/named, ResourceVersion: 0');
  });

  test('metrics count requests by operation and resource, and know the size of each cluster', async () => {
    const metrics = (await https[0].get('/metrics')).body.toString();
    for (const line of [
      /^etcd_requests_total\{group="",operation="create",resource="events"\} \d+$/m,
      /^etcd_requests_total\{group="",operation="delete",resource="configmaps"\} 1$/m,
      /^etcd_request_duration_seconds_bucket\{group="",operation="update",resource="configmaps",le="0.005"\} \d+$/m,
      /^apiserver_storage_events_received_total\{group="",resource="configmaps"\} \d+$/m,
      /^apiserver_storage_size_bytes\{storage_cluster_id="etcd-0"\} \d+$/m,
      /^apiserver_storage_size_bytes\{storage_cluster_id="etcd-1"\} \d+$/m,
    ]) {
      expect(metrics).toMatch(line);
    }
  });

  test('checks tell which etcd cannot be read, and that it can be again', async () => {
    const check = async (path: string) => (await https[0].get(path)).status;
    const paths = ['/livez/etcd', '/readyz/etcd-readiness', '/livez/etcd-override-0', '/readyz/etcd-override-readiness-0'];
    const all = () => Promise.all(paths.map(check));
    const until = async (want: readonly number[]) => {
      while (JSON.stringify(await all()) !== JSON.stringify(want)) await new Promise((resolve) => setTimeout(resolve, 50));
    };
    await until([200, 200, 200, 200]);
    await events.members[0].kill();
    await until([200, 200, 500, 500]);
    await events.members[0].start();
    await until([200, 200, 200, 200]);
    const { body } = await https[0].get('/readyz?verbose&exclude=etcd-readiness');
    expect(body.toString()).toContain('[+]etcd-override-0 ok');
    expect(body.toString()).toContain('[+]etcd-override-readiness-0 excluded with etcd-readiness: ok');
  });
});
