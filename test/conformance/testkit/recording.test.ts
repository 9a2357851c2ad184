import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { KubeConfig, Watch } from '@kubernetes/client-node';
import { type RunningServer, type ServerOptions, startServer } from '../../../runtime/index.ts';
import { EtcdCluster, missingEtcd } from '../../support/etcd.ts';
import { everyVersion } from '../../support/every-version.ts';
import { HttpClient } from '../../support/http-client.ts';
import { Kubectl } from '../../support/kubectl.ts';
import { testUnless } from '../../support/skipping.ts';
import { startTestServer } from '../../support/test-server.ts';

const lists = [
  '/api/v1/namespaces',
  '/api/v1/configmaps',
  '/api/v1/serviceaccounts',
  '/apis/apps/v1/deployments',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  '/apis/example.com/v1/robots',
];

/** Returns all lists at a revision, or the current ones. A list that is not served is empty. */
async function dump(http: HttpClient, revision?: number): Promise<string> {
  const query = revision === undefined ? '' : `?resourceVersion=${revision}&resourceVersionMatch=Exact`;
  const pages = await Promise.all(lists.map((list) => http.get(`${list}${query}`)));
  return JSON.stringify(
    pages.map(({ json }) => json?.items ?? []),
    undefined,
    1,
  );
}

const robots = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'robots.example.com' },
  spec: {
    group: 'example.com',
    names: { kind: 'Robot', plural: 'robots' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

const configMap = (name: string, data: Record<string, string>, namespace = 'default') =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data });

describe('a recording', () => {
  let dir: string;
  let file: string;
  const dumps = new Map<number, string>();
  /** The events of a config map watch in the namespace default, from the creation of `a` on. */
  const watched: string[] = [];
  let watchFrom: number;
  /** The last revision, and all objects at it. */
  let end: number;
  let last: string;
  let token: string;

  // biome-ignore lint/suspicious/noExplicitAny: entries of all types
  async function entries(): Promise<any[]> {
    return (await readFile(file, 'utf8'))
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  }

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'kubeloom-recording-'));
    file = join(dir, 'recording');
    const server = await startTestServer({ record: file, history: 'all' });
    const http = HttpClient.for(server);
    const kubectl = await Kubectl.for(server.kubeconfig);
    watchFrom = server.revision();
    const watch = await watchConfigMaps(server, watchFrom, watched);
    await http.send('POST', '/api/v1/namespaces/default/configmaps', configMap('a', { is: '1' }), 'application/json');
    await kubectl.ok(['apply', '-f', '-'], { stdin: configMap('a', { is: '2', html: '<&> \u2028 \ud83e\udd16' }) });
    await kubectl.ok(['create', 'deployment', 'web', '--image=nginx']);
    await http.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', JSON.stringify(robots), 'application/json');
    await kubectl.ok(['wait', '--for=condition=Established', 'crd/robots.example.com']);
    await kubectl.ok(['create', 'namespace', 'work']);
    const robot = { apiVersion: 'example.com/v1', kind: 'Robot', metadata: { name: 'r' }, spec: { arms: 2.5 } };
    await http.send('POST', '/apis/example.com/v1/namespaces/work/robots', JSON.stringify(robot), 'application/json');
    token = (await kubectl.ok(['create', 'token', 'default'])).trim();
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } };
    await http.send('POST', '/apis/authentication.k8s.io/v1/tokenreviews', JSON.stringify(review), 'application/json');
    await kubectl.ok(['delete', 'configmap', 'a']);
    await http.send('POST', '/api/v1/namespaces/default/configmaps', configMap('a', { is: '3' }), 'application/json');
    await watch.until('ADDED a 3');
    watch.stop();
    const ready = server.revision();
    for (let revision = watchFrom - 5; revision <= ready; revision += 3) dumps.set(revision, await dump(http, revision));
    last = await dump(http);
    await kubectl.close();
    http.close();
    await server.close();
    // a server withdraws its own announcement when it stops
    end = (await entries()).findLast(({ type }) => type === 'end')?.revision;
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  test('is a server at each of its revisions', async () => {
    for (const [at, want] of dumps) {
      await withReplay({ replay: { file, at } }, async (http, server) => {
        expect(server.revision()).toBe(at);
        expect(await dump(http)).toBe(want);
      });
    }
  });

  test('has watches begin at the revisions it had', async () => {
    await withReplay({ replay: { file } }, async (_, server) => {
      const seen: string[] = [];
      const watch = await watchConfigMaps(server, watchFrom, seen);
      await watch.until('ADDED a 3');
      watch.stop();
      expect(seen).toEqual(watched);
    });
  });

  test('happens again, and the server goes on from its end', async () => {
    const replay = { file, at: watchFrom, speed: 'max', paused: true } as const;
    await withReplay({ replay }, async (http, server) => {
      expect(server.revision()).toBe(watchFrom);
      const seen: string[] = [];
      // the replay begins with this watch
      const watch = await watchConfigMaps(server, watchFrom, seen);
      await server.replay?.finished;
      await watch.until('ADDED a 3');
      expect(seen).toEqual(watched);
      expect(await dump(http)).toBe(last);
      const own = await http.send('POST', '/api/v1/namespaces/default/configmaps', configMap('own', { is: '4' }), 'application/json');
      expect(own.json.metadata.resourceVersion).toBe(String(end + 1));
      await watch.until('ADDED own 4');
      watch.stop();
    });
  });

  test('is not changed by what clients write meanwhile', async () => {
    const replay = { file, at: watchFrom, speed: 'max', paused: true } as const;
    await withReplay({ replay }, async (http, server) => {
      const url = '/api/v1/namespaces/default/configmaps';
      const { status, json } = await http.send('POST', url, configMap('own', { is: '0' }), 'application/json');
      expect([status, json.data.is, json.metadata.resourceVersion]).toEqual([201, '0', '0']);
      expect((await http.get(`${url}/own`)).status).toBe(404);
      expect((await http.send('PUT', `${url}/own`, configMap('own', {}), 'application/json')).status).toBe(404);
      expect((await http.send('DELETE', '/api/v1/namespaces/default/serviceaccounts/default')).status).toBe(200);
      server.replay?.play();
      await server.replay?.finished;
      expect(await dump(http)).toBe(last);
    });
  });

  test('has forks at each of its revisions, which live on', async () => {
    const replay = { file, at: watchFrom, speed: 'max', paused: true } as const;
    await withReplay({ replay }, async (http, server) => {
      const fork = await server.fork();
      const ofFork = HttpClient.for(fork);
      const url = '/api/v1/namespaces/default/configmaps';
      const { json } = await ofFork.send('POST', url, configMap('own', { is: '0' }), 'application/json');
      expect(json.metadata.resourceVersion).toBe(String(watchFrom + 1));
      server.replay?.play();
      await server.replay?.finished;
      expect([(await http.get(`${url}/own`)).status, (await http.get(`${url}/a`)).status]).toEqual([404, 200]);
      expect([(await ofFork.get(`${url}/own`)).status, (await ofFork.get(`${url}/a`)).status]).toEqual([200, 404]);
      ofFork.close();
      await fork.close();
    });
  });

  test('happens from its beginning, when nothing is there', async () => {
    await withReplay({ replay: { file, speed: 'max' } }, async (http, server) => {
      await server.replay?.finished;
      expect(await dump(http)).toBe(last);
    });
  });

  test('happens at its own pace on the clock of the server', async () => {
    const all = await entries();
    const changes = all.filter(({ type, revision }) => type === 'change' && revision > watchFrom);
    const [begin, finish] = [changes[0], changes[changes.length - 1]].map(({ time }) => Date.parse(time));
    const replay = { file, at: watchFrom, speed: 10 };
    await withReplay({ replay, clock: 'manual' }, async (_, server) => {
      await server.clock.advance(1);
      const begun = server.revision();
      expect(begun).toBeGreaterThanOrEqual(watchFrom);
      expect(begun).toBeLessThan(end);
      await server.clock.advance(Math.ceil((finish - begin) / 10) + 1);
      await server.replay?.finished;
      expect(server.revision()).toBe(end);
    });
  });

  test('can be replayed from a time', async () => {
    const all = await entries();
    const { time } = all.find(({ type, revision }) => type === 'change' && revision === watchFrom + 1);
    const { revision } = all.findLast((entry) => entry.type === 'change' && entry.time <= time);
    await withReplay({ replay: { file, at: time } }, async (_, server) => expect(server.revision()).toBe(revision));
  });

  test('says who asked for what, and what came of it', async () => {
    const all = await entries();
    expect(all[0]).toMatchObject({ type: 'recording', format: 1, kubernetes: 'v1.35', clock: 'system', revision: 1 });
    const created = all.find(({ type, method, url }) => type === 'request' && method === 'POST' && url.includes('/robots'));
    expect(created).toMatchObject({
      user: 'kubernetes-admin',
      verb: 'create',
      headers: { 'content-type': 'application/json' },
    });
    const response = all.find(({ type, id }) => type === 'response' && id === created.id);
    expect([response.code, JSON.parse(response.requestBody).spec]).toEqual([201, { arms: 2.5 }]);
    const change = all.find(({ type, revision }) => type === 'change' && revision === response.revision);
    expect(change).toMatchObject({
      change: 'put',
      key: '/registry/example.com/robots/work/r',
      value: { kind: 'Robot' },
    });
    const watching = all.find(({ type, url = '' }) => type === 'request' && url.includes(`resourceVersion=${watchFrom}`));
    const events = all.filter(({ type, id }) => type === 'event' && id === watching.id);
    expect(events.filter(({ name }) => name === 'a').map(({ event }) => event)).toEqual(['ADDED', 'MODIFIED', 'DELETED', 'ADDED']);
    expect(all[all.length - 1]).toMatchObject({ type: 'end' });
  });

  test('is only for its user, and has no credentials of its requests', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const text = await readFile(file, 'utf8');
    expect(text).not.toContain(token);
    expect(text).not.toContain('authorization"');
  });

  test('may lack the end of its last line', async () => {
    const torn = join(dir, 'torn');
    const text = await readFile(file, 'utf8');
    const cut = text.lastIndexOf('"type":"change"') + 40;
    await writeFile(torn, text.slice(0, cut));
    await withReplay({ replay: { file: torn } }, async (_, server) => expect(server.revision()).toBe(end - 1));
  });

  test.each<[string, (lines: string[]) => void, RegExp]>([
    ['a changed line', (lines) => (lines[9] = lines[9].replace('time":"2', 'time":"3')), /line 10 is damaged: its sum is another/],
    ['a missing line', (lines) => lines.splice(9, 1), /line 10 is damaged/],
    ['something else', (lines) => (lines[0] = '{"kind":"Pod"}'), /line 1 is damaged: it has no sum/],
    ['nothing', (lines) => lines.splice(0), /it is empty/],
  ])('cannot be replayed with %s', async (_, damage, message) => {
    const damaged = join(dir, 'damaged');
    const lines = (await readFile(file, 'utf8')).split('\n');
    damage(lines);
    await writeFile(damaged, lines.join('\n'));
    await expect(startServer({ replay: { file: damaged } })).rejects.toThrow(message);
  });

  test.each<[ServerOptions, RegExp]>([
    [{ replay: { file: '', at: 1_000_000 } }, /has the revisions 1 to \d+, but not 1000000/],
    [{ replay: { file: '', at: '2001-01-01T00:00:00Z' } }, /begins at .*, after 2001/],
    [{ replay: { file: '', at: 'noon' } }, /"noon" is neither a revision nor a time/],
    [{ replay: { file: '', speed: 0 } }, /0 is not a number above 0/],
    [{ replay: { file: '', speed: Number.POSITIVE_INFINITY } }, /Infinity is not a number above 0/],
    [{ replay: { file: '', speed: Number.NaN } }, /NaN is not a number above 0/],
    [{ replay: { file: '' }, storage: 'lmdb' }, /replayed in memory/],
  ])('cannot be replayed with %j', async (options, message) => {
    const replay = { ...options.replay, file };
    await expect(startServer({ ...options, replay })).rejects.toThrow(message);
  });
});

test('a recording of a store that has objects begins with them', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'kubeloom-recording-'));
  const [dataDir, file] = [join(dir, 'data'), join(dir, 'recording')];
  const first = await startTestServer({ storage: 'lmdb', dataDir, unsafeNoFsync: true });
  const begin = first.revision();
  await first.close();
  const second = await startTestServer({ storage: 'lmdb', dataDir, unsafeNoFsync: true, record: file });
  const http = HttpClient.for(second);
  await http.send('POST', '/api/v1/namespaces/default/configmaps', configMap('a', { is: '1' }), 'application/json');
  const want = await dump(http);
  http.close();
  await second.close();
  await withReplay({ replay: { file } }, async (replayed, server) => {
    expect(await dump(replayed)).toBe(want);
    const old = await replayed.get(`/api/v1/namespaces?resourceVersion=${begin - 5}&resourceVersionMatch=Exact`);
    expect(old.status).toBe(410);
    expect(server.revision()).toBeGreaterThan(begin);
  });
  await rm(dir, { recursive: true });
});

test('a recording of an encrypted store has objects as they are', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'kubeloom-recording-'));
  const [file, encryptionProviderConfig] = [join(dir, 'recording'), join(dir, 'encryption')];
  const secretbox = { keys: [{ name: 'one', secret: Buffer.alloc(32, 7).toString('base64') }] };
  const resources = [{ resources: ['*.*'], providers: [{ secretbox }] }];
  const config = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration', resources };
  await writeFile(encryptionProviderConfig, JSON.stringify(config));
  const server = await startTestServer({ encryptionProviderConfig, record: file });
  const http = HttpClient.for(server);
  await http.send('POST', '/api/v1/namespaces/default/configmaps', configMap('a', { is: '1' }), 'application/json');
  const want = await dump(http);
  http.close();
  await server.close();
  await withReplay({ replay: { file } }, async (replayed) => expect(await dump(replayed)).toBe(want));
  await rm(dir, { recursive: true });
});

testUnless(missingEtcd)('a store in etcd has its whole history, and can be recorded', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'kubeloom-recording-'));
  const [first, file] = [join(dir, 'first'), join(dir, 'second')];
  const etcd = await EtcdCluster.start();
  const options = { etcdServers: etcd.endpoints, etcdPrefix: 'cluster', history: 'all' } as const;
  const before = await startTestServer({ ...options, record: first });
  const early = before.revision();
  const [then] = await dumpAndClose(before);
  const server = await startTestServer({ ...options, record: file });
  const http = HttpClient.for(server);
  await http.send('POST', '/api/v1/namespaces/default/configmaps', configMap('a', { is: '1' }), 'application/json');
  http.close();
  const [want, old] = await dumpAndClose(server, early);
  // objects from etcd have protobuf's order of fields
  expect(JSON.parse(old)).toEqual(JSON.parse(then));
  for (const [recording, state] of [
    [first, then],
    [file, want],
  ]) {
    await withReplay({ replay: { file: recording } }, async (replayed) => expect(await dump(replayed)).toBe(state));
  }
  await etcd.stop();
  await rm(dir, { recursive: true });
});

/** Returns all current objects, and those at a revision. */
async function dumpAndClose(server: RunningServer, revision?: number): Promise<string[]> {
  const http = HttpClient.for(server);
  const dumps = [await dump(http), await dump(http, revision)];
  http.close();
  await server.close();
  return dumps;
}

async function withReplay(options: ServerOptions, use: (http: HttpClient, server: RunningServer) => Promise<void>): Promise<void> {
  const server = await startServer({ ...everyVersion, ...options });
  const http = HttpClient.for(server);
  try {
    await use(http, server);
  } finally {
    http.close();
    await server.close();
  }
}

/** Opens a watch of `@kubernetes/client-node` that records each event. */
async function watchConfigMaps(server: RunningServer, from: number, seen: string[]) {
  const config = new KubeConfig();
  config.loadFromString(server.kubeconfig);
  let wake = (): void => undefined;
  const controller = await new Watch(config).watch(
    '/api/v1/namespaces/default/configmaps',
    { resourceVersion: String(from) },
    (type, { metadata, data }) => {
      seen.push(`${type} ${metadata.name} ${data?.is}`);
      wake();
    },
    () => undefined,
  );
  return {
    stop: () => controller.abort(),
    async until(event: string): Promise<void> {
      while (!seen.includes(event)) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
