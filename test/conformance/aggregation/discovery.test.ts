import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningServer, startServer } from '../../../runtime/index.ts';
import { AggregatedServer } from '../../support/aggregated-server.ts';
import { AggregatingServer } from '../../support/aggregating-server.ts';
import { HttpClient } from '../../support/http-client.ts';
import { describeKubectl, Kubectl } from '../../support/kubectl.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import type { TestObject } from '../../support/test-object.ts';

const accept = (version: string): string => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;

const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';

describe('discovery with other servers', () => {
  let both: AggregatingServer;
  let clock: ManualClock;
  let http: HttpClient;
  let remote: AggregatedServer;
  let server: RunningServer;

  beforeAll(async () => {
    both = await AggregatingServer.open();
    ({ clock, http, remote, server } = both);
  });
  afterAll(() => both.close());

  async function versions(group: string, version = 'v2'): Promise<TestObject[]> {
    const { json } = await http.get('/apis', { headers: { accept: accept(version) } });
    return json.items.find(({ metadata }: TestObject) => metadata.name === group)?.versions;
  }

  /** Resolves when the first version of the group has this freshness. */
  async function whenFresh(group: string, freshness: string): Promise<TestObject> {
    for (;;) {
      const [version] = (await versions(group)) ?? [];
      if (version?.freshness === freshness) return version;
    }
  }

  /**
   * Advances from check to check until the first version of the group is as expected. Each check takes some real time.
   */
  async function advanceUntil(group: string, isRight: (version: TestObject) => boolean): Promise<void> {
    for (;;) {
      clock.advance(60_000);
      for (let turn = 0; turn < 20; turn++) if (isRight((await versions(group))[0])) return;
    }
  }

  test('what a server says of a version without aggregated discovery is shown in all forms', async () => {
    remote.discovery.set('/apis/old.example/v1', {
      resources: [
        { name: 'flunders/status', namespaced: true, kind: 'Flunder', verbs: ['get'] },
        {
          name: 'flunders',
          singularName: 'flunder',
          namespaced: true,
          kind: 'Flunder',
          verbs: ['get', 'list'],
          shortNames: ['fl'],
        },
        {
          name: 'fishers/scale',
          namespaced: false,
          group: 'autoscaling',
          version: 'v1',
          kind: 'Scale',
          verbs: ['get'],
        },
      ],
    });
    await remote.register({ http, server }, 'old.example');
    const found = await whenFresh('old.example', 'Current');
    expect(found).toEqual({
      version: 'v1',
      resources: [
        {
          resource: 'flunders',
          scope: 'Namespaced',
          singularResource: 'flunder',
          verbs: ['get', 'list'],
          shortNames: ['fl'],
          responseKind: { group: '', version: '', kind: 'Flunder' },
          subresources: [{ subresource: 'status', responseKind: { group: '', version: '', kind: 'Flunder' }, verbs: ['get'] }],
        },
        {
          resource: 'fishers',
          scope: 'Cluster',
          singularResource: '',
          verbs: [],
          responseKind: { group: '', version: '', kind: '' },
          subresources: [
            {
              subresource: 'scale',
              responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
              verbs: ['get'],
            },
          ],
        },
      ],
      freshness: 'Current',
    });
    const { json } = await http.get('/apis/old.example');
    expect(json).toMatchObject({
      kind: 'APIGroup',
      name: 'old.example',
      preferredVersion: { groupVersion: 'old.example/v1' },
    });
    const { groups } = (await http.get('/apis')).json;
    expect(groups.findIndex(({ name }: TestObject) => name === 'old.example')).toBe(groups.length - 1);
    expect((await http.get('/apis/old.example/v1')).json.resources).toHaveLength(3);
    expect((await http.get('/')).json.paths).toContain('/apis/old.example/v1');
  });

  test('aggregated discovery is asked for once for all versions of a service, and again when it changes', async () => {
    const resource = {
      resource: 'flunders',
      scope: 'Namespaced',
      singularResource: 'flunder',
      verbs: ['list'],
      odd: 1,
    };
    const list = (names: readonly string[]): object => ({
      items: [{ metadata: { name: 'new.example' }, versions: names.map((version) => ({ version, resources: [resource] })) }],
    });
    let current = list(['v1', 'v1beta1']);
    let asked = 0;
    remote.serveDiscovery('new.example');
    remote.serveDiscovery('new.example', 'v1beta1');
    remote.answerOwn = (request, response) => {
      if (request.url !== '/apis') return response.writeHead(404).end();
      asked++;
      const etag = JSON.stringify(current).length.toString();
      if (request.headers['if-none-match'] === etag) return response.writeHead(304).end();
      return response.writeHead(200, { 'content-type': accept('v2'), etag }).end(JSON.stringify(current));
    };
    await remote.register({ http, server }, 'new.example', { versionPriority: 1 }, 'v1beta1');
    await remote.register({ http, server }, 'new.example', { versionPriority: 2 });
    await whenFresh('new.example', 'Current');
    const found = await versions('new.example');
    expect(found.map(({ version }) => version)).toEqual(['v1', 'v1beta1']);
    const { odd: _unknown, ...known } = resource;
    expect(found[0].resources).toEqual([{ ...known, responseKind: { group: '', version: '', kind: '' } }]);

    current = list(['v1beta1']);
    const before = asked;
    await advanceUntil('new.example', ({ resources, freshness }) => resources === undefined && freshness === 'Current');
    expect(asked).toBeGreaterThan(before);
  });

  test.each([
    ['no JSON', 200, 'nothing'],
    ['a list of the wrong type', 200, '{"items":[{"metadata":{"name":7}}]}'],
    ['an object in place of a list', 200, '{"items":{}}'],
    ['too much', 200, `{"items":[],"more":"${'x'.repeat(3_000_000)}"}`],
    ['a 503', 503, ''],
  ])('a server that answers with %s is stale, and all others are as before', async (_title, status, text) => {
    remote.answerOwn = (_request, response) => response.writeHead(404).end();
    remote.serveDiscovery('bad.example');
    await remote.register({ http, server }, 'bad.example');
    expect((await whenFresh('bad.example', 'Current')).resources).toHaveLength(1);
    remote.answerOwn = (_request, response) => response.writeHead(status, { 'content-type': accept('v2') }).end(text);
    await advanceUntil('bad.example', ({ freshness }) => freshness === 'Stale');
    expect(await versions('bad.example')).toEqual([{ version: 'v1', freshness: 'Stale' }]);
    expect((await versions('apps'))[0].freshness).toBe('Current');
    const protobuf = await http.get('/apis', {
      headers: { accept: accept('v2').replace('json', 'vnd.kubernetes.protobuf') },
    });
    expect(protobuf.status).toBe(200);
    await http.send('DELETE', '/apis/apiregistration.k8s.io/v1/apiservices/v1.bad.example');
    expect(await versions('bad.example')).toBeUndefined();
  });

  test('a namespace waits for a server that cannot say what it has in it, and says so', async () => {
    remote.answerOwn = (_request, response) => response.writeHead(404).end();
    remote.serveDiscovery('gone.example');
    await remote.register({ http, server }, 'gone.example');
    await whenFresh('gone.example', 'Current');
    remote.answerOwn = (_request, response) => response.writeHead(503).end();
    await advanceUntil('gone.example', ({ freshness }) => freshness === 'Stale');
    const namespaces = '/api/v1/namespaces';
    await http.send('POST', namespaces, JSON.stringify({ metadata: { name: 'stuck' } }), 'application/json');
    await http.send('DELETE', `${namespaces}/stuck`);
    const condition = async (): Promise<TestObject | undefined> => (await http.get(`${namespaces}/stuck`)).json.status.conditions?.[0];
    while ((await condition()) === undefined) clock.advance(10);
    expect(await condition()).toMatchObject({
      type: 'NamespaceDeletionDiscoveryFailure',
      status: 'True',
      reason: 'DiscoveryFailed',
    });
    expect((await condition())?.message).toMatch(
      /^Discovery failed for some groups, \d failing: unable to retrieve the complete list of server APIs: .*gone\.example\/v1: stale GroupVersion discovery: gone\.example\/v1/,
    );
    for (const { metadata } of (await http.get(apiServices)).json.items as TestObject[]) {
      if (/\.example$/.test(metadata.name ?? '')) await http.send('DELETE', `${apiServices}/${metadata.name}`);
    }
    while ((await http.get(`${namespaces}/stuck`)).status === 200) clock.advance(1000);
  });

  test('a server that hangs holds up nobody', async () => {
    remote.answerOwn = () => undefined;
    remote.serveDiscovery('slow.example');
    await remote.register({ http, server }, 'slow.example');
    expect(await versions('slow.example')).toEqual([{ version: 'v1', freshness: 'Stale' }]);
    expect((await http.get('/apis')).status).toBe(200);
  });
});

describeKubectl('kubectl with another server', () => {
  let remote: AggregatedServer;
  let server: RunningServer;
  let http: HttpClient;
  let kubectl: Kubectl;

  beforeAll(async () => {
    remote = await AggregatedServer.open();
    server = await startServer();
    http = HttpClient.for(server);
    kubectl = await Kubectl.for(server.kubeconfig);
    remote.serveDiscovery('wardle.example');
    const metadata = { name: 'one', namespace: 'default', creationTimestamp: new Date().toISOString() };
    const item = { apiVersion: 'wardle.example/v1', kind: 'Flunder', metadata };
    remote.answer = (request, response) => {
      const isList = request.url?.split('?')[0].endsWith('/flunders');
      const body = isList ? { kind: 'FlunderList', apiVersion: 'wardle.example/v1', metadata: {}, items: [item] } : item;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    await remote.register({ http, server }, 'wardle.example');
  });
  afterAll(async () => {
    await kubectl.close();
    http.close();
    await server.close();
    await remote.close();
  });

  test('shows its APIService beside the local ones', async () => {
    const lines = (await kubectl.ok(['get', 'apiservices'])).split('\n');
    expect(lines[0]).toMatch(/^NAME +SERVICE +AVAILABLE +AGE$/);
    expect(lines.find((line) => line.startsWith('v1.wardle'))).toMatch(/^v1\.wardle\.example +default\/api +True +/);
    expect(lines.find((line) => line.startsWith('v1.apps'))).toMatch(/^v1\.apps +Local +True +/);
  });

  test('lists and gets its objects', async () => {
    expect(await kubectl.ok(['api-resources', '--api-group=wardle.example'])).toMatch(/flunders +wardle\.example\/v1 +true +Flunder/);
    expect(await kubectl.ok(['get', 'flunders'])).toMatch(/^NAME +AGE\none /);
    expect(await kubectl.ok(['get', 'flunder', 'one', '-o', 'name'])).toBe('flunder.wardle.example/one\n');
  });
});
